/* Meson has what tests allocate and free filled (MALLOC_PERTURB_), which shows what is used
 * before it is written or after it is freed. PoCL 3.1 allocates 256 MB to tell how long a
 * program is, of which it uses some hundred KB: this module, loaded before the OpenCL
 * loader, leaves them as they are, which saves a fifth of a second for each program that is
 * kept. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *to,
                        size_t *need) {
    cl_int (*real)(cl_program, cl_program_info, size_t, void *, size_t *);
    void *found = dlsym(RTLD_NEXT, "clGetProgramInfo");
    memcpy(&real, &found, sizeof real);
    const char *fill = getenv("MALLOC_PERTURB_");
    mallopt(M_PERTURB, 0);
    const cl_int code = real(program, what, size, to, need);
    mallopt(M_PERTURB, fill ? atoi(fill) : 0);
    return code;
}
