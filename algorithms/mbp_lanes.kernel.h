/* The walk of mbp_walk.kernel.h for processors with vectors: by up to 16 members together,
 * which see what is far from all of them as one potential, linear in the place, and 16
 * nodes at a time.
 *
 * With D^2 = |x - c|^2 and r the distance of x from a member at c + y, of which 2 (x - c).y
 * = D^2 + y^2 - r^2,
 *   1 / r - 1 / D - (x - c).y / D^3 = (D - r)^2 (2 D + r) / (2 D^3 r) - y^2 / (2 D^3),
 * and as |D - r| <= |y|, this is from -y^2 / (2 D^3) up to y^2 / (D^2 r): the theorem of
 * mbp_walk.kernel.h where only boxes are apart, by g <= r. It holds for a place t + e
 * around the middle t of those who walk as it does for a member: with R = t - c, |e| <= h,
 *   -h^2 / (2 R^3) <= 1 / |R + e| - 1 / R + R.e / R^3 <= h^2 / (R^2 D),
 * where D >= max(R - h, g). Softening is a distance along an axis of its own, in all of
 * them.
 *
 * Rounding: boxes and middles are those of rounded places, so that a center is off by half
 * an error of a place more: the factor 1.2 of `rough`. g is above 3e-4, a thousand times
 * the error of boxes, which the factor 1.01 covers. r^3 is computed to 2^-20, and the slope
 * counts at most as much as the sum where h < R, and as `spread` where not; so sums of at
 * most 64 terms hold what mbp_pairs.kernel.h says of them. */
#ifndef WEFT_MBP_LANES_KERNEL_H
#define WEFT_MBP_LANES_KERNEL_H

#include "mbp_tiles.kernel.h"
#include "mbp_walk.kernel.h"

enum { MBP_LANES_STACK = 160, MBP_LANES_LOOKS = 64, MBP_LANES_ROWS = 4 };

/* Where nodes may be off by less, pairs are summed as closely, too. */
CONSTANT f32 MBP_LANES_FINE = 2e-3f;

/* A box and a ball around those who walk together. */
typedef struct mbp_lanes_eye {
    f32 low[3], high[3], middle[3], reach, soft2;
} mbp_lanes_eye;

/* Sums over what is far, a lane a node, and over all lanes. */
typedef struct mbp_lanes_sums {
    f32 sum[MBP_ROW], slope_x[MBP_ROW], slope_y[MBP_ROW], slope_z[MBP_ROW];
    f32 spread[MBP_ROW], rough[MBP_ROW];
    f64 all_sum, all_slope[3], all_spread, all_rough;
} mbp_lanes_sums;

static inline void mbp_lanes_clear(mbp_lanes_sums *s) {
    for (i32 k = 0; k < MBP_ROW; k++) {
        s->sum[k] = s->slope_x[k] = s->slope_y[k] = s->slope_z[k] = 0.0f;
        s->spread[k] = s->rough[k] = 0.0f;
    }
    s->all_sum = s->all_spread = s->all_rough = 0.0;
    s->all_slope[0] = s->all_slope[1] = s->all_slope[2] = 0.0;
}

static inline void mbp_lanes_flush(mbp_lanes_sums *s) {
    for (i32 k = 0; k < MBP_ROW; k++) {
        s->all_sum += (f64)s->sum[k];
        s->all_slope[0] += (f64)s->slope_x[k];
        s->all_slope[1] += (f64)s->slope_y[k];
        s->all_slope[2] += (f64)s->slope_z[k];
        s->all_spread += (f64)s->spread[k];
        s->all_rough += (f64)s->rough[k];
    }
    for (i32 k = 0; k < MBP_ROW; k++) {
        s->sum[k] = s->slope_x[k] = s->slope_y[k] = s->slope_z[k] = 0.0f;
        s->spread[k] = s->rough[k] = 0.0f;
    }
}

