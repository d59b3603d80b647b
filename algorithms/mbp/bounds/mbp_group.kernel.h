/* Bounds of the potential from a tree, for processors with vectors: up to 16 members walk
 * together, see what is far from all of them as one potential, linear in the place, and
 * look at 16 nodes at a time.
 *
 * With D^2 = |x - c|^2 and r the distance of x from a member at c + y, of which 2 (x - c).y
 * = D^2 + y^2 - r^2,
 *   1 / r - 1 / D - (x - c).y / D^3 = (D - r)^2 (2 D + r) / (2 D^3 r) - y^2 / (2 D^3),
 * and as |D - r| <= |y|, this is from -y^2 / (2 D^3) up to y^2 / (D^2 r): the theorem of
 * mbp_tree64.kernel.h where only boxes are apart, by g <= r. It holds for a place t + e
 * around the middle t of those who walk as it does for a member: with R = t - c, |e| <= h,
 *   -h^2 / (2 R^3) <= 1 / |R + e| - 1 / R + R.e / R^3 <= h^2 / (R^2 D),
 * where D >= max(R - h, g). Softening is a distance along an axis of its own, in all of
 * them.
 *
 * Rounding: boxes and middles are those of rounded places, so that a center is off by half
 * an error of a place more: the factor 1.2 of `rough`. g is above 3e-4, a thousand times
 * the error of boxes, which the factor 1.01 covers. r^3 is computed to 2^-20, and the slope
 * counts at most as much as the sum where h < R, and as `spread` where not; so sums of at
 * most 64 terms hold what mbp_bounds.kernel.h says of them. */
#ifndef WEFT_MBP_GROUP_KERNEL_H
#define WEFT_MBP_GROUP_KERNEL_H

#include "mbp_pairs.kernel.h"
#include "mbp_tiles.kernel.h"

/* Tiles that are looked at in a turn. Of each level, of which there are seven, no more wait
 * than a turn opens: those of lower levels are all looked at before, or in the same turn.
 */
enum { MBP_GROUP_TURN = 8, MBP_GROUP_STACK = 7 * MBP_ROW * MBP_GROUP_TURN };
enum { MBP_GROUP_TERMS = 64, MBP_GROUP_ROWS = 4 };

/* First walks where nodes may be off by less sum pairs as closely, too. The least part of
 * its tolerance that a walk leaves to the next one. */
CONSTANT f32 MBP_GROUP_FINE = 2e-3f;
CONSTANT f32 MBP_GROUP_LEAST = 0.015625f;

/* A box and a ball around those who walk together. */
typedef struct mbp_group_target {
    f32 middle[3], extent[3], reach, soft2;
} mbp_group_target;

/* Sums over what is far, a lane a node, and of all looks. */
typedef struct mbp_group_sums {
    f32 sum[MBP_ROW], slope_x[MBP_ROW], slope_y[MBP_ROW], slope_z[MBP_ROW];
    f32 spread[MBP_ROW], rough[MBP_ROW];
    f64 all_sum[MBP_ROW], all_slope_x[MBP_ROW], all_slope_y[MBP_ROW], all_slope_z[MBP_ROW];
    f64 all_spread[MBP_ROW], all_rough[MBP_ROW];
} mbp_group_sums;

static inline void mbp_group_clear(mbp_group_sums *s) {
    for (i32 k = 0; k < MBP_ROW; k++) {
        s->sum[k] = s->slope_x[k] = s->slope_y[k] = s->slope_z[k] = 0.0f;
        s->spread[k] = s->rough[k] = 0.0f;
        s->all_sum[k] = s->all_spread[k] = s->all_rough[k] = 0.0;
        s->all_slope_x[k] = s->all_slope_y[k] = s->all_slope_z[k] = 0.0;
    }
}

/* To be called after at most 64 looks. */
static inline void mbp_group_flush(mbp_group_sums *s) {
    for (i32 k = 0; k < MBP_ROW; k++) {
        s->all_sum[k] += (f64)s->sum[k];
        s->all_slope_x[k] += (f64)s->slope_x[k];
        s->all_slope_y[k] += (f64)s->slope_y[k];
        s->all_slope_z[k] += (f64)s->slope_z[k];
        s->all_spread[k] += (f64)s->spread[k];
        s->all_rough[k] += (f64)s->rough[k];
        s->sum[k] = s->slope_x[k] = s->slope_y[k] = s->slope_z[k] = 0.0f;
        s->spread[k] = s->rough[k] = 0.0f;
    }
}

