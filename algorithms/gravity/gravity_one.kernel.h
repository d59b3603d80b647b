/* The sums of gravity_pairs.kernel.h where many work-items run in step: each takes some
 * particles of a tile, and those of tiles with lists of one length are neighbours. */
#ifndef GRAVITY_ONE_KERNEL_H
#define GRAVITY_ONE_KERNEL_H

#include "gravity_near.kernel.h"
#include "gravity_pairs.kernel.h"

enum { GRAVITY_MINE = 2, GRAVITY_SHARES = GRAVITY_TILE / GRAVITY_MINE };

typedef struct gravity_mine {
    f32 x[GRAVITY_MINE], y[GRAVITY_MINE], z[GRAVITY_MINE];
    f32 bx[GRAVITY_MINE], by[GRAVITY_MINE], bz[GRAVITY_MINE];
    f64 ax[GRAVITY_MINE], ay[GRAVITY_MINE], az[GRAVITY_MINE];
} gravity_mine;

/* Places of a tile that are GRAVITY_SHARES apart. */
static inline void gravity_one_begin(gravity_mine *s, const gravity_box *b, gravity_tiles c,
                                     GLOBAL const gravity_near_place *mine) {
    for (u32 l = 0; l < GRAVITY_MINE; l++) {
        const gravity_near_place p = mine[l * GRAVITY_SHARES];
        s->x[l] = gravity_tiles_way(b, 0, p.x, c.scale);
        s->y[l] = gravity_tiles_way(b, 1, p.y, c.scale);
        s->z[l] = gravity_tiles_way(b, 2, p.z, c.scale);
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
        s->ax[l] = s->ay[l] = s->az[l] = 0.0;
    }
}

/* What they get of a place: nothing where nobody is, far away. */
static inline void gravity_one_add(gravity_mine *s, const gravity_box *b,
                                   gravity_near_place p, gravity_tiles c, i32 kind) {
    const f32 more = p.index == gravity_near_nobody ? 0x1p20f : 0.0f;
    const f32 x = gravity_tiles_way(b, 0, p.x, c.scale) + more;
    const f32 y = gravity_tiles_way(b, 1, p.y, c.scale);
    const f32 z = gravity_tiles_way(b, 2, p.z, c.scale);
    for (i32 l = 0; l < GRAVITY_MINE; l++) {
        const f32 dx = x - s->x[l], dy = y - s->y[l], dz = z - s->z[l];
        if (gravity_depth_is(kind))
            s->bx[l] +=
                gravity_depth_of(gravity_pull_square(dx, dy, dz), c.soft, c.edge, kind);
        else
            gravity_pull_add(&s->bx[l], &s->by[l], &s->bz[l], dx, dy, dz, c.soft, kind);
    }
}

static inline void gravity_one_flush(gravity_mine *s) {
    for (i32 l = 0; l < GRAVITY_MINE; l++) {
        s->ax[l] += (f64)s->bx[l];
        s->ay[l] += (f64)s->by[l];
        s->az[l] += (f64)s->bz[l];
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
    }
}

/* What a work-item's particles get of all tiles of a list. The next tile's number is read
 * before it is needed. */
static inline void gravity_one_sum(gravity_mine *s, const gravity_box *b, gravity_tiles c,
                                   i32 kind, GLOBAL const gravity_near_place *place,
                                   GLOBAL const u32 *list, u32 count) {
    u32 next = list[0];
    for (u32 k = 0; k < count; k++) {
        GLOBAL const gravity_near_place *p = place + (i64)next * GRAVITY_TILE;
        next = list[min(k + 1, count - 1)];
        for (i32 l = 0; l < GRAVITY_TILE; l += GRAVITY_STEP) {
            gravity_one_add(s, b, p[l], c, kind);
            gravity_one_add(s, b, p[l + 1], c, kind);
            gravity_one_add(s, b, p[l + 2], c, kind);
            gravity_one_add(s, b, p[l + 3], c, kind);
        }
        if ((k + 1) % GRAVITY_ROOM == 0)
            gravity_one_flush(s);
    }
    gravity_one_flush(s);
}

static inline void gravity_one_of(index_t item, gravity_tiles c, gravity_near_turns n,
                                  GLOBAL const u32 *list, i32 kind, GLOBAL f64 *ax,
                                  GLOBAL f64 *ay, GLOBAL f64 *az) {
    const i64 turn = n.first + (i64)item / GRAVITY_SHARES, tile = (i64)n.turn[turn];
    const i64 from = n.start[turn], upto = n.start[turn + 1];
    const u32 own = (u32)((i64)item % GRAVITY_SHARES);
    GLOBAL const gravity_near_place *mine = n.place + tile * GRAVITY_TILE + own;
    gravity_box b;
    gravity_mine s;
    if (from == upto)
        return;
    gravity_tiles_place(&b, tile, c);
    gravity_one_begin(&s, &b, c, mine);
    gravity_one_sum(&s, &b, c, kind, n.place, list + (from - n.start[n.first]),
                    (u32)(upto - from));
    for (u32 l = 0; l < GRAVITY_MINE; l++) {
        const u32 to = mine[l * GRAVITY_SHARES].index;
        if (to >= c.wanted)
            continue;
        ax[to] = (gravity_depth_is(kind) ? -s.ax[l] : s.ax[l]) * c.unit;
        if (gravity_depth_is(kind))
            continue;
        ay[to] = s.ay[l] * c.unit;
        az[to] = s.az[l] * c.unit;
    }
}

static inline void gravity_one_pulls(index_t item, gravity_tiles c, gravity_near_turns n,
                                     GLOBAL const u32 *list, GLOBAL f64 *ax, GLOBAL f64 *ay,
                                     GLOBAL f64 *az) {
    gravity_one_of(item, c, n, list, GRAVITY_PULLS, ax, ay, az);
}

static inline void gravity_one_hacc(index_t item, gravity_tiles c, gravity_near_turns n,
                                    GLOBAL const u32 *list, GLOBAL f64 *ax, GLOBAL f64 *ay,
                                    GLOBAL f64 *az) {
    gravity_one_of(item, c, n, list, GRAVITY_HACC_PULLS, ax, ay, az);
}

static inline void gravity_one_depth(index_t item, gravity_tiles c, gravity_near_turns n,
                                     GLOBAL const u32 *list, GLOBAL f64 *potential) {
    gravity_one_of(item, c, n, list, GRAVITY_DEPTHS, potential, potential, potential);
}

static inline void gravity_one_hacc_depth(index_t item, gravity_tiles c,
                                          gravity_near_turns n, GLOBAL const u32 *list,
                                          GLOBAL f64 *potential) {
    gravity_one_of(item, c, n, list, GRAVITY_HACC_DEPTHS, potential, potential, potential);
}

#endif
