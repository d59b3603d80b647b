/* Stable sort in one sweep a digit, where groups may wait for groups: see sort_warps.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_warp, weft_text_sort_warps;

enum {
    GROUP = OPENCL_WARPS_SORT_GROUP,
    DIGITS = 256,
    COUNTS = 8 * DIGITS + 8 + 1, /* words of weft_counts: see sort_warps.cl */
    COUNTS_BYTES = 2 * COUNTS * 4,
    MOST_LOCAL = 47 << 10, /* bytes of local memory, for keys and their ranking */
    /* States of 32 bits count to 2^30. */
    MOST_IN_NARROW_STATES = (1 << 30) - 1
};
enum { WIDE_STATES = 4, ALONE = 8 }; /* in keys of programs */

typedef struct shape {
    i64 n, items, tiles;
    int passes;
    weft_type state;
} shape;

static shape shape_of(const weft_sort_call *sort) {
    const size_t key = WEFT_SIZE(sort->keys.type), value = WEFT_SIZE(sort->values.type);
    shape s = {.n = sort->keys.length,
               .items = value > 4 ? OPENCL_WARPS_SORT_WIDE_VALUES
                        : key > 4 ? OPENCL_WARPS_SORT_WIDE
                                  : OPENCL_WARPS_SORT_ITEMS};
    const i64 few = OPENCL_WARPS_SORT_FEW, some = OPENCL_WARPS_SORT_SOME;
    s.tiles = (s.n + GROUP * s.items - 1) / (GROUP * s.items);
    if (s.tiles == 1)
        s.items = s.n <= GROUP * few ? few : s.n <= GROUP * some ? some : s.items;
    s.passes = (sort->end_bit - sort->begin_bit + 7) / 8;
    s.state = s.n > MOST_IN_NARROW_STATES ? WEFT_U64 : WEFT_U32;
    return s;
}

int opencl_can_sweep(weft_device *device, i64 n) {
    const opencl_state *state = opencl_of(device);
    return state->path == OPENCL_WARPS && state->group == OPENCL_GROUP &&
           state->local_memory >= 48 << 10 && n < UINT32_MAX - (1 << 16);
}

