/* Which devices there are, and which one is meant. */
#include "program.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 32, MAX_DEVICES = 64 };

typedef struct device_list {
    cl_platform_id platform[MAX_DEVICES];
    cl_device_id id[MAX_DEVICES];
    cl_uint count, platforms;
} device_list;

static device_list ask_drivers(void) {
    device_list list = {.count = 0};
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS)
        return list;
    list.platforms = count < MAX_PLATFORMS ? count : MAX_PLATFORMS;
    for (cl_uint p = 0; p < list.platforms && list.count < MAX_DEVICES; p++) {
        cl_uint found = 0;
        const cl_uint room = MAX_DEVICES - list.count;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, list.id + list.count,
                           &found) != CL_SUCCESS)
            continue;
        found = found < room ? found : room;
        for (cl_uint d = 0; d < found; d++)
            list.platform[list.count++] = platforms[p];
    }
    return list;
}

/* One thread at a time: drivers find their devices when they are first asked, and PoCL 3.1
 * tells another thread of devices that it has not found yet. */
static device_list list_devices(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const device_list list = ask_drivers();
    pthread_mutex_unlock(&lock);
    return list;
}

static int is_gpu(cl_device_id id) {
    cl_device_type type = 0;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return (type & CL_DEVICE_TYPE_GPU) != 0;
}

static cl_uint best_of(const device_list *list) {
    for (cl_uint d = 0; d < list->count; d++)
        if (is_gpu(list->id[d]))
            return d;
    return 0;
}

static int contains(const char *text, const char *part) {
    for (; *text; text++) {
        size_t k = 0;
        while (part[k] &&
               tolower((unsigned char)text[k]) == tolower((unsigned char)part[k]))
            k++;
        if (!part[k])
            return 1;
    }
    return 0;
}

/* A text that the driver tells, cut to `size`; "" where it tells none. */
static void device_text(cl_device_id id, cl_device_info what, char *text, size_t size) {
    char whole[8192] = "";
    if (clGetDeviceInfo(id, what, sizeof whole, whole, NULL) != CL_SUCCESS)
        *whole = '\0';
    snprintf(text, size, "%.*s", (int)size - 1, whole + strspn(whole, " "));
}

static void platform_text(cl_platform_id id, char *text, size_t size) {
    char whole[1024] = "";
    if (clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof whole, whole, NULL) != CL_SUCCESS)
        *whole = '\0';
    snprintf(text, size, "%.*s", (int)size - 1, whole);
}

void opencl_describe(cl_platform_id platform, cl_device_id id, char *name, size_t size) {
    char of_device[96], of_platform[56];
    device_text(id, CL_DEVICE_NAME, of_device, sizeof of_device);
    platform_text(platform, of_platform, sizeof of_platform);
    snprintf(name, size, "%s (%s)", of_device, of_platform);
}

static void describe(const device_list *list, cl_uint d, char *name, size_t size) {
    opencl_describe(list->platform[d], list->id[d], name, size);
}

/* The number that `which` means, or list->count. */
static cl_uint find(const device_list *list, const char *which) {
    char *end, name[160];
    const unsigned long number = strtoul(which, &end, 10);
    if (isdigit((unsigned char)*which) && !*end)
        return number < list->count ? (cl_uint)number : list->count;
    for (cl_uint d = 0; d < list->count; d++) {
        describe(list, d, name, sizeof name);
        if (contains(name, which))
            return d;
    }
    return list->count;
}

weft_status opencl_choose(weft_device *device, const char *which, cl_platform_id *platform,
                          cl_device_id *id) {
    const device_list list = list_devices();
    const char *from_environment = getenv("WEFT_DEVICE");
    const int named = which && *which;
    if (!named && from_environment && *from_environment)
        which = from_environment;
    if (list.platforms == 0)
        return weft_fail(device, WEFT_E_BACKEND,
                         "no OpenCL driver is installed on this machine");
    if (list.count == 0)
        return weft_fail(device, WEFT_E_BACKEND,
                         "none of the %u OpenCL drivers of this machine has a device",
                         (unsigned)list.platforms);
    const cl_uint chosen = which && *which ? find(&list, which) : best_of(&list);
    if (chosen == list.count) {
        char first[160];
        describe(&list, 0, first, sizeof first);
        return weft_fail(device, WEFT_E_BACKEND,
                         "no OpenCL device is '%s'%s (there are %u, number 0 is %s)", which,
                         named ? "" : ", as WEFT_DEVICE says", (unsigned)list.count, first);
    }
    describe(&list, chosen, device->name, sizeof device->name);
    *platform = list.platform[chosen];
    *id = list.id[chosen];
    return WEFT_OK;
}

static u64 size_info(cl_device_id id, cl_device_info what) {
    cl_ulong value = 0;
    clGetDeviceInfo(id, what, sizeof value, &value, NULL);
    return value;
}

i64 opencl_devices(weft_device_info *info, i64 capacity) {
    const device_list list = list_devices();
    const cl_uint best = best_of(&list);
    for (cl_uint d = 0; d < list.count && (i64)d < capacity; d++) {
        weft_device_info *i = &info[d];
        const cl_device_id id = list.id[d];
        char extensions[8192];
        cl_uint units = 0;
        size_t group = 0;
        *i = (weft_device_info){.backend = "opencl", .number = d, .is_default = d == best};
        device_text(id, CL_DEVICE_NAME, i->name, sizeof i->name);
        device_text(id, CL_DRIVER_VERSION, i->driver, sizeof i->driver);
        platform_text(list.platform[d], i->platform, sizeof i->platform);
        device_text(id, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
        clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
        clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
        i->memory = size_info(id, CL_DEVICE_GLOBAL_MEM_SIZE);
        i->largest_allocation = size_info(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
        i->local_memory = size_info(id, CL_DEVICE_LOCAL_MEM_SIZE);
        i->compute_units = units;
        i->largest_group = (u32)group;
        i->has_f64 = strstr(extensions, "cl_khr_fp64") != NULL;
        i->has_u64_atomics = strstr(extensions, "cl_khr_int64_base_atomics") != NULL &&
                             strstr(extensions, "cl_khr_int64_extended_atomics") != NULL;
        i->is_gpu = (u8)is_gpu(id);
    }
    return list.count;
}
