/* Launches: arguments in the order of the kernel's parameters, then groups of work-items.
 */
#include "opencl.h"

opencl_launch opencl_begin(weft_device *device, const opencl_program *program, int kernel) {
    return (opencl_launch){device, program, program->kernels[kernel], 0, CL_SUCCESS};
}

void opencl_give(opencl_launch *launch, const void *value, size_t size) {
    const cl_int code = clSetKernelArg(launch->kernel, launch->next++, size, value);
    if (launch->code == CL_SUCCESS)
        launch->code = code;
}

void opencl_give_memory(opencl_launch *launch, void *memory) {
    const cl_mem buffer = memory;
    opencl_give(launch, &buffer, sizeof buffer);
}

void opencl_give_i32(opencl_launch *launch, i32 value) {
    opencl_give(launch, &value, sizeof value);
}

void opencl_give_index(opencl_launch *launch, i64 value) {
    const i32 narrow = (i32)value;
    if (launch->program->key.flags & OPENCL_WIDE)
        opencl_give(launch, &value, sizeof value);
    else
        opencl_give(launch, &narrow, sizeof narrow);
}

void opencl_give_span(opencl_launch *launch, weft_span span) {
    opencl_give_memory(launch, span.memory);
    opencl_give(launch, &span.first, sizeof span.first);
}

void opencl_give_call(opencl_launch *launch, const weft_call *call) {
    for (i32 k = 0; k < call->count; k++) {
        const weft_argument *a = &call->argument[k];
        if (a->value)
            opencl_give(launch, a->value, WEFT_SIZE(a->parameter->type));
        else
            opencl_give_span(launch, a->span);
    }
}

void opencl_give_input(opencl_launch *launch, const weft_input *in) {
    if (in->generator) {
        opencl_give(launch, &in->span.first, sizeof in->span.first);
        opencl_give_call(launch, &in->call);
    } else {
        opencl_give_span(launch, in->span);
    }
}

weft_status opencl_run(opencl_launch *launch, i64 groups, i64 group) {
    weft_device *device = launch->device;
    const char *name = launch->program->name;
    if (launch->code != CL_SUCCESS)
        return opencl_fail(device, "clSetKernelArg", launch->code, name);
    const size_t local = (size_t)group, global = (size_t)groups * local;
    const cl_int code = clEnqueueNDRangeKernel(opencl_of(device)->queue, launch->kernel, 1,
                                               NULL, &global, &local, 0, NULL, NULL);
    return code == CL_SUCCESS ? WEFT_OK
                              : opencl_fail(device, "clEnqueueNDRangeKernel", code, name);
}

i64 opencl_group_for(const opencl_state *state, size_t bytes) {
    i64 group = state->group;
    while (group > 1 && (u64)group * bytes > state->local_memory / 2)
        group /= 2;
    return group;
}

static int is_long(i64 length) {
    return length > INT32_MAX;
}

int opencl_is_wide(i64 n, const weft_call *call) {
    int wide = is_long(n);
    for (i32 k = 0; k < call->count; k++)
        wide |= !call->argument[k].value && is_long(call->argument[k].span.length);
    return wide;
}

int opencl_is_wide_input(const weft_input *in) {
    return in->generator ? opencl_is_wide(in->span.first + in->span.length, &in->call)
                         : is_long(in->span.length);
}
