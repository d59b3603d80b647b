/* Bounds of the potential from sums in f32: what they are off by.
 *
 * A halo is scaled by powers of two, so that its coordinates, relative to its first member,
 * and its masses lie within [-1, 1], and rounded. With s the true softened distance of a
 * pair and s' that of the rounded places:
 *   |s - s'| <= D = sqrt(3) 2^-24 (1 + 2^-20) < 1.04e-7      (2^-25 a coordinate and place)
 * so that for s' >= 4 D
 *   |1/s - 1/s'| <= D / (s' (s' - D)) <= 4/3 D / s'^2.
 * What is computed of m / s' is off by less than 1.25e-5 of itself: 2^-17 of rsqrt, 2^-20
 * of the roundings of differences, squares, sums, masses and products, fused or not, and
 * 2^-18 of sums of 64 terms; parts are added up in f64. With A the computed sum of m / s'
 * and W that of 1 / s'^2, and as scaled masses are below 1, |A - |phi|| <= 1.6e-5 A +
 * 1.41e-7 W, where the second term also has more than room for what is below the range of
 * f32. With rsqrt_rough, off by 2^-10, the first term is 1e-3 A, and W is off by 2^-9, for
 * which there is room; with rsqrt_guess, off by 0.0344, the first is 0.0357 A, and W is
 * taken 1.08 times. A pair with s' < 4 D alone makes W larger than 1 / (17 D^2)
 * = 5.4e12: there nothing is claimed. */
#ifndef WEFT_MBP_BOUNDS_KERNEL_H
#define WEFT_MBP_BOUNDS_KERNEL_H

#include "algorithms/mbp/slots/mbp_slots.kernel.h"

/* Halos with fewer members are short: a work-item with vectors takes one. */
enum { MBP_SHORT = 4096 };

/* As many places as walk together, in the order of a tree. */
enum { MBP_TURN = 32 };

/* How exactly sums of m / s are computed, and what they are off by, of themselves. */
enum { MBP_GUESS, MBP_ROUGH, MBP_FINE };
CONSTANT f64 MBP_PAIRS_FINE = 1.6e-5, MBP_PAIRS_ROUGH = 1e-3, MBP_PAIRS_GUESS = 0.0357;

/* The power of two that brings numbers with a largest exponent just below 1. */
static inline f64 mbp_scale(u32 exponent) {
    return bits_f64((u64)(2045 - exponent) << 52);
}

/* Whether squares, quotients and sums of the halo stay within the range of f64, and the
 * softening within that of f32. */
static inline i32 mbp_in_range(u32 extent, u32 heaviest, f64 softening) {
    return extent > 563 && extent < 1523 && heaviest > 323 && heaviest < 1723 &&
           softening * mbp_scale(extent) < 1e12;
}

static inline i32 mbp_holds(mbp_halos of, i64 halo) {
    return mbp_in_range(of.extent[halo], of.heaviest[halo], of.softening);
}

/* The scaled softening, squared. */
static inline f32 mbp_scaled_soft2(f64 softening, f64 scale) {
    const f64 soft = softening * scale;
    return (f32)(soft * soft);
}
static inline f32 mbp_soft2(mbp_halos of, i64 halo) {
    return mbp_scaled_soft2(of.softening, mbp_scale(of.extent[halo]));
}

/* Whether no pair is far enough apart for its square to be above 0: every potential is 0.
 */
static inline i32 mbp_vanishes(u32 extent, f64 softening) {
    return extent < 480 && softening * softening == 0.0;
}

/* About how deep a halo is, where its members weigh 1 and nothing else is known. */
static inline f32 mbp_bounds_depth(index_t halo, GLOBAL const i64 *offset,
                                   GLOBAL const u32 *best) {
    return best[halo] > 0 ? bits_f32(best[halo]) : (f32)mbp_members(offset, halo);
}

/* Trees of 16 in 16: a block of level l has up to 16^(l + 1) members. */
static inline i64 mbp_level_bits(i64 level) {
    return MBP_ROW_BITS * (level + 1);
}
static inline i64 mbp_level_first(GLOBAL const i64 *offset, i64 halo, i64 level) {
    return pyramid_first(offset[halo], halo, mbp_level_bits(level));
}
static inline i64 mbp_level_count(GLOBAL const i64 *offset, i64 halo, i64 level) {
    return pyramid_count(mbp_members(offset, halo), mbp_level_bits(level));
}

