/* Scans in one launch, where groups may wait for groups: see scan_warps.cl. Sums associate
 * as the groups happen to run, so this is for integers alone. */
#include "opencl.h"

extern const weft_source weft_text_warp, weft_text_scan_warps;

enum { GROUP = 256, LEAST = 1 << 14, LARGEST_TILE = GROUP * 16 };

static i64 items_of(size_t size) {
    return size == 8 ? 8 : 16;
}

int opencl_can_look_back(weft_device *device, i64 n, weft_type type) {
    const opencl_state *state = opencl_of(device);
    return state->path == OPENCL_WARPS && state->group == GROUP && n >= LEAST &&
           type != WEFT_F32 && type != WEFT_F64 && type < WEFT_STRUCTS;
}

static const opencl_program *look_back_of(weft_device *device, const weft_input *in,
                                          const weft_input *heads, const weft_operator *op,
                                          int exclusive) {
    const int wide = opencl_is_wide_input(in) || (heads && opencl_is_wide_input(heads)) ||
                     in->span.length > INT32_MAX - LARGEST_TILE;
    const opencl_key key = {OPENCL_SCAN_LOOK_BACK,
                            (u32)((wide ? OPENCL_WIDE : 0) |
                                  (heads ? OPENCL_SEGMENTED : 0) |
                                  (exclusive ? OPENCL_EXCLUSIVE : 0)),
                            {in->generator, op, heads ? heads->generator : NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_scan"};
    const size_t size = WEFT_SIZE(op->type);
    opencl_text text = {0};
    opencl_begin_fold(&text, in, heads, op, GROUP);
    opencl_append(&text,
                  "#define ITEMS %d\n#define SEGMENTED %d\n#define EXCLUSIVE %d\n"
                  "#define WIDE_ELEMENT %d\n",
                  (int)items_of(size), heads != NULL, exclusive != 0, size == 8);
    opencl_append_bytes(&text, weft_text_warp.text, weft_text_warp.length);
    opencl_append_bytes(&text, weft_text_scan_warps.text, weft_text_scan_warps.length);
    return opencl_build(device, &key, op->name, &text, names);
}

weft_status opencl_scan_look_back(weft_device *device, const weft_input *in,
                                  const weft_input *heads, const weft_operator *op,
                                  int exclusive, weft_span out) {
    const i64 n = in->span.length;
    const size_t size = WEFT_SIZE(op->type);
    const i64 tile = GROUP * items_of(size), tiles = (n + tile - 1) / tile;
    const opencl_program *program = look_back_of(device, in, heads, op, exclusive);
    const weft_array work = weft_scratch(device, WEFT_U64, 2 + tiles * (size == 8 ? 2 : 1));
    if (weft_check(device) != WEFT_OK || opencl_zero(device, work) != WEFT_OK)
        return weft_check(device);
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, op->identity, size);
    opencl_give_memory(&launch, weft_buffer_memory(work.buffer));
    opencl_give_span(&launch, out);
    opencl_give_input(&launch, in);
    if (heads)
        opencl_give_input(&launch, heads);
    return opencl_run(&launch, tiles, GROUP);
}