static const opencl_program *sweep_of(weft_device *device, const weft_sort_call *sort,
                                      const shape *s) {
    const int alone = s->tiles == 1;
    const u32 flags = (u32)(s->state == WEFT_U64 ? WIDE_STATES : 0) |
                      (u32)(alone ? ALONE | s->items << 16 : 0) |
                      (u32)WEFT_SIZE(sort->values.type) << 4 |
                      opencl_key_kind(sort->keys.type) << 8;
    const opencl_key key = {OPENCL_SORT_SWEEP, flags, {NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[][OPENCL_KERNELS] = {
        {"weft_sort_count", "weft_sort_pass"}, {"weft_sort_alone"}};
    const size_t k = WEFT_SIZE(sort->keys.type), v = WEFT_SIZE(sort->values.type);
    const size_t exchange = (size_t)(GROUP * s->items) * (k > v ? k : v);
    const size_t ranking = GROUP / 32 * DIGITS * sizeof(u32);
    const size_t both = exchange + ranking,
                 larger = exchange > ranking ? exchange : ranking;
    const int aside = both <= MOST_LOCAL;
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, NULL, 0);
    opencl_append_digits(&text, sort->keys.type);
    opencl_append_values(&text, sort->values.type);
    opencl_append(&text,
                  "typedef %s STATE;\n#define GROUP %d\n#define ITEMS %d\n"
                  "#define POOL %zu\n#define SORTED_AT %zu\n#define TWICE %d\n"
                  "#define ALONE %d\n",
                  opencl_unsigned(WEFT_SIZE(s->state)), GROUP, (int)s->items,
                  aside ? both : larger, aside ? ranking : 0, !v, alone);
    opencl_append_bytes(&text, weft_text_warp.text, weft_text_warp.length);
    opencl_append_bytes(&text, weft_text_sort_warps.text, weft_text_sort_warps.length);
    return opencl_build(device, &key, "weft_sort", &text, names[alone]);
}

static void give_u32(opencl_launch *launch, i64 value) {
    opencl_give_i32(launch, (i32)(u32)value);
}

static void give_flip(opencl_launch *launch, const weft_sort_call *sort) {
    const u64 flip = opencl_flip(sort->keys.type, sort->descending);
    opencl_give(launch, &flip, sizeof flip);
}

/* Memory in which sorts count in turn, each making the other's empty: `weft_counts` twice.
 */
static void *counts_of(weft_device *device) {
    opencl_state *state = opencl_of(device);
    if (!state->sort_counts) {
        state->sort_counts = opencl_allocate_kept(device, COUNTS_BYTES);
        if (state->sort_counts)
            opencl_zero(device, (weft_span){state->sort_counts, 0, 2 * COUNTS, WEFT_U32});
    }
    state->sort_turn = 1 - state->sort_turn;
    return state->sort_counts;
}

void opencl_free_sort_counts(weft_device *device) {
    opencl_state *state = opencl_of(device);
    if (state->sort_counts)
        opencl_release(device, state->sort_counts, COUNTS_BYTES);
    state->sort_counts = NULL;
}

static weft_status count_digits(weft_device *device, const opencl_program *program,
                                const weft_sort_call *sort, const shape *s, void *counts,
                                void *states) {
    const i64 most = OPENCL_WARPS_SORT_UNIT * device->concurrency;
    const i64 block = (s->n + most - 1) / most, groups = (s->n + block - 1) / block;
    opencl_launch count = opencl_begin(device, program, 0);
    give_u32(&count, s->n);
    give_u32(&count, block);
    opencl_give_i32(&count, sort->begin_bit);
    opencl_give_i32(&count, sort->end_bit);
    give_flip(&count, sort);
    give_u32(&count, s->tiles);
    opencl_give_i32(&count, opencl_of(device)->sort_turn);
    opencl_give_memory(&count, counts);
    opencl_give_memory(&count, states);
    opencl_give_span(&count, sort->keys);
    return opencl_run(&count, groups, GROUP);
}

static void give_arrays(opencl_launch *launch, const weft_sort_call *sort,
                        const weft_span source[2], const weft_span target[2]) {
    for (int k = 0; k < (sort->values.type ? 2 : 1); k++) {
        opencl_give_span(launch, source[k]);
        opencl_give_span(launch, target[k]);
    }
}

static weft_status sort_alone(weft_device *device, const opencl_program *program,
                              const weft_sort_call *sort, const weft_span from[2],
                              const weft_span to[2]) {
    opencl_launch launch = opencl_begin(device, program, 0);
    give_u32(&launch, sort->keys.length);
    opencl_give_i32(&launch, sort->begin_bit);
    opencl_give_i32(&launch, sort->end_bit);
    give_flip(&launch, sort);
    give_arrays(&launch, sort, from, to);
    return opencl_run(&launch, 1, GROUP);
}

weft_status opencl_sort_sweep(weft_device *device, const weft_sort_call *sort,
                              const weft_span from[2], const weft_span to[2]) {
    const shape s = shape_of(sort);
    const opencl_program *program = sweep_of(device, sort, &s);
    if (program && s.tiles == 1)
        return sort_alone(device, program, sort, from, to);
    const weft_array states[2] = {weft_scratch(device, s.state, s.tiles * DIGITS),
                                  weft_scratch(device, s.state, s.tiles * DIGITS)};
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    const u64 flip = opencl_flip(sort->keys.type, sort->descending);
    void *const counts = counts_of(device);
    void *const work[2] = {weft_buffer_memory(states[0].buffer),
                           weft_buffer_memory(states[1].buffer)};
    if (weft_check(device) == WEFT_OK)
        count_digits(device, program, sort, &s, counts, work[0]);
    for (int p = 0; p < s.passes && weft_check(device) == WEFT_OK; p++) {
        const weft_span *source = p % 2 ? to : from, *target = p % 2 ? from : to;
        const int shift = sort->begin_bit + 8 * p, bits = sort->end_bit - shift;
        opencl_launch pass = opencl_begin(device, program, 1);
        give_u32(&pass, s.n);
        opencl_give_i32(&pass, shift);
        give_u32(&pass, bits < 8 ? (1 << bits) - 1 : 255);
        give_u32(&pass, (i64)(flip >> shift));
        opencl_give_i32(&pass, p);
        opencl_give_i32(&pass, opencl_of(device)->sort_turn);
        opencl_give_memory(&pass, counts);
        opencl_give_memory(&pass, work[p % 2]);
        opencl_give_memory(&pass, work[1 - p % 2]);
        give_arrays(&pass, sort, source, target);
        opencl_run(&pass, s.tiles, GROUP);
    }
    if (weft_check(device) != WEFT_OK)
        opencl_free_sort_counts(device);
    return weft_check(device);
}
