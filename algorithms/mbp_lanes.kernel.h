/* The walk of mbp_walk.kernel.h by the 16 members of a leaf together, for processors with
 * vectors. */
#ifndef WEFT_MBP_LANES_KERNEL_H
#define WEFT_MBP_LANES_KERNEL_H

#include "mbp_walk.kernel.h"

/* Where members are, and their sums of a few terms. */
typedef struct mbp_lanes {
    f32 x[MBP_ROW], y[MBP_ROW], z[MBP_ROW];
    f32 sum[MBP_ROW], rough[MBP_ROW], spread[MBP_ROW];
} mbp_lanes;

typedef struct mbp_lanes_totals {
    f64 sum[MBP_ROW], rough[MBP_ROW], spread[MBP_ROW], far_rough;
} mbp_lanes_totals;

static inline void mbp_lanes_flush(mbp_lanes *to, mbp_lanes_totals *totals) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        totals->sum[l] += (f64)to->sum[l];
        totals->rough[l] += (f64)to->rough[l];
        totals->spread[l] += (f64)to->spread[l];
        to->sum[l] = to->rough[l] = to->spread[l] = 0.0f;
    }
}

/* Empty places stand where the first member does. */
static inline void mbp_lanes_begin(mbp_lanes *to, mbp_lanes_totals *totals,
                                   mbp_walk_eye *eye, i64 first, i64 count,
                                   GLOBAL const f32 *x, GLOBAL const f32 *y,
                                   GLOBAL const f32 *z) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        const i64 from = l < count ? first + l : first;
        to->x[l] = x[from];
        to->y[l] = y[from];
        to->z[l] = z[from];
        to->sum[l] = to->rough[l] = to->spread[l] = 0.0f;
        totals->sum[l] = totals->rough[l] = totals->spread[l] = 0.0;
    }
    totals->far_rough = 0.0;
    eye->low[0] = eye->high[0] = to->x[0];
    eye->low[1] = eye->high[1] = to->y[0];
    eye->low[2] = eye->high[2] = to->z[0];
    for (i32 l = 1; l < MBP_ROW; l++) {
        eye->low[0] = min(eye->low[0], to->x[l]);
        eye->low[1] = min(eye->low[1], to->y[l]);
        eye->low[2] = min(eye->low[2], to->z[l]);
        eye->high[0] = max(eye->high[0], to->x[l]);
        eye->high[1] = max(eye->high[1], to->y[l]);
        eye->high[2] = max(eye->high[2], to->z[l]);
    }
}

static inline void mbp_lanes_far(mbp_lanes *to, const mbp_walk_node *n, i32 fine,
                                 f32 soft2) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        const f32 dx = n->x - to->x[l], dy = n->y - to->y[l], dz = n->z - to->z[l];
        const f32 s2 = mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2)));
        const f32 r = fine ? rsqrt(s2) : rsqrt_rough(s2);
        to->sum[l] = mad(n->mass, r, to->sum[l]);
        to->spread[l] = mad(n->spread, r * r * r, to->spread[l]);
    }
}

/* Pairs with the members of another row. */
static inline void mbp_lanes_near(mbp_lanes *to, i64 from, i32 fine, f32 soft2,
                                  GLOBAL const f32 *x, GLOBAL const f32 *y,
                                  GLOBAL const f32 *z, GLOBAL const f32 *mass) {
    for (i32 j = 0; j < MBP_ROW; j++) {
        const f32 px = x[from + j], py = y[from + j], pz = z[from + j], m = mass[from + j];
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 dx = px - to->x[l], dy = py - to->y[l], dz = pz - to->z[l];
            const f32 s2 = mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2)));
            const f32 r = fine ? rsqrt(s2) : rsqrt_rough(s2);
            to->sum[l] = mad(m, r, to->sum[l]);
            to->rough[l] = mad(r, r, to->rough[l]);
        }
    }
}

