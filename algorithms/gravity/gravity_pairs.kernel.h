/* Sums over pairs, tile by tile.
 *
 * Positions are from the middle of a tile's box. A particle's terms are added up in f32,
 * those of GRAVITY_ROOM tiles that are near at a time, and these sums in f64: the same
 * everywhere, since what is too far adds 0. */
#ifndef GRAVITY_PAIRS_KERNEL_H
#define GRAVITY_PAIRS_KERNEL_H

#include "gravity_depth.kernel.h"
#include "gravity_pull.kernel.h"
#include "gravity_tiles.kernel.h"

enum { GRAVITY_ROOM = 16, GRAVITY_STEP = 4 };

/* Tiles that a tile meets: when there are GRAVITY_ROOM of them, and at the end. */
typedef struct gravity_near {
    u32 at[GRAVITY_ROOM + GRAVITY_TILE], count;
} gravity_near;

/* Those of `count` tiles, at most GRAVITY_TILE. */
static inline void gravity_pairs_near(gravity_near *near, const gravity_box *b,
                                      gravity_tiles c, u32 first, u32 count) {
    u32 meets[GRAVITY_TILE], n = near->count;
    for (i32 k = 0; k < GRAVITY_TILE; k++)
        meets[k] = (u32)gravity_tiles_meets(b, c, (index_t)first + k);
    for (u32 k = 0; k < count; k++) {
        near->at[n] = first + k;
        n += meets[k];
    }
    near->count = n;
}

/* Their particles. */
typedef struct gravity_list {
    f32 x[GRAVITY_ROOM * GRAVITY_TILE], y[GRAVITY_ROOM * GRAVITY_TILE],
        z[GRAVITY_ROOM * GRAVITY_TILE];
    u32 count;
} gravity_list;

/* Adds those of a tile, GRAVITY_STEP at a time, of which one is near. */
static inline void gravity_pairs_list(gravity_list *list, const gravity_box *b,
                                      gravity_tiles c, u32 first, u32 count) {
    f32 x[GRAVITY_TILE], y[GRAVITY_TILE], z[GRAVITY_TILE], gap2[GRAVITY_TILE];
    GLOBAL const u32 *px = c.x + first, *py = c.y + first, *pz = c.z + first;
    for (i32 k = 0; k < GRAVITY_TILE; k++) {
        const f32 more = k < (i32)count ? 0.0f : 16.0f;
        x[k] = gravity_tiles_way(b, 0, px[k], c.scale) + more;
        y[k] = gravity_tiles_way(b, 1, py[k], c.scale) + more;
        z[k] = gravity_tiles_way(b, 2, pz[k], c.scale) + more;
        gap2[k] = gravity_tiles_gap2(b, 0, x[k], 0.0f) +
                  gravity_tiles_gap2(b, 1, y[k], 0.0f) +
                  gravity_tiles_gap2(b, 2, z[k], 0.0f);
    }
    for (i32 k = 0; k < GRAVITY_TILE; k += GRAVITY_STEP) {
        f32 *to = list->x + list->count;
        for (i32 l = 0; l < GRAVITY_STEP; l++)
            to[l] = x[k + l];
        to = list->y + list->count;
        for (i32 l = 0; l < GRAVITY_STEP; l++)
            to[l] = y[k + l];
        to = list->z + list->count;
        for (i32 l = 0; l < GRAVITY_STEP; l++)
            to[l] = z[k + l];
        const f32 least = min(min(gap2[k], gap2[k + 1]), min(gap2[k + 2], gap2[k + 3]));
        list->count += GRAVITY_STEP * (u32)gravity_tiles_near(least, 0.0f, 0.0f);
    }
}

typedef struct gravity_lanes {
    f32 x[GRAVITY_TILE], y[GRAVITY_TILE], z[GRAVITY_TILE];
    f32 bx[GRAVITY_TILE], by[GRAVITY_TILE], bz[GRAVITY_TILE];
    f64 ax[GRAVITY_TILE], ay[GRAVITY_TILE], az[GRAVITY_TILE];
} gravity_lanes;

/* What the lanes get of GRAVITY_STEP of a list. */
static inline void gravity_pairs_add(gravity_lanes *s, const f32 *x, const f32 *y,
                                     const f32 *z, f32 soft, i32 kind) {
    for (i32 l = 0; l < GRAVITY_TILE; l++) {
        const f32 ox = s->x[l], oy = s->y[l], oz = s->z[l];
        f32 bx = s->bx[l], by = s->by[l], bz = s->bz[l];
        gravity_pull_add(&bx, &by, &bz, x[0] - ox, y[0] - oy, z[0] - oz, soft, kind);
        gravity_pull_add(&bx, &by, &bz, x[1] - ox, y[1] - oy, z[1] - oz, soft, kind);
        gravity_pull_add(&bx, &by, &bz, x[2] - ox, y[2] - oy, z[2] - oz, soft, kind);
        gravity_pull_add(&bx, &by, &bz, x[3] - ox, y[3] - oy, z[3] - oz, soft, kind);
        s->bx[l] = bx, s->by[l] = by, s->bz[l] = bz;
    }
}

