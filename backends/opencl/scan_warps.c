/* Scans on NVIDIA GPUs, a group a tile: see scan_warps.cl. Integers look back, in one
 * launch; floats, whose sums must associate in one way, take the sums of tiles first. */
#include "opencl.h"

extern const weft_source weft_text_tile_warps, weft_text_scan_warps;

enum { GROUP = 256, LEAST = 1 << 14, LARGEST_TILE = GROUP * 32 };

/* Tiles are large, for each costs a look back. */
static i64 items_of(size_t size) {
    return size == 8 ? 16 : 32;
}

int opencl_can_scan_warps(weft_device *device, i64 n, weft_type type) {
    const opencl_state *state = opencl_of(device);
    return state->path == OPENCL_WARPS && state->has_f64 && state->group == GROUP &&
           n >= LEAST && type < WEFT_STRUCTS;
}

static int looks_back(const weft_operator *op) {
    return op->type != WEFT_F32 && op->type != WEFT_F64;
}

static const opencl_program *scan_of(weft_device *device, const weft_input *in,
                                     const weft_input *heads, const weft_operator *op,
                                     int exclusive) {
    const int wide = opencl_is_wide_input(in) || (heads && opencl_is_wide_input(heads)) ||
                     in->span.length > INT32_MAX - LARGEST_TILE;
    const u32 registers = heads ? 48 : 40; /* as few as do without spilling, about */
    const opencl_key key = {OPENCL_SCAN_WARPS,
                            registers << OPENCL_REGISTERS |
                                (u32)((wide ? OPENCL_WIDE : 0) |
                                      (heads ? OPENCL_SEGMENTED : 0) |
                                      (exclusive ? OPENCL_EXCLUSIVE : 0)),
                            {in->generator, op, heads ? heads->generator : NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const back[OPENCL_KERNELS] = {"weft_scan"};
    static const char *const fold[OPENCL_KERNELS] = {"weft_scan", "weft_scan_fold"};
    const size_t size = WEFT_SIZE(op->type);
    opencl_text text = {0};
    opencl_begin_fold(opencl_of(device), &text, in, heads, op, GROUP);
    opencl_append(&text,
                  "#define ITEMS %d\n#define SEGMENTED %d\n#define EXCLUSIVE %d\n"
                  "#define LOOK_BACK %d\n",
                  (int)items_of(size), heads != NULL, exclusive != 0, looks_back(op));
    opencl_append(&text, "#define BATCH %s\n", heads ? "8" : "ITEMS");
    opencl_append_look_back(&text, op->type, 0);
    opencl_append_bytes(&text, weft_text_tile_warps.text, weft_text_tile_warps.length);
    opencl_append_bytes(&text, weft_text_scan_warps.text, weft_text_scan_warps.length);
    return opencl_build(device, &key, op->name, &text, looks_back(op) ? back : fold);
}

static void give_inputs(opencl_launch *launch, const weft_input *in,
                        const weft_input *heads) {
    opencl_give_input(launch, in);
    if (heads)
        opencl_give_input(launch, heads);
}

/* The sums of all up to each tile, in memory for `sums`. */
static weft_status sum_tiles(weft_device *device, const opencl_program *program,
                             const weft_input *in, const weft_input *heads,
                             const weft_operator *op, i64 tiles, void *sums) {
    const weft_array cuts = weft_scratch(device, WEFT_U32, tiles);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    void *memory = weft_buffer_memory(cuts.buffer);
    opencl_launch fold = opencl_begin(device, program, 1);
    opencl_give_index(&fold, in->span.length);
    opencl_give(&fold, op->identity, WEFT_SIZE(op->type));
    opencl_give_memory(&fold, sums);
    opencl_give_memory(&fold, memory);
    give_inputs(&fold, in, heads);
    if (opencl_run(&fold, tiles, GROUP) != WEFT_OK)
        return weft_check(device);
    const weft_input tile_sums = {.span = {sums, 0, tiles, op->type}};
    const weft_input tile_cuts = {.span = {memory, 0, tiles, WEFT_U32}};
    return opencl_scan(device, &tile_sums, heads ? &tile_cuts : NULL, op, 0,
                       tile_sums.span);
}

weft_status opencl_scan_warps(weft_device *device, const weft_input *in,
                              const weft_input *heads, const weft_operator *op,
                              int exclusive, weft_span out) {
    const i64 n = in->span.length;
    const size_t size = WEFT_SIZE(op->type);
    const i64 tile = GROUP * items_of(size), tiles = (n + tile - 1) / tile;
    const opencl_program *program = scan_of(device, in, heads, op, exclusive);
    void *sums = NULL;
    if (!looks_back(op)) {
        sums = opencl_span(weft_scratch(device, op->type, tiles)).memory;
        sum_tiles(device, program, in, heads, op, tiles, sums);
    }
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, op->identity, size);
    if (looks_back(op))
        opencl_give_look_back(&launch, tiles, opencl_look_back_words(op->type, 0));
    else
        opencl_give_memory(&launch, sums);
    opencl_give_span(&launch, out);
    give_inputs(&launch, in, heads);
    return looks_back(op) ? opencl_run_look_back(&launch, tiles, GROUP)
                          : opencl_run(&launch, tiles, GROUP);
}
