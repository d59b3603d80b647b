/* Tiles of sorted particles, the boxes around them, and what is within reach of a box. */
#ifndef GRAVITY_TILES_KERNEL_H
#define GRAVITY_TILES_KERNEL_H

#include "gravity_sort.kernel.h"

/* Lengths that are f32 are in units of the reach. */
typedef struct gravity_tiles {
    GLOBAL const u32 *x, *y, *z, *order; /* sorted particles */
    GLOBAL const u32 *tile;              /* blocks begin at these tiles */
    GLOBAL const u32 *first;             /* tiles begin at these particles */
    GLOBAL const u32 *center;            /* [3][most], of the box around a tile */
    GLOBAL const f32 *size;              /* [3][most], from there to its sides */
    i64 most;                            /* tiles */
    i32 bits;                            /* blocks along an axis: 2^bits */
    u32 wanted;                          /* particles before this have sums */
    u32 reach;                           /* rounded up, in units of positions */
    f32 scale;                           /* 1 / reach */
    f32 soft, edge;                      /* the softening's square; of depths */
    f64 unit;                            /* of the sums */
} gravity_tiles;

/* Sorted particles, and where blocks begin: at which of them, and at which tile. */
typedef struct gravity_blocks {
    GLOBAL const u32 *x, *y, *z, *start, *tile;
    i64 blocks;
} gravity_blocks;

