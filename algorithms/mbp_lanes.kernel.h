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

static inline void mbp_lanes_far(mbp_lanes *to, const mbp_walk_node *n, f32 soft2) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        const f32 dx = n->x - to->x[l], dy = n->y - to->y[l], dz = n->z - to->z[l];
        const f32 r = rsqrt(dx * dx + dy * dy + dz * dz + soft2);
        to->sum[l] += n->mass * r;
        to->spread[l] += n->spread * (r * r * r);
    }
}

/* Pairs with the members of a row; `own`: it is their own row, where none meets itself. */
static inline void mbp_lanes_near(mbp_lanes *to, i64 from, i32 own, f32 soft2,
                                  GLOBAL const f32 *x, GLOBAL const f32 *y,
                                  GLOBAL const f32 *z, GLOBAL const f32 *mass) {
    for (i32 j = 0; j < MBP_ROW; j++) {
        const f32 px = x[from + j], py = y[from + j], pz = z[from + j], m = mass[from + j];
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 dx = px - to->x[l], dy = py - to->y[l], dz = pz - to->z[l];
            const f32 inverse = rsqrt(dx * dx + dy * dy + dz * dz + soft2);
            const f32 r = own && j == l ? 0.0f : inverse;
            to->sum[l] += m * r;
            to->rough[l] += r * r;
        }
    }
}

/* Bounds of the members of row `own`. */
static inline void mbp_lanes_bound(
    index_t own, f64 softening, f32 tolerance, i64 levels, GLOBAL const f32 *depth,
    GLOBAL const i64 *level, GLOBAL const i64 *offset, GLOBAL const u32 *row_halo,
    GLOBAL const u32 *extent, GLOBAL const u32 *heaviest, GLOBAL const u32 *order,
    GLOBAL const f32 *x, GLOBAL const f32 *y, GLOBAL const f32 *z, GLOBAL const f32 *mass,
    GLOBAL const f32 *node_x, GLOBAL const f32 *node_y, GLOBAL const f32 *node_z,
    GLOBAL const f32 *node_mass, GLOBAL const f32 *node_square,
    GLOBAL const f32 *node_reach, GLOBAL f32 *low, GLOBAL f32 *high) {
    const i64 halo = row_halo[own], first = mbp_first_row(offset, halo);
    const i64 count =
        min(mbp_members(offset, halo) - (own - first) * MBP_ROW, (i64)MBP_ROW);
    if (count <= 0 || !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
        return;
    const f64 soft = softening * mbp_pairs_scale(extent[halo]);
    mbp_walk_eye eye;
    eye.soft2 = (f32)(soft * soft);
    eye.tolerance = tolerance * depth[halo];
    mbp_lanes to;
    mbp_lanes_totals totals;
    mbp_lanes_begin(&to, &totals, &eye, own * MBP_ROW, count, x, y, z);
    i32 terms = 0;
    for (mbp_walk_at at = mbp_walk_start(halo, levels, level, offset);
         mbp_walk_more(&at);) {
        const i64 n = at.here + at.i;
        mbp_walk_node node;
        if (mbp_walk_is_far(&eye, node_x[n], node_y[n], node_z[n], node_mass[n],
                            node_square[n], node_reach[n], &node)) {
            mbp_lanes_far(&to, &node, eye.soft2);
            totals.far_rough += (f64)node.rough;
            terms++;
        } else if (at.level == 0) {
            mbp_lanes_near(&to, (first + at.i) * MBP_ROW, first + at.i == own, eye.soft2, x,
                           y, z, mass);
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
        const mbp_pairs_range range =
            mbp_pairs_claim(totals.sum[k], totals.rough[k] + totals.far_rough,
                            0.505 * totals.spread[k], 1.01 * totals.spread[k], eye.soft2);
        low[slot] = max(low[slot], range.low);
        high[slot] = min(high[slot], range.high);
    }
}

#endif