/* Adds to a lane's bx how deep the well of one of a list is there. */
static inline void gravity_pairs_deepen(gravity_lanes *s, f32 x, f32 y, f32 z, f32 soft,
                                        f32 edge, i32 kind) {
    for (i32 l = 0; l < GRAVITY_TILE; l++)
        s->bx[l] += gravity_depth_of(
            gravity_pull_square(x - s->x[l], y - s->y[l], z - s->z[l]), soft, edge, kind);
}

/* The first `count` tiles that are near, which then begin after them. */
static inline void gravity_pairs_meet(gravity_lanes *s, const gravity_box *b,
                                      gravity_tiles c, i32 kind, gravity_near *near,
                                      u32 count) {
    gravity_list list;
    list.count = 0;
    for (u32 k = 0; k < count; k++) {
        const u32 t = near->at[k], first = c.first[t];
        gravity_pairs_list(&list, b, c, first, c.first[t + 1] - first);
    }
    for (u32 j = 0; gravity_depth_is(kind) && j < list.count; j++)
        gravity_pairs_deepen(s, list.x[j], list.y[j], list.z[j], c.soft, c.edge, kind);
    for (u32 j = 0; !gravity_depth_is(kind) && j < list.count; j += GRAVITY_STEP)
        gravity_pairs_add(s, list.x + j, list.y + j, list.z + j, c.soft, kind);
    for (i32 l = 0; l < GRAVITY_TILE; l++) {
        s->ax[l] += (f64)s->bx[l];
        s->ay[l] += (f64)s->by[l];
        s->az[l] += (f64)s->bz[l];
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
    }
    near->count -= count;
    for (u32 k = 0; k < near->count; k++)
        near->at[k] = near->at[count + k];
}

/* The sums of a tile, its particles side by side. */
static inline void gravity_pairs_sum(gravity_lanes *s, const gravity_box *b,
                                     gravity_tiles c, i32 kind) {
    gravity_near near;
    u32 begin, end;
    for (u32 l = 0; l < GRAVITY_TILE; l++) {
        const u32 i = b->first + min(l, b->count - 1);
        s->x[l] = gravity_tiles_way(b, 0, c.x[i], c.scale);
        s->y[l] = gravity_tiles_way(b, 1, c.y[i], c.scale);
        s->z[l] = gravity_tiles_way(b, 2, c.z[i], c.scale);
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
        s->ax[l] = s->ay[l] = s->az[l] = 0.0;
    }
    near.count = 0;
    gravity_walk w = gravity_tiles_walk(b, c);
    while (gravity_tiles_next(&w, b, c, &begin, &end))
        for (u32 t = begin; t < end; t += GRAVITY_TILE) {
            gravity_pairs_near(&near, b, c, t, min((u32)GRAVITY_TILE, end - t));
            if (near.count >= GRAVITY_ROOM)
                gravity_pairs_meet(s, b, c, kind, &near, GRAVITY_ROOM);
        }
    gravity_pairs_meet(s, b, c, kind, &near, near.count);
}

static inline void gravity_pairs_row_of(index_t tile, gravity_tiles c, i32 kind,
                                        GLOBAL f64 *ax, GLOBAL f64 *ay, GLOBAL f64 *az) {
    const gravity_box b = gravity_tiles_get((i64)tile, c);
    gravity_lanes s;
    if (b.count == 0)
        return;
    gravity_pairs_sum(&s, &b, c, kind);
    for (u32 l = 0; l < b.count; l++) {
        const u32 to = c.order[b.first + l];
        if (to >= c.wanted)
            continue;
        ax[to] = s.ax[l] * c.unit;
        ay[to] = s.ay[l] * c.unit;
        az[to] = s.az[l] * c.unit;
    }
}

static inline void gravity_pairs_row(index_t tile, gravity_tiles c, GLOBAL f64 *ax,
                                     GLOBAL f64 *ay, GLOBAL f64 *az) {
    gravity_pairs_row_of(tile, c, GRAVITY_PULLS, ax, ay, az);
}

static inline void gravity_pairs_row_hacc(index_t tile, gravity_tiles c, GLOBAL f64 *ax,
                                          GLOBAL f64 *ay, GLOBAL f64 *az) {
    gravity_pairs_row_of(tile, c, GRAVITY_HACC_PULLS, ax, ay, az);
}

static inline void gravity_pairs_row_depth_of(index_t tile, gravity_tiles c, i32 kind,
                                              GLOBAL f64 *potential) {
    const gravity_box b = gravity_tiles_get((i64)tile, c);
    gravity_lanes s;
    if (b.count == 0)
        return;
    gravity_pairs_sum(&s, &b, c, kind);
    for (u32 l = 0; l < b.count; l++)
        if (c.order[b.first + l] < c.wanted)
            potential[c.order[b.first + l]] = -s.ax[l] * c.unit;
}

static inline void gravity_pairs_row_depth(index_t tile, gravity_tiles c,
                                           GLOBAL f64 *potential) {
    gravity_pairs_row_depth_of(tile, c, GRAVITY_DEPTHS, potential);
}

static inline void gravity_pairs_row_hacc_depth(index_t tile, gravity_tiles c,
                                                GLOBAL f64 *potential) {
    gravity_pairs_row_depth_of(tile, c, GRAVITY_HACC_DEPTHS, potential);
}

#endif
