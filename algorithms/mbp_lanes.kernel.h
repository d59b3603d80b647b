/* The walk of mbp_walk.kernel.h for processors with vectors: by the 16 members of a row
 * together, four siblings at a time; and before it by all rows of a block, which see what
 * is far from all of them as one potential, linear in the place.
 *
 * Let t be the middle of the block, whose places are at most h from it, and R = t - c. The
 * theorem holds for a place t + e as it does for a member: with |e| <= h < |R|,
 *   -h^2 / (2 R^3) <= 1 / |R + e| - 1 / R + R.e / R^3 <= h^2 / (R^2 (R - h)),
 * and D >= R - h. */
#ifndef WEFT_MBP_LANES_KERNEL_H
#define WEFT_MBP_LANES_KERNEL_H

#include "mbp_walk.kernel.h"

enum {
    MBP_LANES_BLOCK = 16,
    MBP_LANES_FEW = 4,
    MBP_LANES_STACK = 320,
    MBP_LANES_NEAR = 256
};

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

/* Nodes that are looked at together, those of four nodes; where there is none, the mass is
 * below 0. `spread` and `rough` as of mbp_walk_node. */
typedef struct mbp_lanes_nodes {
    f32 x[MBP_ROW], y[MBP_ROW], z[MBP_ROW], mass[MBP_ROW], square[MBP_ROW], reach[MBP_ROW];
    f32 spread[MBP_ROW], rough[MBP_ROW];
    i32 is_far[MBP_ROW];
} mbp_lanes_nodes;

/* How far outside an interval a number is, without a branch. */
static inline f32 mbp_lanes_outside(f32 x, f32 low, f32 high) {
    const f32 out = fabs(x - 0.5f * (low + high)) - 0.5f * (high - low);
    return 0.5f * (out + fabs(out));
}

/* As mbp_walk_is_far, but from 1e-3 on. Distances by rsqrt are off by 2^-17, and gaps,
 * above a tenth of them, by ten times that; boxes by 4e-7: the factor 1.01 covers all. */
static inline void mbp_lanes_test(mbp_lanes_nodes *n, const mbp_walk_eye *eye) {
    for (i32 k = 0; k < MBP_ROW; k++) {
        const f32 dx = mbp_lanes_outside(n->x[k], eye->low[0], eye->high[0]);
        const f32 dy = mbp_lanes_outside(n->y[k], eye->low[1], eye->high[1]);
        const f32 dz = mbp_lanes_outside(n->z[k], eye->low[2], eye->high[2]);
        const f32 d2 = dx * dx + dy * dy + dz * dz, d = d2 * rsqrt(d2);
        const f32 gap = d - n->reach[k];
        n->is_far[k] = (gap > 0.1f * d) & (d2 > 1e-6f) & (n->mass[k] > 0.0f) &
                       (n->square[k] <= eye->tolerance * (d2 * gap));
        n->spread[k] = n->square[k] * (d / gap);
        n->rough[k] = n->mass[k] / d2;
    }
}

static inline void mbp_lanes_far(mbp_lanes *to, const mbp_lanes_nodes *n, i32 k, i32 fine,
                                 f32 soft2) {
    const f32 nx = n->x[k], ny = n->y[k], nz = n->z[k];
    const f32 mass = n->mass[k], spread = n->spread[k];
    for (i32 l = 0; l < MBP_ROW; l++) {
        const f32 dx = nx - to->x[l], dy = ny - to->y[l], dz = nz - to->z[l];
        const f32 s2 = mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2)));
        const f32 r = fine ? rsqrt(s2) : rsqrt_rough(s2);
        to->sum[l] = mad(mass, r, to->sum[l]);
        to->spread[l] = mad(spread, r * r * r, to->spread[l]);
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

/* The block that a row is in begins at this row. */
static inline i64 mbp_lanes_block_of(i64 row, GLOBAL const i64 *offset,
                                     GLOBAL const u32 *row_halo) {
    const i64 first = mbp_first_row(offset, row_halo[row]);
    return first + (row - first) / MBP_LANES_BLOCK * MBP_LANES_BLOCK;
}

static inline u32 mbp_lanes_number(index_t k, u32 first) {
    return first + (u32)k;
}
static inline u32 mbp_lanes_begins(index_t k, GLOBAL const u32 *rows,
                                   GLOBAL const i64 *offset, GLOBAL const u32 *row_halo) {
    return k == 0 || mbp_lanes_block_of(rows[k], offset, row_halo) !=
                         mbp_lanes_block_of(rows[k - 1], offset, row_halo);
}

