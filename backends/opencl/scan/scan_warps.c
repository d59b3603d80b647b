/* Scans on NVIDIA GPUs, a group a tile: see scan_warps.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_tile_warps, weft_text_scan_warps;

enum { GROUP = 256, LARGEST_TILE = GROUP * OPENCL_WARPS_SCAN_ITEMS };

/* Heads lie in words of 32, which a work-item's must divide. */
static i64 items_of(weft_type type, const weft_input *heads) {
    if (type == WEFT_F64 && !heads)
        return OPENCL_WARPS_SCAN_F64;
    return WEFT_SIZE(type) == 8 ? OPENCL_WARPS_SCAN_WIDE : OPENCL_WARPS_SCAN_ITEMS;
}

/* (Short scans of floats keep their own order of sums; integers need no second program.) */
int opencl_can_scan_warps(weft_device *device, i64 n, weft_type type) {
    const opencl_state *state = opencl_of(device);
    return state->path == OPENCL_WARPS && state->has_f64 && state->group == GROUP &&
           type < WEFT_STRUCTS && (n >= OPENCL_WARPS_SCAN_LEAST || !opencl_is_float(type));
}

/* Others, once they have met a head, need not know what comes before. */
static int counts_heads(const weft_operator *op, const weft_input *heads) {
    return heads && opencl_is_float(op->type);
}

static const opencl_program *scan_of(weft_device *device, const weft_input *in,
                                     const weft_input *heads, const weft_operator *op,
                                     int exclusive) {
    const int wide = opencl_is_wide_input(in) || (heads && opencl_is_wide_input(heads)) ||
                     in->span.length > INT32_MAX - LARGEST_TILE;
    const opencl_key key = {OPENCL_SCAN_WARPS,
                            (u32)((wide ? OPENCL_WIDE : 0) |
                                  (heads ? OPENCL_SEGMENTED : 0) |
                                  (exclusive ? OPENCL_EXCLUSIVE : 0)),
                            {in->generator, op, heads ? heads->generator : NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_scan"};
    opencl_text text = {0};
    opencl_begin_fold(opencl_of(device), &text, in, heads, op, GROUP);
    opencl_append(&text, "#define ITEMS %d\n#define SEGMENTED %d\n#define EXCLUSIVE %d\n",
                  (int)items_of(op->type, heads), heads != NULL, exclusive != 0);
    opencl_append(&text, "#define BATCH %s\n", heads ? "8" : "ITEMS");
    opencl_append_look_back(&text, op->type, counts_heads(op, heads));
    opencl_append_bytes(&text, weft_text_tile_warps.text, weft_text_tile_warps.length);
    opencl_append_bytes(&text, weft_text_scan_warps.text, weft_text_scan_warps.length);
    return opencl_build(device, &key, op->name, &text, names);
}

weft_status opencl_scan_warps(weft_device *device, const weft_input *in,
                              const weft_input *heads, const weft_operator *op,
                              int exclusive, const void *start, weft_span out) {
    const i64 n = in->span.length, tile = GROUP * items_of(op->type, heads);
    const i64 tiles = (n + tile - 1) / tile;
    const opencl_program *program = scan_of(device, in, heads, op, exclusive);
    if (!program)
        return weft_check(device);
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, op->identity, WEFT_SIZE(op->type));
    opencl_give(&launch, start, WEFT_SIZE(op->type));
    opencl_give_look_back(&launch, tiles,
                          opencl_look_back_words(op->type, counts_heads(op, heads)));
    opencl_give_span(&launch, out);
    opencl_give_input(&launch, in);
    if (heads)
        opencl_give_input(&launch, heads);
    return opencl_run_look_back(&launch, tiles, GROUP);
}

int opencl_scan_from(weft_device *device, const weft_input *in, const weft_operator *op,
                     int exclusive, const void *start, weft_span out) {
    if (!opencl_can_scan_warps(device, in->span.length, op->type))
        return 0;
    opencl_scan_warps(device, in, NULL, op, exclusive, start, out);
    return 1;
}
