/* Preloaded, OpenCL's buffers have $SCARCE bytes and no more: a device without room for
 * all, while the rest of the process has what memory there is. */
#define CL_TARGET_OPENCL_VERSION 120
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef cl_mem create_buffer(cl_context, cl_mem_flags, size_t, void *, cl_int *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t used;

/* OpenCL's, which this one is called in place of. */
static create_buffer *find(void) {
    create_buffer *create;
    void *found = dlsym(RTLD_NEXT, "clCreateBuffer");
    if (found == NULL)
        abort();
    memcpy(&create, &found, sizeof create);
    return create;
}

static int take(size_t bytes) {
    const char *text = getenv("SCARCE");
    const size_t room = text ? strtoull(text, NULL, 10) : SIZE_MAX;
    pthread_mutex_lock(&lock);
    const int fits = used <= room && bytes <= room - used;
    used += fits ? bytes : 0;
    pthread_mutex_unlock(&lock);
    return fits;
}

static void give_back(size_t bytes) {
    pthread_mutex_lock(&lock);
    used -= bytes;
    pthread_mutex_unlock(&lock);
}

static void CL_CALLBACK ended(cl_mem buffer, void *bytes) {
    (void)buffer;
    give_back((size_t)(uintptr_t)bytes);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                      cl_int *code) {
    if (!take(bytes)) {
        if (code)
            *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    const cl_mem buffer = find()(context, flags, bytes, host, code);
    if (buffer == NULL || clSetMemObjectDestructorCallback(
                              buffer, ended, (void *)(uintptr_t)bytes) != CL_SUCCESS)
        give_back(bytes);
    return buffer;
}