/* Siblings that wait to be looked at: the first of them in the halo's level. */
typedef struct mbp_lanes_stack {
    i32 count, level[MBP_LANES_STACK];
    i64 first[MBP_LANES_STACK];
} mbp_lanes_stack;

static inline void mbp_lanes_push(mbp_lanes_stack *stack, i32 level, i64 first) {
    stack->level[stack->count] = level;
    stack->first[stack->count] = first;
    stack->count++;
}

/* The largest nodes of a halo. */
static inline void mbp_lanes_top(mbp_lanes_stack *stack, i64 halo, i64 levels,
                                 GLOBAL const i64 *offset) {
    i32 top = 0;
    while (top + 1 < levels && mbp_tree_count(offset, halo, top) > MBP_TREE_FAN)
        top++;
    mbp_lanes_push(stack, top, 0);
}

/* What a block sees: masses far from it, and what is left for its rows. */
typedef struct mbp_lanes_view {
    f32 middle[3], reach;
    f64 sum, slope[3], spread, rough;
    mbp_lanes_stack near;
} mbp_lanes_view;

static inline void mbp_lanes_view_all(mbp_lanes_view *view, i64 halo, i64 levels,
                                      GLOBAL const i64 *offset) {
    view->middle[0] = view->middle[1] = view->middle[2] = 0.0f;
    view->sum = view->slope[0] = view->slope[1] = view->slope[2] = 0.0;
    view->spread = view->rough = 0.0;
    view->near.count = 0;
    mbp_lanes_top(&view->near, halo, levels, offset);
}

/* The ball around the places of rows[begin, end). */
static inline void mbp_lanes_place(mbp_lanes_view *view, i64 begin, i64 end, i64 last,
                                   GLOBAL const u32 *rows, GLOBAL const f32 *x,
                                   GLOBAL const f32 *y, GLOBAL const f32 *z) {
    f32 low[3] = {4.0f, 4.0f, 4.0f}, high[3] = {-4.0f, -4.0f, -4.0f}, square = 0.0f;
    for (i64 k = begin; k < end; k++) {
        const i64 first = (i64)rows[k] * MBP_ROW;
        for (i64 p = first; p < min(first + MBP_ROW, last); p++) {
            low[0] = min(low[0], x[p]);
            low[1] = min(low[1], y[p]);
            low[2] = min(low[2], z[p]);
            high[0] = max(high[0], x[p]);
            high[1] = max(high[1], y[p]);
            high[2] = max(high[2], z[p]);
        }
    }
    for (i32 axis = 0; axis < 3; axis++) {
        view->middle[axis] = 0.5f * (low[axis] + high[axis]);
        square += (high[axis] - low[axis]) * (high[axis] - low[axis]);
    }
    view->reach = 0.50001f * sqrt(square) + 1e-6f;
}

/* Whether a node is far from all of a block, and then adds it. */
static inline i32 mbp_lanes_adds(mbp_lanes_view *view, f32 soft2, f32 tolerance, f32 x,
                                 f32 y, f32 z, f32 mass, f32 square, f32 node_reach) {
    const f32 dx = x - view->middle[0], dy = y - view->middle[1], dz = z - view->middle[2];
    const f32 d2 = dx * dx + dy * dy + dz * dz, d = sqrt(d2), h = view->reach;
    const f32 least = d - h, gap = least - node_reach;
    if (!(gap > 0.1f * d && d2 > 1e-8f))
        return 0;
    const f32 off = square / (least * least * gap) + mass * h * h / (d2 * least);
    if (!(off <= tolerance))
        return 0;
    const f32 r = 1.0f / sqrt(d2 + soft2), slope = mass * r * r * r;
    view->sum += (f64)(mass * r);
    view->slope[0] += (f64)(slope * dx);
    view->slope[1] += (f64)(slope * dy);
    view->slope[2] += (f64)(slope * dz);
    view->spread += (f64)off;
    view->rough += (f64)(mass / (least * least));
    return 1;
}

/* Looks at all of a halo; leaves whose parents are not far are left for the rows. 0 where
 * there are too many of them. */
