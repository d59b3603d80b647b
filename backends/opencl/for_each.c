/* Launches of kernels, and copies of arrays and generators. */
#include "entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_copy;

/* Work-items of one enqueued launch, which stay below what any driver counts to. */
enum { LAUNCH = 1 << 30 };

static const opencl_program *entry_of(weft_device *device, const weft_kernel *kernel,
                                      int wide) {
    const opencl_key key = {OPENCL_FOR_EACH, wide ? OPENCL_WIDE : 0, {kernel}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_entry"};
    opencl_text text = {0};
    const opencl_called called = opencl_calls(&kernel->function);
    opencl_begin_text(opencl_of(device), &text, &called, 1);
    opencl_append_entry(&text, &kernel->function, opencl_of(device)->launch);
    return opencl_build(device, &key, kernel->function.name, &text, names);
}

weft_status opencl_for_each(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call) {
    const opencl_program *program = entry_of(device, kernel, opencl_is_wide(n, call));
    const i64 group = opencl_of(device)->launch;
    if (program && !program->program)
        return opencl_for_each_on_host(device, n, kernel, call);
    for (i64 begin = 0; program && begin < n; begin += LAUNCH) {
        const i64 end = n - begin < LAUNCH ? n : begin + LAUNCH;
        opencl_launch launch = opencl_begin(device, program, 0);
        opencl_give(&launch, &begin, sizeof begin);
        opencl_give(&launch, &end, sizeof end);
        opencl_give_call(&launch, call);
        if (opencl_run(&launch, (end - begin + group - 1) / group, group) != WEFT_OK)
            break;
    }
    return weft_check(device);
}

/* Elements a work-item copies: a CPU's vectors hold neighbouring work-items instead. */
static i64 elements_each(const opencl_state *state, weft_type type) {
    const size_t size = WEFT_SIZE(type);
    return state->path == OPENCL_CHUNKS || size > 8 ? 1 : size < 4 ? 8 : 4;
}

/* What lies in memory is copied as numbers of its elements' size. */
static void append_copied(opencl_text *text, const weft_input *in) {
    static const char *const numbers[] = {
        [1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    const weft_generator *g = in->generator;
    if (g)
        opencl_append_type(text, "weft_in_element", g->type_name, g->type,
                           g->function.source);
    else
        opencl_append(text, "typedef %s weft_in_element;\n",
                      numbers[WEFT_SIZE(in->span.type)]);
}

static const opencl_program *copy_of(weft_device *device, const weft_input *in) {
    const weft_generator *g = in->generator;
    const i64 each = elements_each(opencl_of(device), in->span.type);
    const u32 size = g ? 0 : (u32)WEFT_SIZE(in->span.type);
    const opencl_key key = {
        OPENCL_COPY, (opencl_is_wide_input(in) ? OPENCL_WIDE : 0) | size << 8, {g}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_copy"};
    opencl_text text = {0};
    const opencl_called called = g ? opencl_calls(&g->function) : (opencl_called){0};
    opencl_begin_text(opencl_of(device), &text, &called, g ? 1 : 0);
    append_copied(&text, in);
    opencl_append_input(&text, "weft_in", in);
    opencl_append(&text, "#define EACH %d\n", (int)each);
    opencl_append_bytes(&text, weft_text_copy.text, weft_text_copy.length);
    return opencl_build(device, &key, g ? g->function.name : "weft_copy", &text, names);
}

/* Whether the driver's own copy, of what lies in memory, is the faster one. */
static int is_for_driver(const opencl_state *state, const weft_input *in) {
    const weft_type type = in->span.type;
    return state->path == OPENCL_CHUNKS || type >= WEFT_STRUCTS ||
           in->span.length > OPENCL_GPU_COPY_MOST / (i64)WEFT_SIZE(type);
}

weft_status opencl_copy(weft_device *device, const weft_input *in, weft_span out) {
    const i64 n = in->span.length, group = opencl_of(device)->group;
    if (!in->generator && is_for_driver(opencl_of(device), in)) {
        out.length = n;
        return opencl_copy_memory(device, in->span, out);
    }
    const i64 tile = group * elements_each(opencl_of(device), out.type);
    const opencl_program *program = copy_of(device, in);
    if (program && !program->program)
        return opencl_copy_on_host(device, in, out);
    for (i64 begin = 0; program && begin < n; begin += LAUNCH) {
        const i64 end = n - begin < LAUNCH ? n : begin + LAUNCH;
        opencl_launch launch = opencl_begin(device, program, 0);
        opencl_give(&launch, &begin, sizeof begin);
        opencl_give(&launch, &end, sizeof end);
        opencl_give_span(&launch, out);
        opencl_give_input(&launch, in);
        if (opencl_run(&launch, (end - begin + tile - 1) / tile, group) != WEFT_OK)
            break;
    }
    return weft_check(device);
}
