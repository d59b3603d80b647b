/* Sums over runs on NVIDIA GPUs: see runs_warps.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_tile_warps, weft_text_runs_warps;

enum { GROUP = 256, MOST = INT32_MAX };

/* Tiles are large, for each costs a look back. */
static i64 items_of(weft_type type) {
    return WEFT_SIZE(type) == 8 ? OPENCL_WARPS_SCAN_WIDE : OPENCL_WARPS_SCAN_ITEMS;
}

/* Keys are moved as bits. */
static int moves(const weft_input *keys) {
    const size_t size = WEFT_SIZE(keys->span.type);
    return !keys->generator && (size == 1 || size == 2 || size == 4 || size == 8);
}

static int applies(weft_device *device, const weft_runs_call *call) {
    const opencl_state *state = opencl_of(device);
    const weft_type type = call->op->type;
    const i64 n = call->heads.span.length;
    return state->path == OPENCL_WARPS && state->group == GROUP && n <= MOST &&
           state->has_f64 && type < WEFT_STRUCTS;
}

static const opencl_program *runs_of(weft_device *device, const weft_runs_call *call,
                                     i64 items) {
    const int wide = opencl_is_wide_input(&call->in) ||
                     opencl_is_wide_input(&call->heads) ||
                     opencl_is_wide_input(&call->keys) ||
                     call->heads.span.length > INT32_MAX - GROUP * items;
    const opencl_key key = {OPENCL_RUNS,
                            (u32)(wide ? OPENCL_WIDE : 0) |
                                (u32)WEFT_SIZE(call->keys.span.type) << 4,
                            {call->in.generator, call->op, call->heads.generator}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_runs"};
    opencl_text text = {0};
    opencl_begin_fold(opencl_of(device), &text, &call->in, &call->heads, call->op, GROUP);
    opencl_append_bits(&text, "weft_keys", &call->keys);
    opencl_append(&text, "#define ITEMS %d\n#define SEGMENTED 1\n#define EXCLUSIVE 0\n",
                  (int)items);
    opencl_append(&text, "#define BATCH 8\n");
    opencl_append_look_back(&text, call->op->type, 1);
    opencl_append_bytes(&text, weft_text_tile_warps.text, weft_text_tile_warps.length);
    opencl_append_bytes(&text, weft_text_runs_warps.text, weft_text_runs_warps.length);
    return opencl_build(device, &key, call->op->name, &text, names);
}

int opencl_reduce_runs(weft_device *device, const weft_runs_call *call) {
    if (!moves(&call->keys))
        return 0;
    if (opencl_of(device)->path == OPENCL_CHUNKS)
        return opencl_reduce_runs_chunks(device, call);
    if (!applies(device, call))
        return 0;
    const i64 n = call->heads.span.length, items = items_of(call->op->type);
    const i64 tile = GROUP * items, tiles = (n + tile - 1) / tile;
    const opencl_program *program = runs_of(device, call, items);
    if (!program)
        return 1;
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, call->op->identity, WEFT_SIZE(call->op->type));
    opencl_give_look_back(&launch, tiles, opencl_look_back_words(call->op->type, 1));
    opencl_give_span(&launch, call->count);
    opencl_give_span(&launch, call->keys_out);
    opencl_give_span(&launch, call->out);
    opencl_give_input(&launch, &call->keys);
    opencl_give_input(&launch, &call->in);
    opencl_give_input(&launch, &call->heads);
    opencl_run_look_back(&launch, tiles, GROUP);
    return 1;
}
