/* Merges on GPUs: see merge_groups.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_sort_digit, weft_text_merge_groups, weft_text_warp;

enum { SOURCES = 4 };

static i64 items_of(const weft_merge_call *call) {
    return WEFT_SIZE(call->a.type) == 8 || call->sources ? OPENCL_GPU_MERGE_WIDE
                                                         : OPENCL_GPU_MERGE_ITEMS;
}

static const opencl_program *merge_of(weft_device *device, const weft_merge_call *call) {
    const i64 group = opencl_of(device)->group;
    const int wide =
        call->a.length + call->b.length > INT32_MAX - group * OPENCL_GPU_MERGE_ITEMS;
    const opencl_key key = {OPENCL_MERGE,
                            (u32)(wide ? OPENCL_WIDE : 0) |
                                (u32)(call->sources ? SOURCES : 0) |
                                call->a.type >> 24 << 8,
                            {NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_merge_split", "weft_merge"};
    const weft_sort_call order = {.keys = call->a};
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, NULL, 0);
    opencl_append_digits(&text, &order);
    if (opencl_of(device)->path == OPENCL_WARPS)
        opencl_append_bytes(&text, weft_text_warp.text, weft_text_warp.length);
    opencl_append(&text,
                  "#define RESULT %s\n#define SOURCES %d\n#define GROUP %d\n"
                  "#define ITEMS %d\n",
                  call->sources ? "long" : "KEY", call->sources, (int)group,
                  (int)items_of(call));
    opencl_append_bytes(&text, weft_text_merge_groups.text, weft_text_merge_groups.length);
    return opencl_build(device, &key, "weft_merge", &text, names);
}

int opencl_merge(weft_device *device, const weft_merge_call *call) {
    const opencl_state *state = opencl_of(device);
    const i64 tile = state->group * items_of(call), n = call->a.length + call->b.length;
    const i64 tiles = (n + tile - 1) / tile;
    const u64 local = (u64)tile * (WEFT_SIZE(call->a.type) + (call->sources ? 2 : 0));
    if (state->path == OPENCL_CHUNKS || local > state->local_memory)
        return 0;
    const opencl_program *program = merge_of(device, call);
    const weft_span splits = opencl_span(weft_scratch(device, WEFT_I64, tiles + 1));
    if (weft_check(device) != WEFT_OK)
        return 1;
    opencl_launch split = opencl_begin(device, program, 0);
    opencl_give_index(&split, call->a.length);
    opencl_give_index(&split, call->b.length);
    opencl_give_index(&split, tiles);
    opencl_give_memory(&split, splits.memory);
    opencl_give_span(&split, call->a);
    opencl_give_span(&split, call->b);
    if (opencl_run(&split, tiles / state->group + 1, state->group) != WEFT_OK)
        return 1;
    opencl_launch merge = opencl_begin(device, program, 1);
    opencl_give_index(&merge, call->a.length);
    opencl_give_index(&merge, call->b.length);
    opencl_give_memory(&merge, splits.memory);
    opencl_give_span(&merge, call->a);
    opencl_give_span(&merge, call->b);
    opencl_give_span(&merge, call->out);
    opencl_run(&merge, tiles, state->group);
    return 1;
}
