/* Stands between the library and the OpenCL loader: counts calls and the objects that
 * live, and makes one call fail. */
#ifndef WEFT_TESTS_OPENCL_CALLS_H
#define WEFT_TESTS_OPENCL_CALLS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

extern struct calls {
    long count, fail_at; /* the call that fails, from 1 on; 0: none */
    cl_int code;         /* what it says */
    const char *failed;  /* which it was */
    long arguments;      /* of kernels, of which every eighth counts with `sparing` */
    int sparing;
    long live; /* contexts, queues, buffers, programs and kernels */
    long compiled, loaded, launched;
    /* A machine without drivers, drivers without devices, a device without f64. */
    int no_platform, no_device, no_f64;
    /* A device of another type, and so many units; 0: its own. */
    cl_device_type type;
    cl_uint units;
} calls;

#endif