/* Those in `places`; an empty lane stands where the first does. */
static inline void mbp_lanes_gather(mbp_pairs_lanes *to, mbp_lanes_eye *eye,
                                    GLOBAL const u32 *places, i32 count,
                                    GLOBAL const f32 *x, GLOBAL const f32 *y,
                                    GLOBAL const f32 *z) {
    f32 square = 0.0f;
    for (i32 l = 0; l < MBP_ROW; l++) {
        const u32 p = places[l < count ? l : 0];
        to->slot[l] = p;
        to->x[l] = x[p];
        to->y[l] = y[p];
        to->z[l] = z[p];
    }
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
    for (i32 axis = 0; axis < 3; axis++) {
        eye->middle[axis] = 0.5f * (eye->low[axis] + eye->high[axis]);
        square += (eye->high[axis] - eye->low[axis]) * (eye->high[axis] - eye->low[axis]);
    }
    eye->reach = 0.50001f * sqrt(square) + 1e-6f;
}

/* The gap between two intervals, without a branch. */
static inline f32 mbp_lanes_gap(f32 low, f32 high, f32 other_low, f32 other_high) {
    const f32 gap = 0.5f * (fabs((other_low + other_high) - (low + high)) -
                            ((other_high - other_low) + (high - low)));
    return 0.5f * (gap + fabs(gap));
}

/* Adds those nodes of a tile that may be off by no more than `tolerance`; of the others a
 * bit each. */
static inline u32 mbp_lanes_look(mbp_lanes_sums *s, const mbp_lanes_eye *at, f32 tolerance,
                                 GLOBAL const mbp_tile *n) {
    const f32 h2 = at->reach * at->reach, soft2 = at->soft2 + 1e-18f;
    u32 open = 0;
    for (i32 k = 0; k < MBP_ROW; k++) {
        const f32 dx = n->x[k] - at->middle[0], dy = n->y[k] - at->middle[1],
                  dz = n->z[k] - at->middle[2];
        const f32 gx = mbp_lanes_gap(at->low[0], at->high[0], n->low_x[k], n->high_x[k]),
                  gy = mbp_lanes_gap(at->low[1], at->high[1], n->low_y[k], n->high_y[k]),
                  gz = mbp_lanes_gap(at->low[2], at->high[2], n->low_z[k], n->high_z[k]);
        const f32 apart2 = mad(gx, gx, mad(gy, gy, gz * gz)), g2 = apart2 + soft2;
        const f32 r2 = mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2)));
        const f32 about = rsqrt(r2), r = about * (1.5f - 0.5f * r2 * about * about);
        const f32 g = rsqrt(g2);
        const f32 least = 1.0f / max(r2 * r - at->reach, g2 * g);
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

/* Tiles that wait to be looked at: the number in the halo's level. */
typedef struct mbp_lanes_stack {
    i32 count, level[MBP_LANES_STACK];
    i64 tile[MBP_LANES_STACK];
} mbp_lanes_stack;

static inline void mbp_lanes_push(mbp_lanes_stack *stack, i32 level, i64 tile) {
    stack->level[stack->count] = level;
    stack->tile[stack->count] = tile;
    stack->count++;
}

/* Sums of what is far and what is near for members in ascending slots, the last of them in
 * row own_end. */
static inline void mbp_lanes_walk(mbp_lanes_sums *far, mbp_pairs_lanes *near,
                                  const mbp_lanes_eye *eye, i64 own_end, i64 halo,
                                  f32 tolerance, i32 is_fine, GLOBAL const i64 *level,
                                  GLOBAL const i64 *offset, GLOBAL const mbp_tile *tile,
                                  GLOBAL const f32 *x, GLOBAL const f32 *y,
                                  GLOBAL const f32 *z, GLOBAL const f32 *mass) {
    const i64 first = mbp_first_row(offset, halo), own = near->slot[0] / MBP_ROW;
    const f32 soft2 = eye->soft2;
    mbp_lanes_stack wait;
    i32 top = 0, looks = 0, rows = 0;
    while (mbp_tiles_count(offset, halo, top) > 1)
        top++;
    mbp_lanes_clear(far);
    mbp_pairs_clear(near);
    wait.count = 0;
    mbp_lanes_push(&wait, top, 0);
    while (wait.count > 0) {
        const i32 l = wait.level[--wait.count];
        const i64 t = wait.tile[wait.count];
        u32 open = mbp_lanes_look(far, eye, tolerance,
                                  tile + level[l] + mbp_tiles_first(offset, halo, l) + t);
        if (++looks % MBP_LANES_LOOKS == 0)
            mbp_lanes_flush(far);
        while (open) {
            const i32 k = 31 - (i32)clz(open);
            const i64 i = t * MBP_ROW + k, row = first + i;
            open ^= 1u << k;
            if (l > 0) {
                mbp_lanes_push(&wait, l - 1, i);
                continue;
            }
            if (row >= own && row <= own_end)
                mbp_pairs_meet(near, row * MBP_ROW, 1, 1, soft2, x, y, z, mass);
            else if (is_fine)
                mbp_pairs_meet(near, row * MBP_ROW, 0, 1, soft2, x, y, z, mass);
            else
                mbp_pairs_meet(near, row * MBP_ROW, 0, 0, soft2, x, y, z, mass);
            if (++rows % MBP_LANES_ROWS == 0)
                mbp_pairs_flush(near);
        }
    }
    mbp_lanes_flush(far);
    mbp_pairs_flush(near);
}