static inline i32 mbp_lanes_look(mbp_lanes_view *view, i64 halo, f32 soft2, f32 tolerance,
                                 i64 levels, GLOBAL const i64 *level,
                                 GLOBAL const i64 *offset, GLOBAL const f32 *node_x,
                                 GLOBAL const f32 *node_y, GLOBAL const f32 *node_z,
                                 GLOBAL const f32 *node_mass, GLOBAL const f32 *node_square,
                                 GLOBAL const f32 *node_reach) {
    mbp_lanes_stack open;
    open.count = view->near.count = 0;
    mbp_lanes_top(&open, halo, levels, offset);
    while (open.count > 0 && view->near.count < MBP_LANES_NEAR) {
        const i32 l = open.level[--open.count];
        const i64 first = open.first[open.count];
        const i64 end = min(first + MBP_TREE_FAN, mbp_tree_count(offset, halo, l));
        if (l == 0)
            mbp_lanes_push(&view->near, l, first);
        for (i64 i = first; l > 0 && i < end; i++) {
            const i64 n = level[l] + mbp_tree_first(offset, halo, l) + i;
            if (!mbp_lanes_adds(view, soft2, tolerance, node_x[n], node_y[n], node_z[n],
                                node_mass[n], node_square[n], node_reach[n]))
                mbp_lanes_push(&open, l - 1, i * MBP_TREE_FAN);
        }
    }
    return open.count == 0;
}

/* Bounds of the members of a row. */
static inline void
mbp_lanes_row_bound(i64 own, const mbp_lanes_view *view, i64 halo, f32 soft2, f32 tolerance,
                    i32 fine, GLOBAL const i64 *level, GLOBAL const i64 *offset,
                    GLOBAL const u32 *order, GLOBAL const f32 *x, GLOBAL const f32 *y,
                    GLOBAL const f32 *z, GLOBAL const f32 *mass, GLOBAL const f32 *node_x,
                    GLOBAL const f32 *node_y, GLOBAL const f32 *node_z,
                    GLOBAL const f32 *node_mass, GLOBAL const f32 *node_square,
                    GLOBAL const f32 *node_reach, GLOBAL f32 *low, GLOBAL f32 *high) {
    const i64 first_row = mbp_first_row(offset, halo);
    const i64 count =
        min(mbp_members(offset, halo) - (own - first_row) * MBP_ROW, (i64)MBP_ROW);
    mbp_walk_eye eye;
    eye.soft2 = soft2;
    eye.tolerance = tolerance;
    mbp_lanes to;
    mbp_lanes_totals totals;
    mbp_lanes_begin(&to, &totals, &eye, own * MBP_ROW, count, x, y, z);
    mbp_lanes_stack open;
    for (open.count = 0; open.count < view->near.count; open.count++) {
        open.level[open.count] = view->near.level[open.count];
        open.first[open.count] = view->near.first[open.count];
    }
    while (open.count > 0) {
        mbp_lanes_nodes n;
        i32 l[MBP_TREE_FAN], far[MBP_ROW], near[MBP_ROW], fars = 0, nears = 0;
        i64 first[MBP_TREE_FAN];
        for (i32 q = 0; q < MBP_TREE_FAN; q++) {
            const i32 is = open.count > 0;
            open.count -= is;
            l[q] = is ? open.level[open.count] : 0;
            first[q] = is ? open.first[open.count] : 0;
            const i64 there = mbp_tree_count(offset, halo, l[q]) - first[q];
            const i64 at = level[l[q]] + mbp_tree_first(offset, halo, l[q]) + first[q];
            for (i32 k = 0; k < MBP_TREE_FAN; k++) {
                n.x[q * MBP_TREE_FAN + k] = node_x[at + k];
                n.y[q * MBP_TREE_FAN + k] = node_y[at + k];
                n.z[q * MBP_TREE_FAN + k] = node_z[at + k];
                n.square[q * MBP_TREE_FAN + k] = node_square[at + k];
                n.reach[q * MBP_TREE_FAN + k] = node_reach[at + k];
                n.mass[q * MBP_TREE_FAN + k] = is && k < there ? node_mass[at + k] : -1.0f;
            }
        }
        mbp_lanes_test(&n, &eye);
        for (i32 k = 0; k < MBP_ROW; k++) {
            far[fars] = near[nears] = k;
            fars += n.is_far[k];
            nears += !n.is_far[k] & (n.mass[k] > 0.0f);
        }
        for (i32 k = 0; k < fars; k++) {
            mbp_lanes_far(&to, &n, far[k], fine, soft2);
            totals.far_rough += (f64)n.rough[far[k]];
        }
        mbp_lanes_flush(&to, &totals);
        for (i32 k = 0, terms = 0; k < nears; k++) {
            const i32 q = near[k] / MBP_TREE_FAN;
            const i64 i = first[q] + near[k] % MBP_TREE_FAN;
            if (l[q] > 0) {
                mbp_lanes_push(&open, l[q] - 1, i * MBP_TREE_FAN);
                continue;
            }
            if (first_row + i == own)
                mbp_lanes_own(&to, own * MBP_ROW, soft2, x, y, z, mass);
            else
                mbp_lanes_near(&to, (first_row + i) * MBP_ROW, fine, soft2, x, y, z, mass);
            terms += MBP_ROW;
            if (terms == 3 * MBP_ROW) {
                mbp_lanes_flush(&to, &totals);
                terms = 0;
            }
        }
    }
    mbp_lanes_flush(&to, &totals);
    for (i32 k = 0; k < count; k++) {
        const u32 slot = order[own * MBP_ROW + k];
        const f64 far = view->sum + view->slope[0] * (f64)(to.x[k] - view->middle[0]) +
                        view->slope[1] * (f64)(to.y[k] - view->middle[1]) +
                        view->slope[2] * (f64)(to.z[k] - view->middle[2]);
        const f64 spread = totals.spread[k] + view->spread;
        const mbp_pairs_range range = mbp_pairs_claim(
            totals.sum[k] + far, totals.rough[k] + totals.far_rough + view->rough,
            0.505 * spread, 1.01 * spread, fine ? MBP_PAIRS_FINE : MBP_PAIRS_ROUGH, soft2);
        low[slot] = max(low[slot], range.low);
        high[slot] = min(high[slot], range.high);
    }
}

