/* Merges on GPUs: see merge_groups.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_sort_digit, weft_text_merge_groups, weft_text_warp;

enum { SOURCES = 4, SPLITS_ITSELF = 8 }; /* in keys */

static i64 items_of(const weft_merge_call *call) {
    return WEFT_SIZE(call->a.type) == 8 || call->sources ? OPENCL_GPU_MERGE_WIDE
                                                         : OPENCL_GPU_MERGE_ITEMS;
}

static const opencl_program *merge_of(weft_device *device, const weft_merge_call *call,
                                      int splits_itself) {
    const i64 group = opencl_of(device)->group;
    const int wide =
        call->a.length + call->b.length > INT32_MAX - group * OPENCL_GPU_MERGE_ITEMS;
    const opencl_key key = {
        OPENCL_MERGE,
        (u32)(wide ? OPENCL_WIDE : 0) | (u32)(call->sources ? SOURCES : 0) |
            (u32)(splits_itself ? SPLITS_ITSELF : 0) | call->a.type >> 24 << 8,
        {NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[][OPENCL_KERNELS] = {{"weft_merge", "weft_merge_split"},
                                                        {"weft_merge"}};
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, NULL, 0);
    opencl_append_image(&text, call->a.type);
    if (opencl_of(device)->path == OPENCL_WARPS)
        opencl_append_bytes(&text, weft_text_warp.text, weft_text_warp.length);
    opencl_append(&text,
                  "#define RESULT %s\n#define SOURCES %d\n#define GROUP %d\n"
                  "#define ITEMS %d\n#define SPLITS_ITSELF %d\n",
                  call->sources ? "long" : "KEY", call->sources, (int)group,
                  (int)items_of(call), splits_itself);
    opencl_append_bytes(&text, weft_text_merge_groups.text, weft_text_merge_groups.length);
    return opencl_build(device, &key, "weft_merge", &text, names[splits_itself]);
}

/* How many results before each tile come from a: [tiles + 1]. */
static weft_span split(weft_device *device, const opencl_program *program,
                       const weft_merge_call *call, i64 tiles) {
    const i64 group = opencl_of(device)->group;
    const weft_span splits = opencl_span(weft_scratch(device, WEFT_I64, tiles + 1));
    if (weft_check(device) != WEFT_OK)
        return splits;
    opencl_launch launch = opencl_begin(device, program, 1);
    opencl_give_index(&launch, call->a.length);
    opencl_give_index(&launch, call->b.length);
    opencl_give_index(&launch, tiles);
    opencl_give_memory(&launch, splits.memory);
    opencl_give_span(&launch, call->a);
    opencl_give_span(&launch, call->b);
    opencl_run(&launch, tiles / group + 1, group);
    return splits;
}

int opencl_merge(weft_device *device, const weft_merge_call *call) {
    const opencl_state *state = opencl_of(device);
    const i64 tile = state->group * items_of(call), n = call->a.length + call->b.length;
    const i64 tiles = (n + tile - 1) / tile;
    const u64 local = (u64)tile * (WEFT_SIZE(call->a.type) + (call->sources ? 2 : 0));
    if (state->path == OPENCL_CHUNKS || local > state->local_memory)
        return 0;
    const int splits_itself = tiles <= OPENCL_GPU_MERGE_FEW;
    const opencl_program *program = merge_of(device, call, splits_itself);
    weft_span splits = {0};
    if (program && !splits_itself)
        splits = split(device, program, call, tiles);
    if (weft_check(device) != WEFT_OK)
        return 1;
    opencl_launch merge = opencl_begin(device, program, 0);
    opencl_give_index(&merge, call->a.length);
    opencl_give_index(&merge, call->b.length);
    if (!splits_itself)
        opencl_give_memory(&merge, splits.memory);
    opencl_give_span(&merge, call->a);
    opencl_give_span(&merge, call->b);
    opencl_give_span(&merge, call->out);
    opencl_run(&merge, tiles, state->group);
    return 1;
}