static inline i64 gravity_tiles_block(i64 t, gravity_blocks s) {
    i64 low = 0, high = s.blocks;
    while (high - low > 1) {
        const i64 middle = (low + high) / 2;
        if ((i64)s.tile[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where tile t begins, all behind the last at the end; and its box. */
static inline void gravity_tiles_box(index_t t, i64 most, f32 scale, gravity_blocks s,
                                     GLOBAL u32 *first, GLOBAL u32 *center,
                                     GLOBAL f32 *size) {
    const i64 block = gravity_tiles_block((i64)t, s);
    const i64 within = ((i64)t - (i64)s.tile[block]) * GRAVITY_TILE;
    const u32 end = s.start[block + 1];
    const u32 begin = (u32)min((i64)s.start[block] + within, (i64)end);
    const u32 upto = (u32)min((i64)begin + GRAVITY_TILE, (i64)end);
    first[t] = begin;
    for (i32 k = 0; k < 3 && begin < upto; k++) {
        GLOBAL const u32 *at = k == 0 ? s.x : k == 1 ? s.y : s.z;
        u32 low = at[begin], high = low;
        for (u32 i = begin + 1; i < upto; i++) {
            low = min(low, at[i]);
            high = max(high, at[i]);
        }
        const u32 middle = low + (high - low) / 2;
        center[k * most + (i64)t] = middle;
        size[k * most + (i64)t] = (f32)(high - middle) * scale * 1.000001f;
    }
}

/* The tile whose particles want to know. */
typedef struct gravity_box {
    u32 first, count; /* count 0: nobody of it is wanted */
    u32 center[3];
    f32 size[3];
} gravity_box;

static inline void gravity_tiles_place(gravity_box *b, i64 t, gravity_tiles c) {
    for (i32 k = 0; k < 3; k++) {
        b->center[k] = c.center[k * c.most + t];
        b->size[k] = c.size[k * c.most + t];
    }
}

static inline gravity_box gravity_tiles_get(i64 t, gravity_tiles c) {
    gravity_box b;
    u32 least = c.wanted;
    b.first = c.first[t];
    b.count = c.first[t + 1] - b.first;
    for (u32 i = 0; i < b.count; i++)
        least = min(least, c.order[b.first + i]);
    b.count = least < c.wanted ? b.count : 0;
    if (b.count > 0)
        gravity_tiles_place(&b, t, c);
    return b;
}

/* How far it is along an axis from the middle of a box to a position, in reaches. */
static inline f32 gravity_tiles_way(const gravity_box *b, i32 axis, u32 x, f32 scale) {
    return (f32)(i32)(x - b->center[axis]) * scale;
}

/* The square of the gap along an axis between a box and what is up to `more` from `way`. */
static inline f32 gravity_tiles_gap2(const gravity_box *b, i32 axis, f32 way, f32 more) {
    const f32 gap = max(fabs(way) - b->size[axis] - more, 0.0f);
    return gap * gap;
}

/* Whether gaps leave something within reach, with room for all rounding. */
static inline i32 gravity_tiles_near(f32 x2, f32 y2, f32 z2) {
    return x2 + y2 + z2 <= 1.0001f;
}

/* Whether something of a tile is. */
static inline i32 gravity_tiles_meets(const gravity_box *b, gravity_tiles c, index_t t) {
    const index_t u = t + (index_t)c.most, v = u + (index_t)c.most;
    const f32 x = gravity_tiles_way(b, 0, c.center[t], c.scale);
    const f32 y = gravity_tiles_way(b, 1, c.center[u], c.scale);
    const f32 z = gravity_tiles_way(b, 2, c.center[v], c.scale);
    return gravity_tiles_near(gravity_tiles_gap2(b, 0, x, c.size[t]),
                              gravity_tiles_gap2(b, 1, y, c.size[u]),
                              gravity_tiles_gap2(b, 2, z, c.size[v]));
}

/* The blocks within reach of a box, in order: the first along each axis, how many, and the
 * one at which the walk is. */
typedef struct gravity_walk {
    u32 first[3], count[3], at[3];
    f32 margin, plane, row; /* half a block; squares of gaps */
} gravity_walk;

static inline gravity_walk gravity_tiles_walk(const gravity_box *b, gravity_tiles c) {
    gravity_walk w;
    const i32 shift = 32 - c.bits;
    for (i32 k = 0; k < 3; k++) {
        const i64 way = (i64)(b->size[k] / c.scale) + 1 + (i64)c.reach;
        const i64 from = ((i64)b->center[k] - way) >> shift;
        const i64 upto = ((i64)b->center[k] + way) >> shift;
        w.first[k] = (u32)from;
        w.count[k] = (u32)min(upto - from + 1, (i64)1 << c.bits);
        w.at[k] = 0;
    }
    w.plane = w.row = 0.0f;
    w.margin = 0.5000001f * (f32)((u64)1 << shift) * c.scale;
    return w;
}

static inline u32 gravity_tiles_number(const gravity_walk *w, i32 axis, i32 bits) {
    return (w->first[axis] + w->at[axis]) & ((1u << bits) - 1u);
}

/* The square of the gap between the box and the walk's blocks along an axis. */
static inline f32 gravity_tiles_blocks2(const gravity_walk *w, const gravity_box *b,
                                        i32 axis, gravity_tiles c) {
    const i32 shift = 32 - c.bits;
    const u64 number = gravity_tiles_number(w, axis, c.bits);
    const u32 middle = (u32)((number << shift) + ((u64)1 << (shift - 1)));
    return gravity_tiles_gap2(b, axis, gravity_tiles_way(b, axis, middle, c.scale),
                              w->margin);
}

/* The tiles [*begin, *end) of the next block that has some; 0 after the last. */
static inline i32 gravity_tiles_next(gravity_walk *w, const gravity_box *b, gravity_tiles c,
                                     u32 *begin, u32 *end) {
    while (w->at[0] < w->count[0]) {
        if (w->at[1] == 0 && w->at[2] == 0)
            w->plane = gravity_tiles_blocks2(w, b, 0, c);
        if (w->at[2] == 0)
            w->row = w->plane + gravity_tiles_blocks2(w, b, 1, c);
        *begin = *end = 0;
        if (gravity_tiles_near(w->row, gravity_tiles_blocks2(w, b, 2, c), 0.0f)) {
            const u64 block = curve_morton(gravity_tiles_number(w, 0, c.bits),
                                           gravity_tiles_number(w, 1, c.bits),
                                           gravity_tiles_number(w, 2, c.bits));
            *begin = c.tile[block];
            *end = c.tile[block + 1];
        }
        w->at[2] = gravity_tiles_near(w->row, 0.0f, 0.0f) ? w->at[2] + 1 : w->count[2];
        if (w->at[2] == w->count[2]) {
            w->at[2] = 0;
            w->at[1] =
                gravity_tiles_near(w->plane, 0.0f, 0.0f) ? w->at[1] + 1 : w->count[1];
        }
        if (w->at[1] == w->count[1]) {
            w->at[1] = 0;
            w->at[0]++;
        }
        if (*begin < *end)
            return 1;
    }
    return 0;
}

#endif
