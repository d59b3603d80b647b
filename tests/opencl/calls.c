/* One definition for each OpenCL function that the library calls: executables come before
 * libraries where names are looked up. */
#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <string.h>

struct calls calls;

static void *next(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

static int fails(const char *name) {
    if (calls.sparing && strcmp(name, "clSetKernelArg") == 0 && calls.arguments++ % 8 > 0)
        return 0;
    if (++calls.count != calls.fail_at)
        return 0;
    calls.failed = name;
    return 1;
}

/* Puts a line before a program that takes the compiler's doubles away. */
static cl_uint hide_f64(const char ***texts, const size_t **lengths) {
    static const char *two[2] = {"#undef cl_khr_fp64\n"};
    static size_t sizes[2];
    two[1] = (*texts)[0];
    sizes[0] = strlen(two[0]);
    sizes[1] = (*lengths)[0];
    *texts = two;
    *lengths = sizes;
    return 2;
}

/* Whether the answer is one that a test wants. */
static int pretend(cl_device_info what, void *to) {
    if (what == CL_DEVICE_TYPE && calls.type)
        memcpy(to, &calls.type, sizeof calls.type);
    else if (what == CL_DEVICE_MAX_COMPUTE_UNITS && calls.units)
        memcpy(to, &calls.units, sizeof calls.units);
    else
        return what == CL_DEVICE_EXTENSIONS && calls.no_f64;
    return 1;
}

enum { NO_PLATFORM = -1001 }; /* CL_PLATFORM_NOT_FOUND_KHR, which loaders say */

/* Calls that answer with a status. What releases an object does so even where it fails. */
#define STATUS(NAME, PARAMETERS, ARGUMENTS, RELEASES, COUNTER)                             \
    cl_int NAME PARAMETERS {                                                               \
        cl_int(*real) PARAMETERS;                                                          \
        void *found = next(#NAME);                                                         \
        memcpy(&real, &found, sizeof real);                                                \
        const int fail = fails(#NAME);                                                     \
        calls.live -= RELEASES;                                                            \
        COUNTER;                                                                           \
        const cl_int code = fail && !RELEASES ? calls.code : real ARGUMENTS;               \
        return fail ? calls.code : code;                                                   \
    }

/* Calls that make an object. */
#define OBJECT(TYPE, NAME, PARAMETERS, ARGUMENTS, LIVE, COUNTER)                           \
    TYPE NAME PARAMETERS {                                                                 \
        TYPE(*real) PARAMETERS;                                                            \
        void *found = next(#NAME);                                                         \
        memcpy(&real, &found, sizeof real);                                                \
        COUNTER;                                                                           \
        if (fails(#NAME)) {                                                                \
            *code = calls.code;                                                            \
            return NULL;                                                                   \
        }                                                                                  \
        TYPE made = real ARGUMENTS;                                                        \
        calls.live += LIVE * (made != NULL);                                               \
        return made;                                                                       \
    }

/* Calls that hold on to an object. */
#define RETAIN(NAME, TYPE)                                                                 \
    cl_int NAME(TYPE object) {                                                             \
        cl_int (*real)(TYPE);                                                              \
        void *found = next(#NAME);                                                         \
        memcpy(&real, &found, sizeof real);                                                \
        if (fails(#NAME))                                                                  \
            return calls.code;                                                             \
        calls.live++;                                                                      \
        return real(object);                                                               \
    }

RETAIN(clRetainContext, cl_context)
RETAIN(clRetainCommandQueue, cl_command_queue)
RETAIN(clRetainMemObject, cl_mem)
RETAIN(clRetainProgram, cl_program)
STATUS(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *count), (n, ids, count),
       0, if (calls.no_platform) return NO_PLATFORM)
STATUS(clGetDeviceIDs,
       (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id *ids, cl_uint *count),
       (p, t, n, ids, count), 0, if (calls.no_device) return CL_DEVICE_NOT_FOUND)
STATUS(clGetPlatformInfo,
       (cl_platform_id p, cl_platform_info what, size_t size, void *to, size_t *need),
       (p, what, size, to, need), 0, )
STATUS(clGetDeviceInfo,
       (cl_device_id d, cl_device_info what, size_t size, void *to, size_t *need),
       (d, what, size, to, need), 0, if (pretend(what, to)) return CL_SUCCESS)
STATUS(clGetContextInfo,
       (cl_context c, cl_context_info what, size_t size, void *to, size_t *need),
       (c, what, size, to, need), 0, )
STATUS(clGetCommandQueueInfo,
       (cl_command_queue q, cl_command_queue_info what, size_t size, void *to,
        size_t *need),
       (q, what, size, to, need), 0, )
STATUS(clGetMemObjectInfo,
       (cl_mem m, cl_mem_info what, size_t size, void *to, size_t *need),
       (m, what, size, to, need), 0, )
STATUS(clReleaseContext, (cl_context c), (c), 1, )
STATUS(clReleaseCommandQueue, (cl_command_queue q), (q), 1, )
STATUS(clReleaseMemObject, (cl_mem m), (m), 1, )
STATUS(clReleaseProgram, (cl_program p), (p), 1, )
STATUS(clReleaseKernel, (cl_kernel k), (k), 1, )
STATUS(clSetMemObjectDestructorCallback,
       (cl_mem m, void(CL_CALLBACK *f)(cl_mem, void *), void *data), (m, f, data), 0, )
STATUS(clEnqueueFillBuffer,
       (cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_size, size_t at,
        size_t size, cl_uint n, const cl_event *wait, cl_event *event),
       (q, m, pattern, pattern_size, at, size, n, wait, event), 0, )
STATUS(clEnqueueCopyBuffer,
       (cl_command_queue q, cl_mem from, cl_mem to, size_t from_at, size_t to_at,
        size_t size, cl_uint n, const cl_event *wait, cl_event *event),
       (q, from, to, from_at, to_at, size, n, wait, event), 0, )
STATUS(clEnqueueReadBuffer,
       (cl_command_queue q, cl_mem m, cl_bool wait_here, size_t at, size_t size, void *to,
        cl_uint n, const cl_event *wait, cl_event *event),
       (q, m, wait_here, at, size, to, n, wait, event), 0, calls.live += event && !fail)
STATUS(clEnqueueWriteBuffer,
       (cl_command_queue q, cl_mem m, cl_bool wait_here, size_t at, size_t size,
        const void *from, cl_uint n, const cl_event *wait, cl_event *event),
       (q, m, wait_here, at, size, from, n, wait, event), 0, calls.live += event && !fail)
STATUS(clEnqueueUnmapMemObject,
       (cl_command_queue q, cl_mem m, void *mapped, cl_uint n, const cl_event *wait,
        cl_event *event),
       (q, m, mapped, n, wait, event), 0, )
STATUS(clEnqueueNDRangeKernel,
       (cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t *from,
        const size_t *global, const size_t *local, cl_uint n, const cl_event *wait,
        cl_event *event),
       (q, k, dimensions, from, global, local, n, wait, event), 0, calls.launched++)
STATUS(clFinish, (cl_command_queue q), (q), 0, )
STATUS(clBuildProgram,
       (cl_program p, cl_uint n, const cl_device_id *ids, const char *options,
        void(CL_CALLBACK *f)(cl_program, void *), void *data),
       (p, n, ids, options, f, data), 0, )
STATUS(clGetProgramInfo,
       (cl_program p, cl_program_info what, size_t size, void *to, size_t *need),
       (p, what, size, to, need), 0, )
STATUS(clGetProgramBuildInfo,
       (cl_program p, cl_device_id d, cl_program_build_info what, size_t size, void *to,
        size_t *need),
       (p, d, what, size, to, need), 0, )
STATUS(clSetKernelArg, (cl_kernel k, cl_uint n, size_t size, const void *value),
       (k, n, size, value), 0, )
STATUS(clFlush, (cl_command_queue q), (q), 0, )
STATUS(clReleaseEvent, (cl_event e), (e), 1, )
STATUS(clWaitForEvents, (cl_uint n, const cl_event *events), (n, events), 0, )
STATUS(clGetEventInfo,
       (cl_event e, cl_event_info what, size_t size, void *to, size_t *need),
       (e, what, size, to, need), 0, )
STATUS(clEnqueueMarkerWithWaitList,
       (cl_command_queue q, cl_uint n, const cl_event *wait, cl_event *event),
       (q, n, wait, event), 0, calls.live += !fail)
STATUS(clEnqueueBarrierWithWaitList,
       (cl_command_queue q, cl_uint n, const cl_event *wait, cl_event *event),
       (q, n, wait, event), 0, )
OBJECT(cl_event, clCreateUserEvent, (cl_context c, cl_int *code), (c, code), 1, )
OBJECT(cl_context, clCreateContext,
       (const cl_context_properties *properties, cl_uint n, const cl_device_id *ids,
        void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *data,
        cl_int *code),
       (properties, n, ids, f, data, code), 1, )
OBJECT(cl_command_queue, clCreateCommandQueue,
       (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *code),
       (c, d, p, code), 1, )
OBJECT(cl_mem, clCreateBuffer,
       (cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *code),
       (c, flags, size, host, code), 1, )
OBJECT(cl_mem, clCreateSubBuffer,
       (cl_mem m, cl_mem_flags flags, cl_buffer_create_type type, const void *region,
        cl_int *code),
       (m, flags, type, region, code), 1, )
OBJECT(cl_program, clCreateProgramWithSource,
       (cl_context c, cl_uint n, const char **texts, const size_t *lengths, cl_int *code),
       (c, n, texts, lengths, code), 1, calls.compiled++;
       if (calls.no_f64) n = hide_f64(&texts, &lengths))
OBJECT(cl_program, clCreateProgramWithBinary,
       (cl_context c, cl_uint n, const cl_device_id *ids, const size_t *sizes,
        const unsigned char **bytes, cl_int *statuses, cl_int *code),
       (c, n, ids, sizes, bytes, statuses, code), 1, calls.loaded++)
OBJECT(cl_kernel, clCreateKernel, (cl_program p, const char *name, cl_int *code),
       (p, name, code), 1, )
OBJECT(void *, clEnqueueMapBuffer,
       (cl_command_queue q, cl_mem m, cl_bool wait_here, cl_map_flags flags, size_t at,
        size_t size, cl_uint n, const cl_event *wait, cl_event *event, cl_int *code),
       (q, m, wait_here, flags, at, size, n, wait, event, code), 0, )
