/* Whether PoCL, as scalars.py lists it in VENDORS, builds a program. */
#define CL_TARGET_OPENCL_VERSION 120
#define _POSIX_C_SOURCE 200809L
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

static const char *text = "kernel void roots(global float *x) {\n"
                          "    const uint i = get_global_id(0);\n"
                          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "    x[i] = sqrt(x[i]) + as_float(max(i, 1u));\n"
                          "}\n";

static int builds(cl_platform_id platform) {
    cl_device_id id;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL) != CL_SUCCESS)
        return 0;
    cl_context context = clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    return clBuildProgram(program, 1, &id, "-cl-std=CL1.2", NULL, NULL) == CL_SUCCESS;
}

int main(void) {
    cl_platform_id platforms[32];
    cl_uint count = 0;
    setenv("OCL_ICD_VENDORS", VENDORS, 1);
    setenv("POCL_KERNEL_CACHE", "0", 1);
    if (clGetPlatformIDs(32, platforms, &count) != CL_SUCCESS)
        return 1;
    for (cl_uint p = 0; p < count && p < 32; p++) {
        char name[64] = "";
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strcmp(name, "Portable Computing Language") == 0)
            return !builds(platforms[p]);
    }
    return 1;
}
