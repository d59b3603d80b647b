/* Stable sort by digits from the lowest up: count digits by blocks, scan the counts, move
 * keys and values to their places. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"
#include "opencl_count.kernel.h"
#include "weft/register.h"

extern const weft_source weft_text_sort_chunks, weft_text_sort_groups;

WEFT_OPERATOR(opencl_count_add, u32, 0)
WEFT_OPERATOR(opencl_count_add_wide, u64, 0)

const weft_operator *opencl_count(void) {
    return &opencl_count_add_operator;
}

/* Bits of a digit: of chunks and sweeps, and where a work-item counts in a column. */
enum { LARGE_DIGIT = 8, SMALL_DIGIT = 4 };

typedef struct shape {
    i64 group, items, block, blocks;
    int digit_bits;
    weft_type count; /* u32, or u64 where there are that many */
} shape;

static shape shape_of(weft_device *device, i64 n) {
    const opencl_state *state = opencl_of(device);
    shape s = {.count = n > UINT32_MAX ? WEFT_U64 : WEFT_U32};
    if (state->path == OPENCL_CHUNKS) {
        i64 chunks = OPENCL_CPU_SORT_UNIT * device->concurrency;
        chunks = chunks < OPENCL_CPU_SORT_MOST ? chunks : OPENCL_CPU_SORT_MOST;
        const i64 even = (n + chunks - 1) / chunks;
        s.group = 1;
        s.block = even < OPENCL_CPU_SORT_LEAST ? OPENCL_CPU_SORT_LEAST : even;
        s.digit_bits = LARGE_DIGIT;
    } else {
        s.group = state->group;
        s.items = OPENCL_GPU_SORT_ITEMS;
        s.block = s.group * s.items;
        s.digit_bits = SMALL_DIGIT;
    }
    s.blocks = (n + s.block - 1) / s.block;
    return s;
}

static const opencl_program *sort_of(weft_device *device, const weft_sort_call *sort,
                                     const shape *s) {
    const int chunks = opencl_of(device)->path == OPENCL_CHUNKS;
    const u32 flags = (sort->keys.length > INT32_MAX ? OPENCL_WIDE : 0) |
                      (s->count == WEFT_U64 ? 4u : 0) |
                      (u32)WEFT_SIZE(sort->values.type) << 4 |
                      opencl_key_kind(sort->keys.type) << 8;
    const opencl_key key = {OPENCL_SORT, flags, {NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_sort_count",
                                                      "weft_sort_scatter"};
    const weft_source *pasted = chunks ? &weft_text_sort_chunks : &weft_text_sort_groups;
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, NULL, 0);
    opencl_append_digits(&text, sort->keys.type);
    opencl_append_values(&text, sort->values.type);
    opencl_append(&text,
                  "typedef %s COUNT;\n#define GROUP %d\n#define ITEMS %d\n"
                  "#define DIGITS %d\n",
                  s->count == WEFT_U64 ? "u64" : "u32", (int)s->group, (int)s->items,
                  1 << s->digit_bits);
    opencl_append_bytes(&text, pasted->text, pasted->length);
    return opencl_build(device, &key, "weft_sort", &text, names);
}

/* What both launches of a pass have in common. */
static opencl_launch begin_pass(weft_device *device, const opencl_program *program,
                                int kernel, const shape *s, int shift, u32 mask, u32 flip,
                                weft_array counts, weft_span keys) {
    opencl_launch launch = opencl_begin(device, program, kernel);
    opencl_give_index(&launch, keys.length);
    opencl_give_index(&launch, s->block);
    opencl_give_i32(&launch, shift);
    opencl_give(&launch, &mask, sizeof mask);
    opencl_give(&launch, &flip, sizeof flip);
    opencl_give_memory(&launch, weft_buffer_memory(counts.buffer));
    opencl_give_span(&launch, keys);
    return launch;
}

static weft_status pass(weft_device *device, const opencl_program *program, const shape *s,
                        int shift, u32 mask, u32 flip, weft_array counts,
                        const weft_span from[2], const weft_span to[2]) {
    opencl_launch count =
        begin_pass(device, program, 0, s, shift, mask, flip, counts, from[0]);
    if (opencl_run(&count, s->blocks, s->group) != WEFT_OK)
        return weft_check(device);
    const weft_input in = {
        .span = {weft_buffer_memory(counts.buffer), 0, counts.length, counts.type}};
    const weft_operator *add =
        s->count == WEFT_U64 ? &opencl_count_add_wide_operator : &opencl_count_add_operator;
    weft_scope_open(device);
    opencl_scan(device, &in, NULL, add, 1, in.span);
    weft_scope_close(device);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    opencl_launch move =
        begin_pass(device, program, 1, s, shift, mask, flip, counts, from[0]);
    opencl_give_span(&move, to[0]);
    if (from[1].type) {
        opencl_give_span(&move, from[1]);
        opencl_give_span(&move, to[1]);
    }
    return opencl_run(&move, s->blocks, s->group);
}

static weft_span scratch_like(weft_device *device, weft_span span) {
    if (!span.type)
        return span;
    return opencl_span(weft_scratch(device, span.type, span.length));
}

static weft_status sort_by_blocks(weft_device *device, const weft_sort_call *sort,
                                  const weft_span from[2], const weft_span to[2]) {
    const shape s = shape_of(device, sort->keys.length);
    const opencl_program *program = sort_of(device, sort, &s);
    const weft_array counts = weft_scratch(device, s.count, s.blocks << s.digit_bits);
    const u64 flip = opencl_flip(sort->keys.type, sort->descending);
    const weft_span *source = from, *target = to;
    for (int shift = sort->begin_bit;
         shift < sort->end_bit && weft_check(device) == WEFT_OK; shift += s.digit_bits) {
        const int bits = sort->end_bit - shift;
        const u32 mask = (1u << (bits < s.digit_bits ? bits : s.digit_bits)) - 1;
        pass(device, program, &s, shift, mask, (u32)(flip >> shift), counts, source,
             target);
        const weft_span *swap = source;
        source = target;
        target = swap;
    }
    return weft_check(device);
}

weft_status opencl_sort(weft_device *device, const weft_sort_call *sort) {
    const int sweeps = opencl_can_sweep(device, sort->keys.length);
    const weft_span here[2] = {sort->keys, sort->values};
    const weft_span there[2] = {scratch_like(device, sort->keys),
                                scratch_like(device, sort->values)};
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (sweeps)
        opencl_sort_sweep(device, sort, here, there);
    else
        sort_by_blocks(device, sort, here, there);
    const int digit_bits =
        sweeps || opencl_of(device)->path == OPENCL_CHUNKS ? LARGE_DIGIT : SMALL_DIGIT;
    const int passes = (sort->end_bit - sort->begin_bit + digit_bits - 1) / digit_bits;
    if (passes % 2 == 1 && weft_check(device) == WEFT_OK &&
        opencl_copy_memory(device, there[0], here[0]) == WEFT_OK && sort->values.type)
        opencl_copy_memory(device, there[1], here[1]);
    return weft_check(device);
}