/* Those in `places`; an empty lane stands where the first does. */
static inline void mbp_group_gather(mbp_pairs_lanes *to, mbp_group_target *target,
                                    GLOBAL const u32 *places, i32 count, mbp_rounded b) {
    f32 low[3], high[3], square = 0.0f;
    for (i32 l = 0; l < MBP_ROW; l++) {
        const u32 p = places[l < count ? l : 0];
        to->slot[l] = p;
        to->x[l] = b.x[p];
        to->y[l] = b.y[p];
        to->z[l] = b.z[p];
    }
    low[0] = high[0] = to->x[0];
    low[1] = high[1] = to->y[0];
    low[2] = high[2] = to->z[0];
    for (i32 l = 1; l < MBP_ROW; l++) {
        low[0] = min(low[0], to->x[l]);
        low[1] = min(low[1], to->y[l]);
        low[2] = min(low[2], to->z[l]);
        high[0] = max(high[0], to->x[l]);
        high[1] = max(high[1], to->y[l]);
        high[2] = max(high[2], to->z[l]);
    }
    for (i32 axis = 0; axis < 3; axis++) {
        target->middle[axis] = 0.5f * (low[axis] + high[axis]);
        target->extent[axis] = 0.5f * (high[axis] - low[axis]);
        square += target->extent[axis] * target->extent[axis];
    }
    target->reach = 1.00002f * sqrt(square) + 1e-6f;
}

/* The gap between two intervals, from their middles and half of their lengths. */
static inline f32 mbp_group_gap(f32 middle, f32 extent, f32 other, f32 other_extent) {
    return max(fabs(other - middle) - extent - other_extent, 0.0f);
}

/* Adds those nodes of a tile that may be off by no more than `tolerance`; of the others a
 * bit each. */
static inline u32 mbp_group_accept(mbp_group_sums *s, const mbp_group_target *at,
                                   f32 tolerance, GLOBAL const mbp_tile *n) {
    const f32 h2 = at->reach * at->reach, soft2 = at->soft2 + 1e-18f;
    u32 open = 0;
    for (i32 k = 0; k < MBP_ROW; k++) {
        const f32 dx = n->x[k] - at->middle[0], dy = n->y[k] - at->middle[1],
                  dz = n->z[k] - at->middle[2];
        const f32 gx = mbp_group_gap(at->middle[0], at->extent[0], n->middle_x[k],
                                     n->half_x[k]),
                  gy = mbp_group_gap(at->middle[1], at->extent[1], n->middle_y[k],
                                     n->half_y[k]),
                  gz = mbp_group_gap(at->middle[2], at->extent[2], n->middle_z[k],
                                     n->half_z[k]);
        const f32 apart2 = mad(gx, gx, mad(gy, gy, gz * gz)), g2 = apart2 + soft2;
        const f32 r2 = mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2)));
        const f32 about = rsqrt(r2), r = about * (1.5f - 0.5f * r2 * about * about);
        const f32 g = rsqrt(g2), apart = max(r2 * r - at->reach, g2 * g);
        const f32 least = rsqrt(apart * apart);
        const f32 mass = n->mass[k];
        const f32 off = least * (n->square[k] * least * g + mass * h2 * r * r);
        const i32 is = mass >= 0.0f,
                  is_far = is & (apart2 > 1e-11f) & (g2 > 1e-7f) & (off <= tolerance);
        const f32 m = is_far ? mass : 0.0f, slope = m * r * r * r;
        s->sum[k] = mad(m, r, s->sum[k]);
        s->slope_x[k] = mad(slope, dx, s->slope_x[k]);
        s->slope_y[k] = mad(slope, dy, s->slope_y[k]);
        s->slope_z[k] = mad(slope, dz, s->slope_z[k]);
        s->spread[k] += is_far ? off : 0.0f;
        s->rough[k] = mad(1.2f * m, least * least, s->rough[k]);
        open |= (u32)(is & !is_far) << k;
    }
    return open;
}

