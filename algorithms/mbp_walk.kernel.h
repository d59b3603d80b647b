/* Bounds of the potential from a tree.
 *
 * A node of mass M with its center of mass c, seen from a place at the softened distance
 * D = sqrt(|x - c|^2 + softening^2): a member at c + y adds m / sqrt(D^2 - 2 (x - c).y +
 * y^2), which for |y| < D is m sum_n |y|^n / D^(n + 1) P_n(t) with |t| <= 1 (the generating
 * function of Legendre's polynomials; softening is a distance along an axis of its own).
 * The terms n = 1 of all members cancel, -1/2 <= P_2 <= 1 and |P_n| <= 1, so that with Q
 * the sum of m |y|^2, and all |y| <= theta D,
 *   -(1/2 + theta / (1 - theta)) Q / D^3 <= phi's share - M / D <= 1 / (1 - theta) Q / D^3.
 * (Salmon and Warren, "Skeletons from the treecode closet", J. Comput. Phys. 111 (1994)
 * 136, section 3, for the absolute value.) Nearer nodes are opened, nearer leaves are
 * summed pair by pair; places are rounded, and bounded, as in mbp_pairs.kernel.h: D is
 * above 1e-4 there, a thousand times the error of a place, which the factor 1.01 covers. */
#ifndef WEFT_MBP_WALK_KERNEL_H
#define WEFT_MBP_WALK_KERNEL_H

#include "mbp_tree.kernel.h"

/* The 16 members of a leaf: where they are, and their sums of m / s, 1 / s^2 and Q / s^3.
 */
typedef struct mbp_walk_lanes {
    f32 x[MBP_ROW], y[MBP_ROW], z[MBP_ROW];
    f32 sum[MBP_ROW], square[MBP_ROW], spread[MBP_ROW];
} mbp_walk_lanes;

typedef struct mbp_walk_totals {
    f64 sum[MBP_ROW], square[MBP_ROW], spread[MBP_ROW];
} mbp_walk_totals;

/* Adds the f32 sums of a few terms to the totals. */
static inline void mbp_walk_flush(mbp_walk_lanes *to, mbp_walk_totals *totals) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        totals->sum[l] += (f64)to->sum[l];
        totals->square[l] += (f64)to->square[l];
        totals->spread[l] += (f64)to->spread[l];
        to->sum[l] = to->square[l] = to->spread[l] = 0.0f;
    }
}

static inline void mbp_walk_far(mbp_walk_lanes *to, f32 x, f32 y, f32 z, f32 mass,
                                f32 square, f32 soft2) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        const f32 dx = x - to->x[l], dy = y - to->y[l], dz = z - to->z[l];
        const f32 r = rsqrt(dx * dx + dy * dy + dz * dz + soft2), r2 = r * r;
        to->sum[l] += mass * r;
        to->square[l] += mass * r2;
        to->spread[l] += square * (r * r2);
    }
}

/* Pairs with the members of a row; `own`: it is their own row, where none meets itself. */
static inline void mbp_walk_near(mbp_walk_lanes *to, i64 from, i32 own, f32 soft2,
                                 GLOBAL const f32 *x, GLOBAL const f32 *y,
                                 GLOBAL const f32 *z, GLOBAL const f32 *mass) {
    for (i32 j = 0; j < MBP_ROW; j++) {
        const f32 px = x[from + j], py = y[from + j], pz = z[from + j], m = mass[from + j];
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 dx = px - to->x[l], dy = py - to->y[l], dz = pz - to->z[l];
            const f32 inverse = rsqrt(dx * dx + dy * dy + dz * dz + soft2);
            const f32 r = own && j == l ? 0.0f : inverse;
            to->sum[l] += m * r;
            to->square[l] += r * r;
        }
    }
}

/* A box around the members. */
typedef struct mbp_walk_box {
    f32 low[3], high[3];
} mbp_walk_box;

static inline f32 mbp_walk_outside(f32 x, f32 low, f32 high) {
    return max(max(low - x, x - high), 0.0f);
}

static inline void mbp_walk_begin(mbp_walk_lanes *to, mbp_walk_totals *totals,
                                  mbp_walk_box *box, i64 first, i64 count,
                                  GLOBAL const f32 *x, GLOBAL const f32 *y,
                                  GLOBAL const f32 *z) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        const i64 from = l < count ? first + l : first;
        to->x[l] = x[from];
        to->y[l] = y[from];
        to->z[l] = z[from];
        to->sum[l] = to->square[l] = to->spread[l] = 0.0f;
        totals->sum[l] = totals->square[l] = totals->spread[l] = 0.0;
    }
    box->low[0] = box->high[0] = to->x[0];
    box->low[1] = box->high[1] = to->y[0];
    box->low[2] = box->high[2] = to->z[0];
    for (i32 l = 1; l < MBP_ROW; l++) {
        box->low[0] = min(box->low[0], to->x[l]);
        box->low[1] = min(box->low[1], to->y[l]);
        box->low[2] = min(box->low[2], to->z[l]);
        box->high[0] = max(box->high[0], to->x[l]);
        box->high[1] = max(box->high[1], to->y[l]);
        box->high[2] = max(box->high[2], to->z[l]);
    }
}

static inline f32 mbp_walk_start(index_t slot, f64 softening, GLOBAL const i64 *offset,
                                 GLOBAL const u32 *row_halo, GLOBAL const u32 *extent) {
    const i64 halo = row_halo[slot / MBP_ROW];
    return mbp_pairs_unknown(mbp_rank(offset, halo, slot), mbp_members(offset, halo),
                             extent[halo], softening);
}

