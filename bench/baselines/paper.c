#include "bench/halos/halos.h"
#include "baselines.h"
#include "paper.kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(paper_key, u64, (value, paper_cells, cells), (in, f32, at, 0))
WEFT_GENERATOR(paper_neighbour, u64, (value, i64, step), (in, u64, key))
WEFT_KERNEL(paper_place, (in, u32, index), (in, f32, at, 0), (out, f32, place, 3 * n))
WEFT_KERNEL(paper_hook, (value, i64, n), (value, f64, length2), (in, f32, place, 0),
            (in, u32, begin, 0), (in, u32, end, 0), (in, u32, parent, 0),
            (shared, u32, next, 0))
WEFT_KERNEL(paper_jump, (in, u32, parent), (out, u32, next))
WEFT_KERNEL(paper_least, (in, u32, parent), (in, u32, index), (shared, u32, least))
WEFT_KERNEL(paper_label, (in, u32, parent), (in, u32, index), (in, u32, least),
            (inout, u32, label))

enum { ROWS = 9 };

struct state {
    struct task *task;
    weft_device *device;
    weft_array at, label;
    paper_cells cells;
    f64 length;
};

static const char *describe(void) {
    return "Sewell et al. 2015, on these primitives";
}

/* Cells a little wider than the length, so that rounding moves no friend beyond the next;
 * false where their coordinates do not fit a key. */
static bool lay_out(struct state *state) {
    const f32 *at = state->task->in[0].data;
    f64 low[3] = {INFINITY, INFINITY, INFINITY}, most = 0;
    for (i64 i = 0; i < 3 * state->task->n; ++i)
        low[i % 3] = fmin(low[i % 3], (f64)at[i]);
    for (i64 i = 0; i < 3 * state->task->n; ++i)
        most = fmax(most, (f64)at[i] - low[i % 3]);
    state->cells = (paper_cells){low[0], low[1], low[2], state->length * (1 + 0x1p-20)};
    return most / state->cells.width < (1 << PAPER_BITS) - 4;
}

static void *open_paper(struct task *task, int threads) {
    (void)threads;
    const struct halos_settings *settings = task->settings;
    if (strcmp(task->name, "fof") != 0 || task->in[0].type != WEFT_F32 || task->n == 0)
        return NULL;
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->task = task;
    state->device = task->device;
    state->length = settings->linking_length;
    if (!lay_out(state)) {
        free(state);
        return NULL;
    }
    state->at = weft_array_new(state->device, WEFT_F32, 3 * task->n);
    state->label = weft_array_new(state->device, WEFT_U32, task->n);
    weft_write(state->device, state->at, task->in[0].data);
    return state;
}

static int reset(void *pointer) {
    return weft_synchronize(((struct state *)pointer)->device) == WEFT_OK;
}

/* From a cell's key to that of the cell so many rows and layers on. */
static i64 step_to(int row, int layer) {
    return ((i64)layer * (1 << PAPER_BITS) + row) * (1 << PAPER_BITS);
}

/* Where the rows of three cells around each particle begin and end: [ROWS][n]. */
static void find_rows(weft_device *device, weft_array key, weft_array begin,
                      weft_array end) {
    const i64 n = key.length;
    for (int row = 0; row < ROWS; ++row) {
        const i64 middle = step_to(row % 3 - 1, row / 3 - 1);
        weft_lower_bound(device, key,
                         weft_lazy(n, paper_neighbour, .step = middle - 1, .key = key),
                         weft_slice(device, begin, row * n, n));
        weft_upper_bound(device, key,
                         weft_lazy(n, paper_neighbour, .step = middle + 1, .key = key),
                         weft_slice(device, end, row * n, n));
    }
}

/* Jumps until all are stars; whether any pointer moved since `before`. */
static int settle(weft_device *device, weft_array before, weft_array *next,
                  weft_array *room) {
    int same = 1;
    weft_equal(device, before, *next, &same);
    const int moved = weft_check(device) == WEFT_OK && !same;
    for (int stars = !moved; !stars && weft_check(device) == WEFT_OK;) {
        weft_for_each(device, next->length, paper_jump, .parent = *next, .next = *room);
        weft_equal(device, *next, *room, &stars);
        const weft_array last = *next;
        *next = *room;
        *room = last;
    }
    return moved;
}

static int run(void *pointer) {
    const struct state *state = pointer;
    weft_device *device = state->device;
    const i64 n = state->task->n;
    const u32 zero = 0, one = 1, none = UINT32_MAX;
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, n);
    const weft_array index = weft_scratch(device, WEFT_U32, n);
    const weft_array place = weft_scratch(device, WEFT_F32, 3 * n);
    const weft_array begin = weft_scratch(device, WEFT_U32, ROWS * n);
    const weft_array end = weft_scratch(device, WEFT_U32, ROWS * n);
    weft_array parent = weft_scratch(device, WEFT_U32, n);
    weft_array next = weft_scratch(device, WEFT_U32, n);
    weft_array room = weft_scratch(device, WEFT_U32, n);

    weft_copy(device, weft_lazy(n, paper_key, .cells = state->cells, .at = state->at), key);
    weft_sequence(device, index, &zero, &one);
    weft_sort_by_key(device, key, index, WEFT_ASCENDING);
    weft_for_each(device, n, paper_place, .index = index, .at = state->at, .place = place);
    find_rows(device, key, begin, end);

    weft_sequence(device, parent, &zero, &one);
    for (int moved = 1; moved;) {
        weft_copy(device, parent, next);
        weft_for_each(device, n, paper_hook, .n = n,
                      .length2 = state->length * state->length, .place = place,
                      .begin = begin, .end = end, .parent = parent, .next = next);
        moved = settle(device, parent, &next, &room);
        const weft_array last = parent;
        parent = next;
        next = last;
    }
    weft_fill(device, room, &none);
    weft_for_each(device, n, paper_least, .parent = parent, .index = index, .least = room);
    weft_for_each(device, n, paper_label, .parent = parent, .index = index, .least = room,
                  .label = state->label);
    weft_scope_close(device);
    return weft_synchronize(device) == WEFT_OK;
}

static int fetch(void *pointer) {
    const struct state *state = pointer;
    weft_read(state->device, state->label, state->task->out[0].data);
    return weft_check(state->device) == WEFT_OK;
}

static void close_paper(void *pointer) {
    struct state *state = pointer;
    weft_array_free(state->device, state->at);
    weft_array_free(state->device, state->label);
    free(state);
}

const struct peer baseline_paper = {
    .name = "paper",
    .backend = "weft",
    .on_weft = 1,
    .describe = describe,
    .open = open_paper,
    .reset = reset,
    .run = run,
    .fetch = fetch,
    .close = close_paper,
};
