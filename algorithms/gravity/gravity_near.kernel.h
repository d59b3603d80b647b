/* The tiles within reach of each tile, written down, where many work-items run in step:
 * each tile is looked at once, by the work-items of neighbours at the same time, and tiles
 * that meet as many lie side by side. */
#ifndef GRAVITY_NEAR_KERNEL_H
#define GRAVITY_NEAR_KERNEL_H

#include "gravity_tiles.kernel.h"

/* Places are met GRAVITY_QUARTER at a time, of the GRAVITY_QUARTERS of a tile. */
enum { GRAVITY_QUARTERS = 4, GRAVITY_QUARTER = GRAVITY_TILE / GRAVITY_QUARTERS };

/* A place of a tile. All tiles have GRAVITY_TILE of them, one after the other. */
typedef struct __attribute__((aligned(16))) gravity_near_place {
    u32 x, y, z;
    f32 away; /* 0; far, in reaches, where nobody is */
} gravity_near_place;

/* The box around a tile or a quarter, two aligned reads. */
typedef struct __attribute__((aligned(32))) gravity_near_box {
    u32 x, y, z;
    u32 count;      /* of its particles; of a tile 0, too, where nobody is wanted */
    f32 dx, dy, dz; /* from the middle to its sides */
    u32 none;
} gravity_near_box;

typedef struct gravity_near_boxes {
    GLOBAL const gravity_near_box *tile, *quarter;
} gravity_near_boxes;

/* Lists, of which some tiles' are kept, one after the other. An entry has a tile's number
 * in the bits of gravity_near_number and above them which of its quarters are met, the
 * first in the highest. */
typedef struct gravity_near_turns {
    GLOBAL const u32 *turn;   /* tiles whose lists are kept, the longest first */
    GLOBAL const u32 *length; /* quarters in a turn's list */
    GLOBAL const i64 *start;  /* of a tile's list among all, of each of `planes` parts */
    i64 first;                /* the tile from which on lists are kept */
    i64 longest;              /* turns to which more work-items are given */
    i32 planes;
    GLOBAL const gravity_near_place *place;
} gravity_near_turns;

CONSTANT u32 gravity_near_number = 0x0fffffffu;
CONSTANT u32 gravity_near_quarter = 0x80000000u;

static inline gravity_near_box gravity_near_around(u32 from, u32 upto, gravity_tiles c) {
    u32 middle[3];
    f32 size[3];
    for (i32 k = 0; k < 3; k++) {
        GLOBAL const u32 *at = k == 0 ? c.x : k == 1 ? c.y : c.z;
        u32 low = at[from], high = low;
        for (u32 i = from + 1; i < upto; i++) {
            low = min(low, at[i]);
            high = max(high, at[i]);
        }
        middle[k] = low + (high - low) / 2;
        size[k] = (f32)(high - middle[k]) * c.scale * 1.000001f;
    }
    gravity_near_box box;
    box.x = middle[0], box.y = middle[1], box.z = middle[2];
    box.dx = size[0], box.dy = size[1], box.dz = size[2];
    box.count = upto - from, box.none = 0;
    return box;
}

/* A quarter's box and places. An empty one is near to nobody; where nobody is, coordinates
 * are of the next tiles. */
static inline void gravity_near_pack(index_t i, gravity_tiles c,
                                     GLOBAL gravity_near_box *quarter,
                                     GLOBAL gravity_near_place *place) {
    const i64 tile = (i64)i / GRAVITY_QUARTERS;
    const u32 from = c.first[tile] + (u32)((i64)i % GRAVITY_QUARTERS) * GRAVITY_QUARTER;
    const u32 end = c.first[tile + 1], upto = min(from + GRAVITY_QUARTER, end);
    gravity_near_box box = gravity_near_around(from, max(from, upto), c);
    if (from >= end) {
        box.count = 0;
        box.dx = box.dy = box.dz = -0x1p20f;
    }
    quarter[i] = box;
    for (u32 l = 0; l < GRAVITY_QUARTER; l++) {
        gravity_near_place p;
        p.x = c.x[from + l];
        p.y = c.y[from + l];
        p.z = c.z[from + l];
        p.away = from + l < end ? 0.0f : 0x1p20f;
        place[(i64)i * GRAVITY_QUARTER + l] = p;
    }
}

static inline void gravity_near_tile(index_t t, gravity_tiles c,
                                     GLOBAL gravity_near_box *tile) {
    const gravity_box b = gravity_tiles_get((i64)t, c);
    gravity_near_box box;
    box.count = b.count, box.none = 0;
    box.x = c.center[t], box.dx = c.size[t];
    box.y = c.center[t + (index_t)c.most], box.dy = c.size[t + (index_t)c.most];
    box.z = c.center[t + 2 * (index_t)c.most], box.dz = c.size[t + 2 * (index_t)c.most];
    tile[t] = box;
}

static inline gravity_box gravity_near_get(gravity_near_box from) {
    gravity_box b;
    b.first = 0, b.count = from.count;
    b.center[0] = from.x, b.center[1] = from.y, b.center[2] = from.z;
    b.size[0] = from.dx, b.size[1] = from.dy, b.size[2] = from.dz;
    return b;
}

static inline i32 gravity_near_meets(const gravity_box *b, gravity_near_box o, f32 scale) {
    const f32 x = gravity_tiles_way(b, 0, o.x, scale);
    const f32 y = gravity_tiles_way(b, 1, o.y, scale);
    const f32 z = gravity_tiles_way(b, 2, o.z, scale);
    return gravity_tiles_near(gravity_tiles_gap2(b, 0, x, o.dx),
                              gravity_tiles_gap2(b, 1, y, o.dy),
                              gravity_tiles_gap2(b, 2, z, o.dz));
}

/* Tile t, and which of its quarters a box meets: one of them at least. */
static inline u32 gravity_near_entry(const gravity_box *b, u32 t,
                                     GLOBAL const gravity_near_box *quarter, f32 scale,
                                     u32 *length) {
    u32 entry = t, count = 0;
    for (u32 q = 0; q < GRAVITY_QUARTERS; q++)
        if (gravity_near_meets(b, quarter[q], scale)) {
            entry |= gravity_near_quarter >> q;
            count++;
        }
    *length += max(count, 1u);
    return count > 0 ? entry : entry | gravity_near_quarter;
}

#endif