/* Whether one of a row's members may be the most bound one; its order is the tree's. */
static inline u32 mbp_walk_again(index_t row, GLOBAL const u32 *row_halo,
                                 GLOBAL const u32 *order, GLOBAL const f32 *high,
                                 GLOBAL const u32 *best) {
    const f32 least = bits_f32(best[row_halo[row]]);
    u32 again = 0;
    for (i32 l = 0; l < MBP_ROW; l++)
        again |= high[order[row * MBP_ROW + l]] >= least;
    return again;
}

static inline u32 mbp_walk_row(index_t row, u32 first) {
    return first + (u32)row;
}

/* What it takes to evaluate a slot's member in full, where it may be the most bound one. */
static inline i64 mbp_walk_price(index_t slot, GLOBAL const i64 *offset,
                                 GLOBAL const u32 *row_halo, GLOBAL const f32 *high,
                                 GLOBAL const u32 *best) {
    return mbp_survives(slot, row_halo, high, best)
               ? mbp_members(offset, row_halo[slot / MBP_ROW])
               : 0;
}

/* Narrows the bounds of the members of row rows[t]. Level l of the tree begins at node
 * level[l]; nodes are opened that are nearer than `reach` of them is long. */
static inline void
mbp_walk_bound(index_t t, f64 softening, f32 theta, i64 levels, GLOBAL const u32 *rows,
               GLOBAL const i64 *level, GLOBAL const i64 *offset,
               GLOBAL const u32 *row_halo, GLOBAL const u32 *extent,
               GLOBAL const u32 *heaviest, GLOBAL const u32 *order, GLOBAL const f32 *x,
               GLOBAL const f32 *y, GLOBAL const f32 *z, GLOBAL const f32 *mass,
               GLOBAL const f32 *node_x, GLOBAL const f32 *node_y, GLOBAL const f32 *node_z,
               GLOBAL const f32 *node_mass, GLOBAL const f32 *node_square,
               GLOBAL const f32 *node_reach, GLOBAL f32 *high, GLOBAL u32 *best) {
    const i64 own = rows[t], halo = row_halo[own], first = mbp_first_row(offset, halo);
    const i64 members = mbp_members(offset, halo);
    const i64 count = min(members - (own - first) * MBP_ROW, (i64)MBP_ROW);
    if (count <= 0 || !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
        return;
    const f64 soft = softening * mbp_pairs_scale(extent[halo]);
    const f32 soft2 = (f32)(soft * soft);
    mbp_walk_lanes to;
    mbp_walk_totals totals;
    mbp_walk_box box;
    mbp_walk_begin(&to, &totals, &box, own * MBP_ROW, count, x, y, z);
    i64 top = 0, size = MBP_ROW, i = 0, l, terms = 0;
    while (top + 1 < levels && mbp_tree_count(offset, halo, size) > MBP_TREE_FAN) {
        top++;
        size *= MBP_TREE_FAN;
    }
    l = top;
    i64 here = level[l] + mbp_tree_first(offset, halo, size);
    i64 here_count = mbp_tree_count(offset, halo, size);
    i64 mine = (own - first) / (size / MBP_ROW);
    while (i < here_count) {
        const i64 n = here + i;
        const f32 dx = mbp_walk_outside(node_x[n], box.low[0], box.high[0]);
        const f32 dy = mbp_walk_outside(node_y[n], box.low[1], box.high[1]);
        const f32 dz = mbp_walk_outside(node_z[n], box.low[2], box.high[2]);
        const f32 d2 = dx * dx + dy * dy + dz * dz + soft2;
        const f32 need = max(node_reach[n], 1e-4f * theta);
        if (i != mine && d2 * (theta * theta) > need * need) {
            mbp_walk_far(&to, node_x[n], node_y[n], node_z[n], node_mass[n], node_square[n],
                         soft2);
            terms++;
        } else if (l == 0 && first + i == own) {
            mbp_walk_near(&to, own * MBP_ROW, 1, soft2, x, y, z, mass);
            terms += MBP_ROW;
        } else if (l == 0) {
            mbp_walk_near(&to, (first + i) * MBP_ROW, 0, soft2, x, y, z, mass);
            terms += MBP_ROW;
        } else {
            l--;
            size /= MBP_TREE_FAN;
            i *= MBP_TREE_FAN;
            here = level[l] + mbp_tree_first(offset, halo, size);
            here_count = mbp_tree_count(offset, halo, size);
            mine = (own - first) / (size / MBP_ROW);
            continue;
        }
        if (terms > 48) {
            mbp_walk_flush(&to, &totals);
            terms = 0;
        }
        for (i++; l < top && (i % MBP_TREE_FAN == 0 || i >= here_count); l++) {
            i = (i + MBP_TREE_FAN - 1) / MBP_TREE_FAN;
            size *= MBP_TREE_FAN;
            here = level[l + 1] + mbp_tree_first(offset, halo, size);
            here_count = mbp_tree_count(offset, halo, size);
            mine = (own - first) / (size / MBP_ROW);
        }
    }
    mbp_walk_flush(&to, &totals);
    const f64 ratio = (f64)theta, above = 1.01 / (1.0 - ratio);
    const f64 below = 1.01 * (0.5 + ratio / (1.0 - ratio));
    for (i32 k = 0; k < count; k++) {
        const u32 slot = order[own * MBP_ROW + k];
        high[slot] =
            min(high[slot],
                mbp_pairs_claim(totals.sum[k], totals.square[k], below * totals.spread[k],
                                above * totals.spread[k], soft2, best + halo));
    }
}

#endif