/* Bounds of those who walk, and the largest of the upper ones. */
static inline f32 mbp_lanes_claim(const mbp_lanes_sums *from, const mbp_pairs_lanes *near,
                                  const mbp_lanes_eye *eye, i32 count, i32 is_fine,
                                  GLOBAL const u32 *order, GLOBAL f32 *low,
                                  GLOBAL f32 *high) {
    const f64 off = is_fine ? MBP_PAIRS_FINE : MBP_PAIRS_ROUGH;
    f32 most = 0.0f;
    for (i32 l = 0; l < count; l++) {
        const u32 slot = order[near->slot[l]];
        const f64 far = from->all_sum +
                        from->all_slope[0] * (f64)(near->x[l] - eye->middle[0]) +
                        from->all_slope[1] * (f64)(near->y[l] - eye->middle[1]) +
                        from->all_slope[2] * (f64)(near->z[l] - eye->middle[2]);
        const mbp_pairs_range range = mbp_pairs_claim(
            near->all_mass[l] + far, near->all_square[l] + from->all_rough,
            0.505 * from->all_spread, 1.01 * from->all_spread, off, eye->soft2);
        low[slot] = max(low[slot], range.low);
        high[slot] = min(high[slot], range.high);
        most = max(most, high[slot]);
    }
    return most;
}

/* Bounds of the members in places[16 t .. 16 t + 15], those of a halo together. A node may
 * be off by `tolerance` of the halo's depth, and by an eighth of that in each further one
 * of `walks`, which end where none may be the most bound one any more. */
static inline void mbp_lanes_bound(index_t t, i64 targets, f64 softening, f32 tolerance,
                                   i32 walks, GLOBAL const u32 *places,
                                   GLOBAL const u32 *best, GLOBAL const i64 *level,
                                   GLOBAL const i64 *offset, GLOBAL const u32 *row_halo,
                                   GLOBAL const u32 *extent, GLOBAL const u32 *heaviest,
                                   GLOBAL const u32 *order, GLOBAL const mbp_tile *tile,
                                   GLOBAL const f32 *x, GLOBAL const f32 *y,
                                   GLOBAL const f32 *z, GLOBAL const f32 *mass,
                                   GLOBAL f32 *low, GLOBAL f32 *high) {
    const i64 end = min((i64)(t + 1) * MBP_ROW, targets);
    for (i64 k = (i64)t * MBP_ROW, next; k < end; k = next) {
        const i64 halo = row_halo[places[k] / MBP_ROW];
        i32 count = 0;
        for (next = k; next < end && row_halo[places[next] / MBP_ROW] == halo; next++)
            count += mbp_rank(offset, halo, places[next]) < mbp_members(offset, halo);
        if (count == 0 || !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
            continue;
        mbp_lanes_sums far;
        mbp_pairs_lanes near;
        mbp_lanes_eye eye;
        mbp_lanes_gather(&near, &eye, places + k, count, x, y, z);
        eye.soft2 = mbp_walk_soft2(softening, extent[halo]);
        const i64 own_end = places[k + count - 1] / MBP_ROW;
        const f32 depth = mbp_depth((index_t)halo, offset, best);
        f32 off = tolerance;
        for (i32 walk = 0; walk < walks; walk++) {
            const i32 is_fine = off < MBP_LANES_FINE;
            mbp_lanes_walk(&far, &near, &eye, own_end, halo, off * depth, is_fine, level,
                           offset, tile, x, y, z, mass);
            if (mbp_lanes_claim(&far, &near, &eye, count, is_fine, order, low, high) <
                bits_f32(best[halo]))
                break;
            off *= 0.125f;
        }
    }
}

#endif
