/* Sums over segments on NVIDIA GPUs: see segments_warps.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_tile_warps, weft_text_segments_heads,
    weft_text_segments_warps;

enum { GROUP = 256, WARP = 32 };

static i64 items_of(weft_type type) {
    return WEFT_SIZE(type) == 8 ? OPENCL_WARPS_SCAN_WIDE : OPENCL_WARPS_SCAN_ITEMS;
}

static const opencl_program *segments_of(weft_device *device,
                                         const weft_segments_call *call, i64 items) {
    const int wide =
        opencl_is_wide_input(&call->in) || call->in.span.length > INT32_MAX - GROUP * items;
    const opencl_key key = {
        OPENCL_SEGMENT_SUMS, wide ? OPENCL_WIDE : 0, {call->in.generator, call->op}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_segments",
                                                      "weft_segments_carry"};
    opencl_text text = {0};
    opencl_begin_fold(opencl_of(device), &text, &call->in, NULL, call->op, GROUP);
    opencl_append(&text, "#define ITEMS %d\n#define SEGMENTED 1\n#define EXCLUSIVE 0\n",
                  (int)items);
    opencl_append(&text, "#define BATCH 8\n");
    opencl_append_look_back(&text, call->op->type, 0);
    opencl_append_bytes(&text, weft_text_segments_heads.text,
                        weft_text_segments_heads.length);
    opencl_append_bytes(&text, weft_text_tile_warps.text, weft_text_tile_warps.length);
    opencl_append_bytes(&text, weft_text_segments_warps.text,
                        weft_text_segments_warps.length);
    return opencl_build(device, &key, call->op->name, &text, names);
}

static void carry(weft_device *device, const opencl_program *program,
                  const weft_segments_call *call, i64 tiles, weft_span open,
                  weft_span carries) {
    opencl_launch launch = opencl_begin(device, program, 1);
    opencl_give_index(&launch, call->in.span.length);
    opencl_give(&launch, call->op->identity, WEFT_SIZE(call->op->type));
    opencl_give_index(&launch, tiles);
    opencl_give_span(&launch, call->offsets);
    opencl_give_memory(&launch, open.memory);
    opencl_give_memory(&launch, carries.memory);
    opencl_give_span(&launch, call->out);
    opencl_run(&launch, (tiles * WARP + GROUP - 1) / GROUP, GROUP);
}

int opencl_reduce_segments(weft_device *device, const weft_segments_call *call) {
    const opencl_state *state = opencl_of(device);
    const i64 n = call->in.span.length, items = items_of(call->op->type);
    const i64 tile = GROUP * items, tiles = (n + tile - 1) / tile;
    if (state->path != OPENCL_WARPS || !state->has_f64 || state->group != GROUP ||
        call->op->type >= WEFT_STRUCTS)
        return 0;
    const opencl_program *program = segments_of(device, call, items);
    if (!program)
        return 1;
    const weft_span open = opencl_span(weft_scratch(device, WEFT_I64, tiles)),
                    carries = opencl_span(weft_scratch(device, call->op->type, tiles));
    if (weft_check(device) != WEFT_OK)
        return 1;
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, &call->out.length, sizeof call->out.length);
    opencl_give(&launch, call->op->identity, WEFT_SIZE(call->op->type));
    opencl_give_span(&launch, call->offsets);
    opencl_give_memory(&launch, open.memory);
    opencl_give_memory(&launch, carries.memory);
    opencl_give_span(&launch, call->out);
    opencl_give_input(&launch, &call->in);
    if (opencl_run(&launch, tiles, GROUP) == WEFT_OK && tiles > 1)
        carry(device, program, call, tiles, open, carries);
    return 1;
}
