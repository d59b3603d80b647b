#include "cells.h"
#include "halos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coordinate bits of a cell in a key; boxes wider than that get wider cells. */
enum { WAY_BITS = 20 };
#define NONE UINT32_MAX

static f64 coordinate(const struct task *task, i64 i, int axis) {
    const void *data = task->in[0].data;
    return task->in[0].type == WEFT_F32 ? (f64)((const f32 *)data)[3 * i + axis]
                                        : ((const f64 *)data)[3 * i + axis];
}

static const struct halos_settings *settings(const struct cells *cells) {
    return cells->task->settings;
}

static void lay_out(struct cells *cells) {
    const struct task *task = cells->task;
    /* A little wider than the length: what rounding moves stays in a neighbouring cell. */
    const f64 least = settings(cells)->linking_length * (1 + 0x1p-20) + 0x1p-1000;
    for (int axis = 0; axis < 3; ++axis) {
        f64 low = INFINITY, high = -INFINITY;
        for (i64 i = 0; i < task->n; ++i) {
            low = fmin(low, coordinate(task, i, axis));
            high = fmax(high, coordinate(task, i, axis));
        }
        const f64 box = settings(cells)->box[axis], extent = box > 0 ? box : high - low;
        const f64 ways = fmin(floor(extent / least), (f64)((1 << WAY_BITS) - 2));
        cells->ways[axis] = ways < 1 ? 1 : (i64)ways;
        cells->side[axis] = extent > 0 ? extent / (f64)cells->ways[axis] : 1;
        cells->origin[axis] = box > 0 ? 0 : low;
        cells->ways[axis] += box > 0 ? 0 : 1; /* the upper face has cells of its own */
    }
}

static u64 key_at(const i64 *at) {
    return ((u64)at[2] << WAY_BITS | (u64)at[1]) << WAY_BITS | (u64)at[0];
}

static u64 key_of(const struct cells *cells, i64 i) {
    i64 at[3];
    for (int axis = 0; axis < 3; ++axis) {
        const f64 box = settings(cells)->box[axis];
        f64 x = coordinate(cells->task, i, axis) - cells->origin[axis];
        if (box > 0)
            x -= floor(x / box) * box;
        at[axis] = (i64)floor(x / cells->side[axis]);
        at[axis] = at[axis] < 0 ? 0 : at[axis];
        at[axis] = at[axis] >= cells->ways[axis] ? cells->ways[axis] - 1 : at[axis];
    }
    return key_at(at);
}

/* The slot where the key is, or would be. */
static u64 slot_of(const struct cells *cells, u64 key) {
    u64 slot = (key * 0x9e3779b97f4a7c15 >> 20) & (cells->slots - 1);
    while (cells->table[slot] != NONE && cells->key[cells->table[slot]] != key)
        slot = (slot + 1) & (cells->slots - 1);
    return slot;
}

static bool allocate(struct cells *cells) {
    const size_t n = (size_t)cells->task->n;
    cells->slots = 1024;
    while (cells->slots < 2 * (u64)n)
        cells->slots *= 2;
    cells->key = malloc((n + 1) * sizeof *cells->key);
    cells->start = calloc(n + 2, sizeof *cells->start);
    cells->particle = malloc((n + 1) * sizeof *cells->particle);
    cells->position = malloc((n + 1) * 3 * sizeof *cells->position);
    cells->table = malloc(cells->slots * sizeof *cells->table);
    if (!cells->key || !cells->start || !cells->particle || !cells->position ||
        !cells->table)
        return false;
    memset(cells->table, 0xff, cells->slots * sizeof *cells->table);
    return true;
}

bool cells_make(struct cells *cells, const struct task *task) {
    *cells = (struct cells){.task = task};
    u32 *cell = malloc(((size_t)task->n + 1) * sizeof *cell);
    if (cell == NULL || !allocate(cells)) {
        free(cell);
        cells_free(cells);
        return false;
    }
    lay_out(cells);
    for (i64 i = 0; i < task->n; ++i) {
        const u64 key = key_of(cells, i), slot = slot_of(cells, key);
        if (cells->table[slot] == NONE) {
            cells->key[cells->count] = key;
            cells->table[slot] = (u32)cells->count++;
        }
        cell[i] = cells->table[slot];
        cells->start[cell[i] + 1]++;
    }
    for (i64 c = 0; c < cells->count; ++c)
        cells->start[c + 1] += cells->start[c];
    for (i64 i = task->n; i-- > 0;)
        cells->particle[cells->start[cell[i]]++] = (u32)i;
    memmove(cells->start + 1, cells->start, (size_t)cells->count * sizeof *cells->start);
    cells->start[0] = 0;
    for (i64 k = 0; k < 3 * task->n; ++k)
        cells->position[k] = coordinate(task, cells->particle[k / 3], (int)(k % 3));
    free(cell);
    return true;
}

void cells_free(struct cells *cells) {
    free(cells->key);
    free(cells->start);
    free(cells->particle);
    free(cells->position);
    free(cells->table);
    *cells = (struct cells){0};
}

/* remainder() leaves what is within half a box as it is, and is slow. */
static f64 nearest(f64 d, f64 box) {
    return box > 0 && fabs(d) > 0.5 * box ? remainder(d, box) : d;
}

static bool friends(const struct halos_settings *s, const f64 *a, const f64 *b) {
    const f64 dx = nearest(a[0] - b[0], s->box[0]), dy = nearest(a[1] - b[1], s->box[1]),
              dz = nearest(a[2] - b[2], s->box[2]);
    return (dx * dx + dy * dy) + dz * dz <= s->linking_length * s->linking_length;
}

static void meet(const struct cells *cells, u32 a, u32 b,
                 void (*visit)(void *context, u32 i, u32 j), void *context) {
    const f64 *position = cells->position;
    const struct halos_settings *s = settings(cells);
    for (size_t i = cells->start[a]; i < cells->start[a + 1]; ++i) {
        for (size_t j = a == b ? i + 1 : cells->start[b]; j < cells->start[b + 1]; ++j) {
            if (friends(s, position + 3 * i, position + 3 * j))
                visit(context, cells->particle[i], cells->particle[j]);
        }
    }
}

/* The cell at that place, wrapped; NONE where there is none. */
static u32 cell_at(const struct cells *cells, i64 *at) {
    for (int axis = 0; axis < 3; ++axis) {
        const i64 ways = cells->ways[axis];
        if (at[axis] >= 0 && at[axis] < ways)
            continue;
        if (!(settings(cells)->box[axis] > 0))
            return NONE;
        at[axis] = (at[axis] + ways) % ways;
    }
    return cells->table[slot_of(cells, key_at(at))];
}

void cells_friends(const struct cells *cells, void (*visit)(void *context, u32 i, u32 j),
                   void *context) {
    enum { NEIGHBOURS = 27, SELF = NEIGHBOURS / 2 };
    const u64 mask = (1 << WAY_BITS) - 1;
    for (u32 c = 0; c < cells->count; ++c) {
        const u64 key = cells->key[c];
        meet(cells, c, c, visit, context);
        for (int k = SELF + 1; k < NEIGHBOURS; ++k) {
            i64 at[3] = {(i64)(key & mask) + k % 3 - 1,
                         (i64)(key >> WAY_BITS & mask) + k / 3 % 3 - 1,
                         (i64)(key >> 2 * WAY_BITS) + k / 9 - 1};
            const u32 other = cell_at(cells, at);
            if (other != NONE && other != c)
                meet(cells, c, other, visit, context);
        }
    }
}
