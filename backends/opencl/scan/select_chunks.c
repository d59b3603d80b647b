/* Selections on CPUs: see select_chunks.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_select_chunks;

enum { PARTITIONED = 2, COUNTED = 4 };

static const opencl_program *select_of(weft_device *device, const weft_select_call *call) {
    const weft_generator *in = call->in.generator, *flags = call->flags.generator;
    const int counts = !call->in.span.type;
    const int wide =
        opencl_is_wide_input(&call->flags) || (!counts && opencl_is_wide_input(&call->in));
    const opencl_key key = {OPENCL_SELECT,
                            (u32)(wide ? OPENCL_WIDE : 0) | (counts ? COUNTED : 0) |
                                (call->partition ? PARTITIONED : 0) |
                                (in ? 0 : (u32)WEFT_SIZE(call->in.span.type) << 4),
                            {in, flags}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[][OPENCL_KERNELS] = {{"weft_count", "weft_select"},
                                                        {"weft_count", "weft_sum_up"}};
    opencl_called called[2];
    int count = 0;
    if (in)
        called[count++] = opencl_calls(&in->function);
    if (flags)
        called[count++] = opencl_calls(&flags->function);
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, called, count);
    opencl_append_bits(&text, "weft_flags", &call->flags);
    if (!counts)
        opencl_append_bits(&text, "weft_in", &call->in);
    opencl_append(&text, "#define COUNT %d\n#define PARTITION %d\n", counts,
                  call->partition);
    opencl_append_bytes(&text, weft_text_select_chunks.text,
                        weft_text_select_chunks.length);
    return opencl_build(device, &key, flags ? flags->function.name : "weft_select", &text,
                        names[counts]);
}

static weft_status count(weft_device *device, const opencl_program *program,
                         const weft_select_call *call, i64 chunk, weft_span counts) {
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, call->flags.span.length);
    opencl_give_index(&launch, chunk);
    opencl_give(&launch, &call->keep, sizeof call->keep);
    opencl_give_memory(&launch, counts.memory);
    opencl_give_input(&launch, &call->flags);
    return opencl_run(&launch, counts.length, 1);
}

static weft_status sum_up(weft_device *device, const opencl_program *program,
                          const weft_select_call *call, weft_span counts) {
    opencl_launch launch = opencl_begin(device, program, 1);
    opencl_give_i32(&launch, (i32)counts.length);
    opencl_give_memory(&launch, counts.memory);
    opencl_give_span(&launch, call->count);
    return opencl_run(&launch, 1, 1);
}

static weft_status move(weft_device *device, const opencl_program *program,
                        const weft_select_call *call, i64 chunk, weft_span counts) {
    opencl_launch launch = opencl_begin(device, program, 1);
    opencl_give_index(&launch, call->flags.span.length);
    opencl_give_index(&launch, chunk);
    opencl_give(&launch, &call->keep, sizeof call->keep);
    opencl_give(&launch, &call->out.length, sizeof call->out.length);
    opencl_give_memory(&launch, counts.memory);
    opencl_give_span(&launch, call->count);
    opencl_give_span(&launch, call->out);
    opencl_give_input(&launch, &call->in);
    opencl_give_input(&launch, &call->flags);
    return opencl_run(&launch, counts.length, 1);
}

int opencl_select_chunks(weft_device *device, const weft_select_call *call) {
    const i64 n = call->flags.span.length,
              even = (n + OPENCL_CPU_SELECT_MOST - 1) / OPENCL_CPU_SELECT_MOST;
    const i64 chunk = even < OPENCL_CPU_SELECT_LEAST ? OPENCL_CPU_SELECT_LEAST : even;
    const opencl_program *program = select_of(device, call);
    if (program && !program->program)
        return 0; /* it takes f64 */
    const weft_span counts =
        opencl_span(weft_scratch(device, WEFT_U32, (n + chunk - 1) / chunk));
    if (weft_check(device) != WEFT_OK ||
        count(device, program, call, chunk, counts) != WEFT_OK)
        return 1;
    if (call->in.span.type)
        move(device, program, call, chunk, counts);
    else
        sum_up(device, program, call, counts);
    return 1;
}