/* Pairs with each other, where none meets itself. */
static inline void mbp_lanes_own(mbp_lanes *to, i64 from, f32 soft2, GLOBAL const f32 *x,
                                 GLOBAL const f32 *y, GLOBAL const f32 *z,
                                 GLOBAL const f32 *mass) {
    for (i32 j = 0; j < MBP_ROW; j++) {
        const f32 px = x[from + j], py = y[from + j], pz = z[from + j], m = mass[from + j];
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 dx = px - to->x[l], dy = py - to->y[l], dz = pz - to->z[l];
            const f32 inverse = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
            const f32 r = j == l ? 0.0f : inverse;
            to->sum[l] = mad(m, r, to->sum[l]);
            to->rough[l] = mad(r, r, to->rough[l]);
        }
    }
}

/* The row that a place is in, and whether it is another than that of the place before. */
static inline u32 mbp_lanes_row(index_t k, GLOBAL const u32 *places) {
    return places[k] / MBP_ROW;
}
static inline u32 mbp_lanes_head(index_t k, GLOBAL const u32 *places) {
    return k == 0 || places[k] / MBP_ROW != places[k - 1] / MBP_ROW;
}

/* Bounds of the members of row rows[t]. */
static inline void mbp_lanes_bound(
    index_t t, GLOBAL const u32 *rows, f64 softening, f32 tolerance, i32 fine, i64 levels,
    GLOBAL const f32 *depth, GLOBAL const i64 *level, GLOBAL const i64 *offset,
    GLOBAL const u32 *row_halo, GLOBAL const u32 *extent, GLOBAL const u32 *heaviest,
    GLOBAL const u32 *order, GLOBAL const f32 *x, GLOBAL const f32 *y, GLOBAL const f32 *z,
    GLOBAL const f32 *mass, GLOBAL const f32 *node_x, GLOBAL const f32 *node_y,
    GLOBAL const f32 *node_z, GLOBAL const f32 *node_mass, GLOBAL const f32 *node_square,
    GLOBAL const f32 *node_reach, GLOBAL f32 *low, GLOBAL f32 *high) {
    const i64 own = rows[t], halo = row_halo[own], first = mbp_first_row(offset, halo);
    const i64 count =
        min(mbp_members(offset, halo) - (own - first) * MBP_ROW, (i64)MBP_ROW);
    if (count <= 0 || !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
        return;
    mbp_walk_eye eye;
    eye.soft2 = mbp_walk_soft2(softening, extent[halo]);
    eye.tolerance = tolerance * depth[halo];
    mbp_lanes to;
    mbp_lanes_totals totals;
    mbp_lanes_begin(&to, &totals, &eye, own * MBP_ROW, count, x, y, z);
    i32 terms = 0;
    for (mbp_walk_at at = mbp_walk_start(halo, 0, 1, levels, level, offset);
         mbp_walk_more(&at);) {
        const i64 n = at.here + at.i;
        mbp_walk_node node;
        if (mbp_walk_is_far(&eye, node_x[n], node_y[n], node_z[n], node_mass[n],
                            node_square[n], node_reach[n], &node)) {
            mbp_lanes_far(&to, &node, fine, eye.soft2);
            totals.far_rough += (f64)node.rough;
            terms++;
        } else if (at.level == 0) {
            const i64 row = first + at.i;
            if (row == own)
                mbp_lanes_own(&to, own * MBP_ROW, eye.soft2, x, y, z, mass);
            else
                mbp_lanes_near(&to, row * MBP_ROW, fine, eye.soft2, x, y, z, mass);
            terms += MBP_ROW;
        } else {
            mbp_walk_open(&at, level);
            continue;
        }
        mbp_walk_pass(&at, level);
        if (terms > 48) {
            mbp_lanes_flush(&to, &totals);
            terms = 0;
        }
    }
    mbp_lanes_flush(&to, &totals);
    for (i32 k = 0; k < count; k++) {
        const u32 slot = order[own * MBP_ROW + k];
        const mbp_pairs_range range = mbp_pairs_claim(
            totals.sum[k], totals.rough[k] + totals.far_rough, 0.505 * totals.spread[k],
            1.01 * totals.spread[k], fine ? MBP_PAIRS_FINE : MBP_PAIRS_ROUGH, eye.soft2);
        low[slot] = max(low[slot], range.low);
        high[slot] = min(high[slot], range.high);
    }
}

#endif
