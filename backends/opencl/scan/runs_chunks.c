/* Sums over runs on CPUs: see runs_chunks.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_runs_chunks;

static const opencl_program *runs_of(weft_device *device, const weft_runs_call *call) {
    const int wide = opencl_is_wide_input(&call->in) ||
                     opencl_is_wide_input(&call->heads) ||
                     opencl_is_wide_input(&call->keys);
    const opencl_key key = {OPENCL_RUNS,
                            (u32)(wide ? OPENCL_WIDE : 0) |
                                (u32)WEFT_SIZE(call->keys.span.type) << 4,
                            {call->in.generator, call->op, call->heads.generator}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_runs_fold", "weft_runs_sums",
                                                      "weft_runs"};
    opencl_text text = {0};
    opencl_begin_fold(opencl_of(device), &text, &call->in, &call->heads, call->op, 1);
    opencl_append_bits(&text, "weft_keys", &call->keys);
    opencl_append_bytes(&text, weft_text_runs_chunks.text, weft_text_runs_chunks.length);
    return opencl_build(device, &key, call->op->name, &text, names);
}

/* What the launches over chunks have in common. */
static opencl_launch begin_chunks(weft_device *device, const opencl_program *program,
                                  int kernel, const weft_runs_call *call, i64 chunk,
                                  weft_span ends, weft_span sums) {
    opencl_launch launch = opencl_begin(device, program, kernel);
    opencl_give_index(&launch, call->heads.span.length);
    opencl_give_index(&launch, chunk);
    opencl_give(&launch, call->op->identity, WEFT_SIZE(call->op->type));
    opencl_give_memory(&launch, ends.memory);
    opencl_give_memory(&launch, sums.memory);
    return launch;
}

int opencl_reduce_runs_chunks(weft_device *device, const weft_runs_call *call) {
    const i64 n = call->heads.span.length,
              even = (n + OPENCL_CPU_RUNS_MOST - 1) / OPENCL_CPU_RUNS_MOST;
    const i64 chunk = even < OPENCL_CPU_RUNS_LEAST ? OPENCL_CPU_RUNS_LEAST : even;
    const i64 chunks = (n + chunk - 1) / chunk;
    const opencl_program *program = runs_of(device, call);
    if (program && !program->program)
        return 0; /* it takes f64 */
    const weft_span ends = opencl_span(weft_scratch(device, WEFT_I64, chunks + 1)),
                    sums = opencl_span(weft_scratch(device, call->op->type, chunks)),
                    cuts = opencl_span(weft_scratch(device, WEFT_U32, chunks));
    if (weft_check(device) != WEFT_OK)
        return 1;
    opencl_launch fold = begin_chunks(device, program, 0, call, chunk, ends, sums);
    opencl_give_memory(&fold, cuts.memory);
    opencl_give_input(&fold, &call->in);
    opencl_give_input(&fold, &call->heads);
    if (opencl_run(&fold, chunks, 1) != WEFT_OK)
        return 1;
    opencl_launch before = opencl_begin(device, program, 1);
    opencl_give_i32(&before, (i32)chunks);
    opencl_give(&before, call->op->identity, WEFT_SIZE(call->op->type));
    opencl_give_memory(&before, ends.memory);
    opencl_give_memory(&before, sums.memory);
    opencl_give_memory(&before, cuts.memory);
    opencl_give_span(&before, call->count);
    if (opencl_run(&before, 1, 1) != WEFT_OK)
        return 1;
    opencl_launch write = begin_chunks(device, program, 2, call, chunk, ends, sums);
    opencl_give_span(&write, call->keys_out);
    opencl_give_span(&write, call->out);
    opencl_give_input(&write, &call->keys);
    opencl_give_input(&write, &call->in);
    opencl_give_input(&write, &call->heads);
    opencl_run(&write, chunks, 1);
    return 1;
}