/* Bounds of the members of the rows of a block: those from rows[begins[t]] on. */
static inline void mbp_lanes_bound(
    index_t t, i64 blocks, i64 count, f64 softening, f32 tolerance, i32 fine, i64 levels,
    GLOBAL const u32 *begins, GLOBAL const u32 *rows, GLOBAL const f32 *depth,
    GLOBAL const i64 *level, GLOBAL const i64 *offset, GLOBAL const u32 *row_halo,
    GLOBAL const u32 *extent, GLOBAL const u32 *heaviest, GLOBAL const u32 *order,
    GLOBAL const f32 *x, GLOBAL const f32 *y, GLOBAL const f32 *z, GLOBAL const f32 *mass,
    GLOBAL const f32 *node_x, GLOBAL const f32 *node_y, GLOBAL const f32 *node_z,
    GLOBAL const f32 *node_mass, GLOBAL const f32 *node_square,
    GLOBAL const f32 *node_reach, GLOBAL f32 *low, GLOBAL f32 *high) {
    const i64 begin = begins[t], halo = row_halo[rows[begin]];
    const i64 last = mbp_first_row(offset, halo) * MBP_ROW + mbp_members(offset, halo);
    i64 end = t + 1 < blocks ? (i64)begins[t + 1] : count;
    while (end > begin && (i64)rows[end - 1] * MBP_ROW >= last)
        end--;
    if (begin == end || !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
        return;
    const f32 soft2 = mbp_walk_soft2(softening, extent[halo]);
    const f32 most = tolerance * depth[halo];
    mbp_lanes_view view;
    mbp_lanes_view_all(&view, halo, levels, offset);
    if (end - begin >= MBP_LANES_FEW &&
        mbp_members(offset, halo) > MBP_LANES_FEW * MBP_LANES_BLOCK * MBP_ROW) {
        mbp_lanes_place(&view, begin, end, last, rows, x, y, z);
        if (!mbp_lanes_look(&view, halo, soft2, 0.25f * most, levels, level, offset, node_x,
                            node_y, node_z, node_mass, node_square, node_reach))
            mbp_lanes_view_all(&view, halo, levels, offset);
    }
    for (i64 k = begin; k < end; k++)
        mbp_lanes_row_bound(rows[k], &view, halo, soft2, most, fine, level, offset, order,
                            x, y, z, mass, node_x, node_y, node_z, node_mass, node_square,
                            node_reach, low, high);
}

#endif
