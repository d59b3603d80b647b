/* Opening a device, on a context and a queue, and closing it. */
#include "entries.h"
#include "backends/opencl/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "chunks", "groups", or any other word for the portable path that suits the device. */
static opencl_path choose_path(int is_cpu, int warps) {
    const char *portable = getenv("WEFT_OPENCL_PORTABLE");
    if (portable && strcmp(portable, "chunks") == 0)
        return OPENCL_CHUNKS;
    if (portable && strcmp(portable, "groups") == 0)
        return OPENCL_GROUPS;
    if (is_cpu)
        return OPENCL_CHUNKS;
    return warps && !(portable && *portable) ? OPENCL_WARPS : OPENCL_GROUPS;
}

/* Whether the device shall do without f64, as others must. */
static int hides_f64(void) {
    const char *wanted = getenv("WEFT_OPENCL_F64");
    return wanted && strcmp(wanted, "no") == 0;
}

/* NVIDIA GPUs whose warps have shuffles and votes that synchronise. */
static cl_int look_for_warps(cl_device_id id, const char *vendor, const char *extensions,
                             int *warps) {
    enum { COMPUTE_CAPABILITY_MAJOR = 0x4000 };
    cl_uint major = 0;
    if (strstr(vendor, "NVIDIA") && strstr(extensions, "cl_nv_device_attribute_query")) {
        const cl_int code =
            clGetDeviceInfo(id, COMPUTE_CAPABILITY_MAJOR, sizeof major, &major, NULL);
        if (code != CL_SUCCESS)
            return code;
    }
    *warps = major >= 7;
    return CL_SUCCESS;
}

static cl_int learn(opencl_state *state, cl_platform_id platform, cl_uint *units) {
    char name[128] = "", driver[96] = "", version[160] = "", vendor[64] = "";
    char extensions[8192] = "";
    cl_device_type type = 0;
    cl_device_fp_config single = 0;
    size_t group = 1;
    cl_ulong local = 0;
    const struct {
        cl_device_info what;
        size_t size;
        void *to;
    } wanted[] = {
        {CL_DEVICE_NAME, sizeof name, name},
        {CL_DRIVER_VERSION, sizeof driver, driver},
        {CL_DEVICE_VENDOR, sizeof vendor, vendor},
        {CL_DEVICE_EXTENSIONS, sizeof extensions, extensions},
        {CL_DEVICE_TYPE, sizeof type, &type},
        {CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group},
        {CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local},
        {CL_DEVICE_MAX_COMPUTE_UNITS, sizeof *units, units},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const cl_int code =
            clGetDeviceInfo(state->id, wanted[k].what, wanted[k].size, wanted[k].to, NULL);
        if (code != CL_SUCCESS)
            return code;
    }
    int warps = 0;
    cl_int code =
        clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    if (code == CL_SUCCESS)
        code = look_for_warps(state->id, vendor, extensions, &warps);
    if (code != CL_SUCCESS)
        return code;
    state->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    state->has_f64 = strstr(extensions, "cl_khr_fp64") != NULL && !hides_f64();
    state->path = choose_path(state->is_cpu, warps);
    state->local_memory = local;
    for (state->group = 1;
         state->group < OPENCL_GROUP && (size_t)state->group * 2 <= group;)
        state->group *= 2;
    state->launch = state->group < OPENCL_LAUNCH ? state->group : OPENCL_LAUNCH;
    snprintf(state->options, sizeof state->options, "-w -cl-std=CL1.2%s",
             single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
                 ? " -cl-fp32-correctly-rounded-divide-sqrt"
                 : "");
    snprintf(state->identity, sizeof state->identity, "%s|%s|%s", name, driver, version);
    return CL_SUCCESS;
}

static void release_both(cl_context context, cl_command_queue queue) {
    if (queue)
        clReleaseCommandQueue(queue);
    if (context)
        clReleaseContext(context);
}

void opencl_close(weft_device *device) {
    opencl_state *state = opencl_of(device);
    opencl_ahead_end(state->ahead);
    opencl_free_staging(state);
    opencl_free_small(state);
    opencl_free_transforms(state);
    opencl_free_look_back(device);
    opencl_free_sort_counts(device);
    opencl_free_programs(state);
    if (state->shared)
        opencl_shared_leave(state->shared);
    release_both(state->context, state->queue);
    free(state->cache);
    free(state);
    device->state = NULL;
}

static opencl_shared *shared_with(const weft_device *beside) {
    const opencl_state *other = beside ? beside->state : NULL;
    return other ? opencl_shared_join(other->shared) : opencl_shared_new();
}

weft_status opencl_open_on(weft_device *device, cl_platform_id platform, cl_device_id id,
                           cl_context context, cl_command_queue queue,
                           const weft_device *beside) {
    opencl_state *state = calloc(1, sizeof *state);
    opencl_shared *shared = state ? shared_with(beside) : NULL;
    if (!shared) {
        free(state);
        release_both(context, queue);
        return weft_fail(device, WEFT_E_MEMORY, "out of memory while opening %s",
                         device->name);
    }
    device->state = state;
    *state = (opencl_state){.id = id, .context = context, .queue = queue, .shared = shared};
    cl_uint units = 0;
    const char *call = "clGetDeviceInfo";
    cl_int code = learn(state, platform, &units);
    if (code == CL_SUCCESS && !state->context) {
        const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                    (cl_context_properties)platform, 0};
        call = "clCreateContext";
        state->context = clCreateContext(properties, 1, &id, NULL, NULL, &code);
    }
    if (code == CL_SUCCESS && !state->queue) {
        call = "clCreateCommandQueue";
        state->queue = clCreateCommandQueue(state->context, id, 0, &code);
    }
    if (code != CL_SUCCESS) {
        opencl_fail(device, call, code, NULL);
        opencl_close(device);
        return weft_check(device);
    }
    device->family = (u64)(uintptr_t)state->context;
    device->style = state->is_cpu ? WEFT_SIMD : WEFT_SIMT;
    device->concurrency = units;
    state->cache = opencl_cache_folder();
    return WEFT_OK;
}
