/* Reductions in two launches: of blocks, and of their results. How elements associate
 * depends on their number, the type and the path alone. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_reduce_chunks, weft_text_reduce_groups;

/* (A generator may take long for an element: many work-items are needed soon.) */
static const opencl_program *fold_of(weft_device *device, const weft_input *in,
                                     const weft_operator *op, i64 group) {
    const opencl_state *state = opencl_of(device);
    const opencl_key key = {
        OPENCL_REDUCE, opencl_is_wide_input(in) ? OPENCL_WIDE : 0, {in->generator, op}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_reduce", "weft_reduce_parts"};
    const weft_source *pasted =
        state->path == OPENCL_CHUNKS ? &weft_text_reduce_chunks : &weft_text_reduce_groups;
    opencl_text text = {0};
    opencl_begin_fold(state, &text, in, NULL, op, group);
    opencl_append_bytes(&text, pasted->text, pasted->length);
    return opencl_build(device, &key, op->name, &text, names);
}

weft_status opencl_reduce(weft_device *device, const weft_input *in,
                          const weft_operator *op, weft_span out) {
    const opencl_state *state = opencl_of(device);
    const size_t size = WEFT_SIZE(op->type);
    const int chunks = state->path == OPENCL_CHUNKS;
    const i64 n = in->span.length, group = chunks ? 1 : opencl_group_for(state, size);
    const i64 most = chunks ? OPENCL_CPU_REDUCE_MOST : OPENCL_GPU_REDUCE_MOST,
              even = (n + most - 1) / most;
    const i64 block = even < OPENCL_REDUCE_LEAST ? OPENCL_REDUCE_LEAST : even;
    const i64 blocks = (n + block - 1) / block;
    const opencl_program *program = fold_of(device, in, op, group);
    if (program && !program->program)
        return opencl_reduce_on_host(device, in, op, out);
    const weft_array parts = weft_scratch(device, op->type, blocks);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    opencl_launch fold = opencl_begin(device, program, 0);
    opencl_give_index(&fold, n);
    opencl_give_index(&fold, block);
    opencl_give(&fold, op->identity, size);
    opencl_give_memory(&fold, weft_buffer_memory(parts.buffer));
    opencl_give_input(&fold, in);
    if (opencl_run(&fold, blocks, group) != WEFT_OK)
        return weft_check(device);
    opencl_launch rest = opencl_begin(device, program, 1);
    opencl_give_i32(&rest, (i32)blocks);
    opencl_give(&rest, op->identity, size);
    opencl_give_memory(&rest, weft_buffer_memory(parts.buffer));
    opencl_give_span(&rest, out);
    return opencl_run(&rest, 1, group);
}