/* Tiles that wait to be looked at, those of the lowest levels last: 16 times the number in
 * the halo's level, plus the level. */
typedef struct mbp_group_stack {
    i32 count;
    i64 tile[MBP_GROUP_STACK];
} mbp_group_stack;

/* Adds the rows that are near. */
static inline void mbp_group_meet(mbp_pairs_lanes *near, const i64 *row, i32 rows, i64 own,
                                  i64 own_end, i32 how, f32 soft2, mbp_rounded b) {
    for (i32 k = 0; k < rows; k++) {
        const i64 from = row[k] * MBP_ROW;
        if (row[k] >= own && row[k] <= own_end)
            mbp_pairs_meet(near, from, 1, MBP_FINE, soft2, b);
        else if (how == MBP_FINE)
            mbp_pairs_meet(near, from, 0, MBP_FINE, soft2, b);
        else if (how == MBP_ROUGH)
            mbp_pairs_meet(near, from, 0, MBP_ROUGH, soft2, b);
        else
            mbp_pairs_meet(near, from, 0, MBP_GUESS, soft2, b);
        if (k % MBP_GROUP_ROWS == MBP_GROUP_ROWS - 1)
            mbp_pairs_flush(near);
    }
    mbp_pairs_flush(near);
}

/* A tree in tiles: slots in its order; level l begins at tile level[l]. */
typedef struct mbp_tiled {
    GLOBAL const u32 *order;
    GLOBAL const i64 *level;
    GLOBAL const mbp_tile *tile;
} mbp_tiled;

/* Sums of what is far and what is near for members in ascending slots, the last of them in
 * row own_end. Looks take long and do not wait for each other, so that there are some in a
 * turn. */
static inline void mbp_group_walk(mbp_group_sums *far, mbp_pairs_lanes *near,
                                  const mbp_group_target *target, i64 own_end, i64 halo,
                                  f32 tolerance, i32 how, GLOBAL const i64 *offset,
                                  mbp_tiled tree, mbp_rounded b) {
    const i64 first = mbp_first_row(offset, halo), own = near->slot[0] / MBP_ROW;
    mbp_group_stack wait;
    i64 row[MBP_GROUP_TURN * MBP_ROW], at[MBP_GROUP_TURN];
    u32 open[MBP_GROUP_TURN];
    i32 top = 0, looks = 0;
    while (mbp_level_count(offset, halo, top + 1) > 1)
        top++;
    mbp_group_clear(far);
    mbp_pairs_clear(near);
    wait.count = 1;
    wait.tile[0] = top;
    while (wait.count > 0) {
        const i32 turn = min(wait.count, (i32)MBP_GROUP_TURN);
        i32 rows = 0;
        wait.count -= turn;
        for (i32 k = 0; k < turn; k++) {
            const i64 t = at[k] = wait.tile[wait.count + k], l = t % MBP_ROW;
            open[k] =
                mbp_group_accept(far, target, tolerance,
                                 tree.tile + tree.level[l] +
                                     mbp_level_first(offset, halo, l + 1) + t / MBP_ROW);
        }
        for (i32 k = 0; k < turn; k++) {
            const i64 l = at[k] % MBP_ROW, i = at[k] - l;
            for (u32 left = open[k]; left; left &= left - 1u) {
                const i64 node = i + 31 - (i32)clz(left & (0u - left));
                if (l > 0)
                    wait.tile[wait.count++] = node * MBP_ROW + l - 1;
                else
                    row[rows++] = first + node;
            }
        }
        looks += turn;
        if (looks > MBP_GROUP_TERMS - MBP_GROUP_TURN) {
            mbp_group_flush(far);
            looks = 0;
        }
        mbp_group_meet(near, row, rows, own, own_end, how, target->soft2, b);
    }
    mbp_group_flush(far);
}

/* What a walk found: the largest |phi| is about `sum`, of which up to `near` are from
 * pairs, and nodes are off by `spread`; whether none of those who walk can be the most
 * bound one. */
typedef struct mbp_group_result {
    f64 sum, near, spread;
    i32 is_out;
} mbp_group_result;