/* The blocks of the level below that block t of a level is made of. */
typedef struct mbp_level_range {
    i64 first, count;
} mbp_level_range;
static inline mbp_level_range mbp_level_below(i64 t, i64 halos, i64 level,
                                              GLOBAL const i64 *offset) {
    const i64 halo = pyramid_owner(t, halos, mbp_level_bits(level), offset);
    const i64 i = (t - mbp_level_first(offset, halo, level)) * MBP_ROW;
    const mbp_level_range below = {mbp_level_first(offset, halo, level - 1) + i,
                                   mbp_level_count(offset, halo, level - 1) - i};
    return below;
}

/* A slot as it is summed; and arrays of them. */
typedef struct __attribute__((aligned(16))) mbp_body {
    f32 x, y, z, mass;
} mbp_body;
typedef struct mbp_rounded {
    GLOBAL const f32 *x, *y, *z, *mass;
} mbp_rounded;

/* Empty ones weigh nothing and stay away. */
static inline mbp_body mbp_bounds_rounded(index_t slot, mbp_halos of, mbp_bodies from) {
    const i64 halo = mbp_halo(of, slot);
    mbp_body body = {3.0f, 3.0f, 3.0f, 0.0f};
    if (mbp_is_empty(of, slot) || !mbp_holds(of, halo))
        return body;
    const f64 scale = mbp_scale(of.extent[halo]);
    body.x = (f32)(from.x[slot] * scale);
    body.y = (f32)(from.y[slot] * scale);
    body.z = (f32)(from.z[slot] * scale);
    body.mass = (f32)(from.mass[slot] * mbp_scale(of.heaviest[halo]));
    return body;
}

/* Into arrays, in the order of a tree, or in that of slots. */
static inline void mbp_bounds_order(index_t place, GLOBAL const u32 *order,
                                    GLOBAL const mbp_body *from, GLOBAL f32 *x,
                                    GLOBAL f32 *y, GLOBAL f32 *z, GLOBAL f32 *mass) {
    const mbp_body body = from[order ? (index_t)order[place] : place];
    x[place] = body.x;
    y[place] = body.y;
    z[place] = body.z;
    mass[place] = body.mass;
}

/* Bounds of |phi|, scaled alike in a halo. */
typedef struct mbp_bounds {
    GLOBAL f32 *low, *high;
} mbp_bounds;

/* Bounds of |phi| of a slot's member, scaled: `low` to `high`. */
typedef struct mbp_range {
    f32 low, high;
} mbp_range;

/* Before anything is summed; of empty slots, and of all but the first where all are 0, such
 * that they are never the most bound. */
static inline void mbp_bounds_nothing(index_t slot, mbp_halos of, mbp_bounds to) {
    const i64 halo = mbp_halo(of, slot), rank = mbp_rank(of.offset, halo, slot);
    const i32 vanishes = mbp_vanishes(of.extent[halo], of.softening);
    const i32 none = rank >= mbp_members(of.offset, halo) || (vanishes && rank > 0);
    to.low[slot] = none ? -1.0f : 0.0f;
    to.high[slot] = none ? -1.0f : vanishes ? 0.0f : bits_f32(0x7f800000u);
}

static inline void mbp_narrow(mbp_bounds to, u32 slot, mbp_range range) {
    to.low[slot] = max(to.low[slot], range.low);
    to.high[slot] = min(to.high[slot], range.high);
}

/* From sums: beyond rounding, |phi| is within [sum - below, sum + above]. */
static inline mbp_range mbp_claim(f64 sum, f64 square, f64 below, f64 above, f64 off,
                                  f32 soft2) {
    mbp_range to = {0.0f, bits_f32(0x7f800000u)};
    if (soft2 < 1.8e-13f && !(square < 5.4e12))
        return to;
    const f64 error = off * sum + 1.41e-7 * square;
    /* The factors make up for the rounding to f32. */
    if (sum > error + below)
        to.low = (f32)((sum - error - below) * (1.0 - 1e-6));
    to.high = (f32)((sum + error + above) * (1.0 + 1e-6));
    return to;
}

#endif
