/* Scans in three launches: fold blocks, scan their sums, scan blocks from there on. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_scan_chunks, weft_text_scan_groups;

/* Blocks are as many, and as long, for any number of compute units. */
typedef struct shape {
    i64 group, items; /* items: elements of a tile a work-item, 0 for chunks */
    i64 block, blocks;
} shape;

static shape shape_of(const opencl_state *state, i64 n, size_t size, int segmented) {
    shape s = {.group = 1};
    i64 tile = OPENCL_CPU_SCAN_LEAST;
    if (state->path != OPENCL_CHUNKS) {
        const size_t bytes = 3 * size + (segmented ? 3 : 0);
        s.group = opencl_group_for(state, bytes);
        s.items = OPENCL_GPU_SCAN_TILE / (s.group * (i64)size);
        s.items = s.items < 1                       ? 1
                  : s.items > OPENCL_GPU_SCAN_ITEMS ? OPENCL_GPU_SCAN_ITEMS
                                                    : s.items;
        tile = s.group * s.items;
    }
    const i64 tiles = (n + tile - 1) / tile;
    s.block = (tiles + OPENCL_SCAN_MOST - 1) / OPENCL_SCAN_MOST * tile;
    s.blocks = (n + s.block - 1) / s.block;
    return s;
}

static const opencl_program *scan_of(weft_device *device, const weft_input *in,
                                     const weft_input *heads, const weft_operator *op,
                                     int exclusive, const shape *s) {
    const opencl_state *state = opencl_of(device);
    const int wide = opencl_is_wide_input(in) || (heads && opencl_is_wide_input(heads));
    const opencl_key key = {OPENCL_SCAN,
                            (u32)((wide ? OPENCL_WIDE : 0) |
                                  (heads ? OPENCL_SEGMENTED : 0) |
                                  (exclusive ? OPENCL_EXCLUSIVE : 0)),
                            {in->generator, op, heads ? heads->generator : NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_scan_fold", "weft_scan_sums",
                                                      "weft_scan"};
    const weft_source *pasted =
        state->path == OPENCL_CHUNKS ? &weft_text_scan_chunks : &weft_text_scan_groups;
    opencl_text text = {0};
    opencl_begin_fold(state, &text, in, heads, op, s->group);
    opencl_append(&text, "#define ITEMS %d\n#define SEGMENTED %d\n#define EXCLUSIVE %d\n",
                  (int)s->items, heads != NULL, exclusive != 0);
    opencl_append(&text, "#define WAITS %d\n", opencl_is_float(op->type));
    opencl_append_bytes(&text, pasted->text, pasted->length);
    return opencl_build(device, &key, op->name, &text, names);
}

/* What the launches over blocks have in common. */
static opencl_launch begin_blocks(weft_device *device, const opencl_program *program,
                                  int kernel, i64 n, const shape *s,
                                  const weft_operator *op, weft_array sums) {
    opencl_launch launch = opencl_begin(device, program, kernel);
    opencl_give_index(&launch, n);
    opencl_give_index(&launch, s->block);
    if (s->items > 0)
        opencl_give_i32(&launch, (i32)(s->block / (s->group * s->items)));
    opencl_give(&launch, op->identity, WEFT_SIZE(op->type));
    opencl_give_memory(&launch, weft_buffer_memory(sums.buffer));
    return launch;
}

static weft_status scan_sums(weft_device *device, const opencl_program *program, i64 n,
                             const shape *s, const weft_input *in, const weft_input *heads,
                             const weft_operator *op, weft_array sums) {
    const weft_array cuts = weft_scratch(device, WEFT_U32, s->blocks);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    opencl_launch fold = begin_blocks(device, program, 0, n, s, op, sums);
    if (heads)
        opencl_give_memory(&fold, weft_buffer_memory(cuts.buffer));
    opencl_give_input(&fold, in);
    if (heads)
        opencl_give_input(&fold, heads);
    if (opencl_run(&fold, s->blocks, s->group) != WEFT_OK)
        return weft_check(device);
    opencl_launch carry = opencl_begin(device, program, 1);
    opencl_give_i32(&carry, (i32)s->blocks);
    if (s->items > 0)
        opencl_give_i32(&carry, (i32)((s->blocks + s->group - 1) / s->group));
    opencl_give(&carry, op->identity, WEFT_SIZE(op->type));
    opencl_give_memory(&carry, weft_buffer_memory(sums.buffer));
    if (heads)
        opencl_give_memory(&carry, weft_buffer_memory(cuts.buffer));
    return opencl_run(&carry, 1, s->group);
}

weft_status opencl_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out) {
    const i64 n = in->span.length;
    if (opencl_can_scan_warps(device, n, op->type))
        return opencl_scan_warps(device, in, heads, op, exclusive, op->identity, out);
    const shape s = shape_of(opencl_of(device), n, WEFT_SIZE(op->type), heads != NULL);
    const opencl_program *program = scan_of(device, in, heads, op, exclusive, &s);
    if (program && !program->program)
        return opencl_scan_on_host(device, in, heads, op, exclusive, out);
    const weft_array sums = weft_scratch(device, op->type, s.blocks);
    if (weft_check(device) != WEFT_OK ||
        (s.blocks > 1 && scan_sums(device, program, n, &s, in, heads, op, sums) != WEFT_OK))
        return weft_check(device);
    opencl_launch launch = begin_blocks(device, program, 2, n, &s, op, sums);
    opencl_give_span(&launch, out);
    opencl_give_input(&launch, in);
    if (heads)
        opencl_give_input(&launch, heads);
    return opencl_run(&launch, s.blocks, s.group);
}
