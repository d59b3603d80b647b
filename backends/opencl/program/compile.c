/* What a call runs, compiled and not run: for who would know what OpenCL refuses. */
#include "backends/opencl/entries.h"
#include "program.h"

static void append_kernel(const opencl_state *state, opencl_text *text,
                          const weft_kernel *kernel) {
    const opencl_called called = opencl_calls(&kernel->function);
    opencl_begin_text(state, text, &called, 1);
    opencl_append_entry(text, &kernel->function, state->launch);
}

static void append_pairs(const opencl_state *state, opencl_text *text,
                         const weft_pairs_function *pairs) {
    const opencl_called called = opencl_calls(&pairs->function);
    opencl_begin_text(state, text, &called, 1);
    opencl_append_pairs(text, pairs);
}

static void append_generator(const opencl_state *state, opencl_text *text,
                             const weft_input *in) {
    const weft_generator *g = in->generator;
    const opencl_called called = opencl_calls(&g->function);
    opencl_begin_text(state, text, &called, 1);
    opencl_append_type(text, "weft_in_element", g->type_name, g->type, g->function.source);
    opencl_append_input(text, "weft_in", in);
}

/* A program may be without kernels: its functions are compiled all the same. */
weft_status opencl_compile(weft_device *device, const weft_used *used) {
    const opencl_state *state = opencl_of(device);
    const weft_generator *generator = used->in ? used->in->generator : NULL;
    const void *function = used->kernel  ? (const void *)used->kernel
                           : used->pairs ? (const void *)used->pairs
                                         : (const void *)generator;
    const opencl_key key = {OPENCL_COMPILED, 0, {function, used->op}};
    static const char *const none[OPENCL_KERNELS] = {0};
    opencl_text text = {0};
    if ((!function && !used->op) || opencl_find(device, &key))
        return weft_check(device);
    if (used->kernel)
        append_kernel(state, &text, used->kernel);
    else if (used->pairs)
        append_pairs(state, &text, used->pairs);
    else if (used->op)
        opencl_begin_fold(state, &text, used->in, NULL, used->op, 1);
    else
        append_generator(state, &text, used->in);
    const char *name = used->kernel  ? used->kernel->function.name
                       : used->pairs ? used->pairs->function.name
                       : used->op    ? used->op->name
                                     : generator->function.name;
    opencl_build(device, &key, name, &text, none);
    return weft_check(device);
}
