/* The sums of gravity_pairs.kernel.h where many work-items run in step: each takes some
 * particles of a tile, and those of tiles with lists of one length are neighbours. */
#ifndef GRAVITY_ONE_KERNEL_H
#define GRAVITY_ONE_KERNEL_H

#include "gravity_near.kernel.h"
#include "gravity_pairs.kernel.h"

/* Particles of a work-item; and of one with a list that others might wait for. Functions of
 * either are inlined, so that the number is a constant and sums stay in registers. */
enum { GRAVITY_MINE = 4, GRAVITY_FEW = 2 };

typedef struct gravity_mine {
    f32 x[GRAVITY_MINE], y[GRAVITY_MINE], z[GRAVITY_MINE];
    f32 bx[GRAVITY_MINE], by[GRAVITY_MINE], bz[GRAVITY_MINE];
    f64 ax[GRAVITY_MINE], ay[GRAVITY_MINE], az[GRAVITY_MINE];
} gravity_mine;

/* Places of a tile that are GRAVITY_TILE / mine apart. */
static inline __attribute__((always_inline)) void
gravity_one_begin(gravity_mine *s, i32 mine, const gravity_box *b, gravity_tiles c,
                  GLOBAL const gravity_near_place *place) {
    for (i32 l = 0; l < mine; l++) {
        const gravity_near_place p = place[l * (GRAVITY_TILE / mine)];
        s->x[l] = gravity_tiles_way(b, 0, p.x, c.scale);
        s->y[l] = gravity_tiles_way(b, 1, p.y, c.scale);
        s->z[l] = gravity_tiles_way(b, 2, p.z, c.scale);
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
        s->ax[l] = s->ay[l] = s->az[l] = 0.0;
    }
}

/* What they get of a place: nothing where nobody is, far away. What is beyond the reach is
 * left out by a condition, which GPUs have for nothing. */
static inline __attribute__((always_inline)) void
gravity_one_add(gravity_mine *s, i32 mine, const gravity_box *b, gravity_near_place p,
                gravity_tiles c, i32 kind) {
    const f32 x = fma((f32)(i32)(p.x - b->center[0]), c.scale, p.away);
    const f32 y = gravity_tiles_way(b, 1, p.y, c.scale);
    const f32 z = gravity_tiles_way(b, 2, p.z, c.scale);
    for (i32 l = 0; l < mine; l++) {
        const f32 dx = x - s->x[l], dy = y - s->y[l], dz = z - s->z[l];
        const f32 t = gravity_pull_square(dx, dy, dz);
        if (gravity_depth_is(kind)) {
            s->bx[l] += gravity_depth_of(t, c.soft, c.edge, kind);
        } else {
            const f32 f = gravity_pull_within(t, c.soft, kind);
            if (t < 1.0f) {
                s->bx[l] = fma(f, dx, s->bx[l]);
                s->by[l] = fma(f, dy, s->by[l]);
                s->bz[l] = fma(f, dz, s->bz[l]);
            }
        }
    }
}

static inline __attribute__((always_inline)) void gravity_one_flush(gravity_mine *s,
                                                                    i32 mine) {
    for (i32 l = 0; l < mine; l++) {
        s->ax[l] += (f64)s->bx[l];
        s->ay[l] += (f64)s->by[l];
        s->az[l] += (f64)s->bz[l];
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
    }
}

/* What a work-item's particles get of `length` quarters of a list, whose last entry is
 * `last`. A loop over quarters, not over tiles and theirs: all work-items then meet one at
 * a time. The next entry is read before it is needed. */
static inline __attribute__((always_inline)) void
gravity_one_sum(gravity_mine *s, i32 mine, const gravity_box *b, gravity_tiles c, i32 kind,
                GLOBAL const gravity_near_place *place, GLOBAL const u32 *list, u32 last,
                u32 length) {
    u32 k = 0, at = list[0], next = list[min(1u, last)];
    for (u32 i = 0; i < length; i++) {
        const u32 quarter = clz(at);
        GLOBAL const gravity_near_place *p =
            place + ((i64)(at & gravity_near_number) * GRAVITY_TILE +
                     (i64)(quarter * GRAVITY_QUARTER));
        const gravity_near_place p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3];
        at ^= gravity_near_quarter >> quarter;
        const i32 over = at <= gravity_near_number;
        if (over) {
            k++;
            at = next;
            next = list[min(k + 1, last)];
        }
        gravity_one_add(s, mine, b, p0, c, kind);
        gravity_one_add(s, mine, b, p1, c, kind);
        gravity_one_add(s, mine, b, p2, c, kind);
        gravity_one_add(s, mine, b, p3, c, kind);
        if (over && k % GRAVITY_ROOM == 0)
            gravity_one_flush(s, mine);
    }
    gravity_one_flush(s, mine);
}

/* Some of a turn's particles, from place `own` on. */
static inline __attribute__((always_inline)) void
gravity_one_some(i64 turn, u32 own, i32 mine, gravity_tiles c, gravity_near_turns n,
                 GLOBAL const u32 *list, i32 kind, GLOBAL f64 *ax, GLOBAL f64 *ay,
                 GLOBAL f64 *az) {
    const i64 tile = (i64)n.turn[turn];
    const i64 from = n.start[tile * n.planes], upto = n.start[(tile + 1) * n.planes];
    gravity_box b;
    gravity_mine s;
    if (from == upto)
        return;
    gravity_tiles_place(&b, tile, c);
    gravity_one_begin(&s, mine, &b, c, n.place + tile * GRAVITY_TILE + own);
    gravity_one_sum(&s, mine, &b, c, kind, n.place,
                    list + (from - n.start[n.first * n.planes]), (u32)(upto - from) - 1,
                    n.length[turn]);
    for (i32 l = 0; l < mine; l++) {
        const u32 j = c.first[tile] + own + (u32)(l * (GRAVITY_TILE / mine));
        const u32 to = j < c.first[tile + 1] ? c.order[j] : c.wanted;
        if (to >= c.wanted)
            continue;
        ax[to] = (gravity_depth_is(kind) ? -s.ax[l] : s.ax[l]) * c.unit;
        if (gravity_depth_is(kind))
            continue;
        ay[to] = s.ay[l] * c.unit;
        az[to] = s.az[l] * c.unit;
    }
}

static inline __attribute__((always_inline)) void
gravity_one_of(index_t item, gravity_tiles c, gravity_near_turns n, GLOBAL const u32 *list,
               i32 kind, GLOBAL f64 *ax, GLOBAL f64 *ay, GLOBAL f64 *az) {
    enum { FEW = GRAVITY_TILE / GRAVITY_FEW, MINE = GRAVITY_TILE / GRAVITY_MINE };
    const i64 before = n.longest * FEW, i = (i64)item - before;
    if (i < 0)
        gravity_one_some((i64)item / FEW, (u32)((i64)item % FEW), GRAVITY_FEW, c, n, list,
                         kind, ax, ay, az);
    else
        gravity_one_some(n.longest + i / MINE, (u32)(i % MINE), GRAVITY_MINE, c, n, list,
                         kind, ax, ay, az);
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