/* What pairs are off by, of themselves. */
static inline f64 mbp_group_off(i32 how) {
    return how == MBP_GUESS   ? MBP_PAIRS_GUESS
           : how == MBP_ROUGH ? MBP_PAIRS_ROUGH
                              : MBP_PAIRS_FINE;
}

/* Bounds of those who walk. */
static inline mbp_group_result mbp_group_claim(const mbp_group_sums *from,
                                               const mbp_pairs_lanes *near,
                                               const mbp_group_target *target, i32 count,
                                               i32 how, f32 best, GLOBAL const u32 *order,
                                               mbp_bounds to) {
    const f64 sum = mbp_total(from->all_sum), rough = mbp_total(from->all_rough);
    const f64 slope_x = mbp_total(from->all_slope_x),
              slope_y = mbp_total(from->all_slope_y),
              slope_z = mbp_total(from->all_slope_z);
    const f64 squares = how == MBP_GUESS ? 1.08 : 1.0;
    mbp_group_result view = {0.0, 0.0, 1.01 * mbp_total(from->all_spread), 1};
    for (i32 l = 0; l < count; l++) {
        const u32 slot = order[near->slot[l]];
        const f64 all = near->all_mass[l] + sum +
                        slope_x * (f64)(near->x[l] - target->middle[0]) +
                        slope_y * (f64)(near->y[l] - target->middle[1]) +
                        slope_z * (f64)(near->z[l] - target->middle[2]);
        const f64 off = mbp_group_off(how) * near->all_mass[l];
        const mbp_range range =
            mbp_claim(all, squares * near->all_square[l] + rough, 0.5 * view.spread + off,
                      view.spread + off, MBP_PAIRS_FINE, target->soft2);
        mbp_narrow(to, slot, range);
        view.is_out &= to.high[slot] < best;
        view.sum = max(view.sum, all);
        view.near = max(view.near, near->all_mass[l]);
    }
    return view;
}

/* Bounds of the members in places[16 t .. 16 t + 15], those of a halo together. A node may
 * be off by `tolerance` of the halo's depth. While one of them may be the most bound one,
 * they walk again, up to `walks` times in all, so closely that it is likely to tell. */
static inline void mbp_group_bound(index_t t, i64 targets, f32 tolerance, i32 walks,
                                   mbp_halos of, mbp_tiled tree, mbp_rounded b,
                                   GLOBAL const u32 *places, GLOBAL const u32 *best,
                                   mbp_bounds to) {
    const i64 end = min((i64)(t + 1) * MBP_ROW, targets);
    for (i64 k = (i64)t * MBP_ROW, next; k < end; k = next) {
        const i64 halo = mbp_halo(of, places[k]);
        i32 count = 0;
        for (next = k; next < end && mbp_halo(of, places[next]) == halo; next++)
            count += !mbp_is_empty(of, places[next]);
        if (count == 0 || !mbp_holds(of, halo))
            continue;
        mbp_group_sums far;
        mbp_pairs_lanes near;
        mbp_group_target target;
        mbp_group_gather(&near, &target, places + k, count, b);
        target.soft2 = mbp_soft2(of, halo);
        const i64 own_end = places[k + count - 1] / MBP_ROW;
        const f32 depth = mbp_bounds_depth((index_t)halo, of.offset, best);
        const f32 least = MBP_GROUP_LEAST * tolerance;
        f32 off = tolerance;
        i32 how = tolerance < MBP_GROUP_FINE ? MBP_FINE : MBP_GUESS;
        for (i32 walk = 0; walk < walks; walk++) {
            mbp_group_walk(&far, &near, &target, own_end, halo, off * depth, how, of.offset,
                           tree, b);
            const mbp_group_result view = mbp_group_claim(
                &far, &near, &target, count, how, bits_f32(best[halo]), tree.order, to);
            if (view.is_out || off <= least)
                break;
            const f64 room = (f64)bits_f32(best[halo]) - view.sum;
            while (how < MBP_FINE && 12.0 * mbp_group_off(how) * view.near > room)
                how++;
            const f64 part = min(0.25 * room / (view.spread + 1e-30), 0.5);
            off = max((f32)part * off, least);
        }
    }
}

#endif
