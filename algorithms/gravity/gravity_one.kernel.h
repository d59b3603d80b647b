/* The sums of gravity_pairs.kernel.h a particle at a time, where many work-items run in
 * step. */
#ifndef GRAVITY_ONE_KERNEL_H
#define GRAVITY_ONE_KERNEL_H

#include "gravity_pairs.kernel.h"

/* Those of one particle of a tile. */
static inline void gravity_one_sum(const gravity_box *b, u32 own, gravity_tiles c, i32 kind,
                                   f64 *sums) {
    const f32 ox = gravity_tiles_way(b, 0, c.x[own], c.scale);
    const f32 oy = gravity_tiles_way(b, 1, c.y[own], c.scale);
    const f32 oz = gravity_tiles_way(b, 2, c.z[own], c.scale);
    f32 bx = 0.0f, by = 0.0f, bz = 0.0f;
    u32 begin, end, count = 0;
    sums[0] = sums[1] = sums[2] = 0.0;
    gravity_walk w = gravity_tiles_walk(b, c);
    while (gravity_tiles_next(&w, b, c, &begin, &end))
        for (u32 t = begin; t < end; t++) {
            if (!gravity_tiles_meets(b, c, (index_t)t))
                continue;
            for (u32 j = c.first[t]; j < c.first[t + 1]; j++) {
                const f32 dx = gravity_tiles_way(b, 0, c.x[j], c.scale) - ox;
                const f32 dy = gravity_tiles_way(b, 1, c.y[j], c.scale) - oy;
                const f32 dz = gravity_tiles_way(b, 2, c.z[j], c.scale) - oz;
                if (gravity_depth_is(kind))
                    bx += gravity_depth_of(gravity_pull_square(dx, dy, dz), c.soft, c.edge,
                                           kind);
                else
                    gravity_pull_add(&bx, &by, &bz, dx, dy, dz, c.soft, kind);
            }
            if (++count % GRAVITY_ROOM == 0) {
                sums[0] += (f64)bx, sums[1] += (f64)by, sums[2] += (f64)bz;
                bx = by = bz = 0.0f;
            }
        }
    sums[0] += (f64)bx, sums[1] += (f64)by, sums[2] += (f64)bz;
}

static inline void gravity_one_of(index_t item, gravity_tiles c, i32 kind, GLOBAL f64 *ax,
                                  GLOBAL f64 *ay, GLOBAL f64 *az) {
    const gravity_box b = gravity_tiles_get((i64)item / GRAVITY_TILE, c);
    const u32 lane = (u32)((i64)item % GRAVITY_TILE);
    f64 sums[3];
    if (lane >= b.count || c.order[b.first + lane] >= c.wanted)
        return;
    gravity_one_sum(&b, b.first + lane, c, kind, sums);
    const u32 to = c.order[b.first + lane];
    ax[to] = sums[0] * c.unit;
    ay[to] = sums[1] * c.unit;
    az[to] = sums[2] * c.unit;
}

static inline void gravity_one_pulls(index_t item, gravity_tiles c, GLOBAL f64 *ax,
                                     GLOBAL f64 *ay, GLOBAL f64 *az) {
    gravity_one_of(item, c, GRAVITY_PULLS, ax, ay, az);
}

static inline void gravity_one_hacc(index_t item, gravity_tiles c, GLOBAL f64 *ax,
                                    GLOBAL f64 *ay, GLOBAL f64 *az) {
    gravity_one_of(item, c, GRAVITY_HACC_PULLS, ax, ay, az);
}

static inline void gravity_one_depth_of(index_t item, gravity_tiles c, i32 kind,
                                        GLOBAL f64 *potential) {
    const gravity_box b = gravity_tiles_get((i64)item / GRAVITY_TILE, c);
    const u32 lane = (u32)((i64)item % GRAVITY_TILE);
    f64 sums[3];
    if (lane >= b.count || c.order[b.first + lane] >= c.wanted)
        return;
    gravity_one_sum(&b, b.first + lane, c, kind, sums);
    potential[c.order[b.first + lane]] = -sums[0] * c.unit;
}

static inline void gravity_one_depth(index_t item, gravity_tiles c, GLOBAL f64 *potential) {
    gravity_one_depth_of(item, c, GRAVITY_DEPTHS, potential);
}

static inline void gravity_one_hacc_depth(index_t item, gravity_tiles c,
                                          GLOBAL f64 *potential) {
    gravity_one_depth_of(item, c, GRAVITY_HACC_DEPTHS, potential);
}

#endif
