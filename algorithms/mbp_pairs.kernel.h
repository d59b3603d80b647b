/* Bounds of the potential from all pairs in f32.
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
 * which there is room. A pair with s' < 4 D alone makes W larger than 1 / (17 D^2)
 * = 5.4e12: there nothing is claimed. */
#ifndef WEFT_MBP_PAIRS_KERNEL_H
#define WEFT_MBP_PAIRS_KERNEL_H

#include "mbp.kernel.h"

/* What sums of m / s are off by, of themselves. */
CONSTANT f64 MBP_PAIRS_FINE = 1.6e-5, MBP_PAIRS_ROUGH = 1e-3;

/* The power of two that brings numbers with a largest exponent just below 1. */
static inline f64 mbp_pairs_scale(u32 exponent) {
    return bits_f64((u64)(2045 - exponent) << 52);
}

/* Whether squares, quotients and sums of the halo stay within the range of f64, and the
 * softening within that of f32. */
static inline i32 mbp_pairs_holds(u32 extent, u32 heaviest, f64 softening) {
    return extent > 563 && extent < 1523 && heaviest > 323 && heaviest < 1723 &&
           softening * mbp_pairs_scale(extent) < 1e12;
}

/* Whether no pair is far enough apart for its square to be above 0: every potential is 0.
 */
static inline i32 mbp_pairs_vanish(u32 extent, f64 softening) {
    return extent < 480 && softening * softening == 0.0;
}

/* Slots as they are summed; empty ones weigh nothing and stay away. */
static inline void mbp_pairs_round(index_t slot, f64 softening, GLOBAL const i64 *offset,
                                   GLOBAL const u32 *row_halo, GLOBAL const u32 *extent,
                                   GLOBAL const u32 *heaviest, GLOBAL const f64 *from_x,
                                   GLOBAL const f64 *from_y, GLOBAL const f64 *from_z,
                                   GLOBAL const f64 *from_mass, GLOBAL f32 *x,
                                   GLOBAL f32 *y, GLOBAL f32 *z, GLOBAL f32 *mass) {
    const i64 halo = row_halo[slot / MBP_ROW];
    x[slot] = y[slot] = z[slot] = 3.0f;
    mass[slot] = 0.0f;
    if (mbp_rank(offset, halo, slot) >= mbp_members(offset, halo) ||
        !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
        return;
    const f64 scale = mbp_pairs_scale(extent[halo]);
    x[slot] = (f32)(from_x[slot] * scale);
    y[slot] = (f32)(from_y[slot] * scale);
    z[slot] = (f32)(from_z[slot] * scale);
    mass[slot] = (f32)(from_mass[slot] * mbp_pairs_scale(heaviest[halo]));
}

/* Sums of m / s and of 1 / s^2 of two slots. */
typedef struct mbp_pairs_sums {
    f64 mass[2], square[2];
} mbp_pairs_sums;

/* Adds rows [begin, end), at most 64 of them. */
static inline void mbp_pairs_add(i64 a, i64 begin, i64 end, f32 soft2, GLOBAL const f32 *x,
                                 GLOBAL const f32 *y, GLOBAL const f32 *z,
                                 GLOBAL const f32 *mass, mbp_pairs_sums *sums) {
    const f32 ax = x[a], ay = y[a], az = z[a];
    const f32 bx = x[a + 1], by = y[a + 1], bz = z[a + 1];
    f32 a_mass[MBP_ROW], a_square[MBP_ROW], b_mass[MBP_ROW], b_square[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++)
        a_mass[l] = a_square[l] = b_mass[l] = b_square[l] = 0.0f;
    for (i64 j = begin; j < end; j += MBP_ROW) {
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 dx = x[j + l] - ax, dy = y[j + l] - ay, dz = z[j + l] - az;
            const f32 r = rsqrt_rough(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
            a_mass[l] = mad(mass[j + l], r, a_mass[l]);
            a_square[l] = mad(r, r, a_square[l]);
            const f32 ex = x[j + l] - bx, ey = y[j + l] - by, ez = z[j + l] - bz;
            const f32 q = rsqrt_rough(mad(ex, ex, mad(ey, ey, mad(ez, ez, soft2))));
            b_mass[l] = mad(mass[j + l], q, b_mass[l]);
            b_square[l] = mad(q, q, b_square[l]);
        }
    }
    for (i32 l = 0; l < MBP_ROW; l++) {
        sums->mass[0] += (f64)a_mass[l];
        sums->square[0] += (f64)a_square[l];
        sums->mass[1] += (f64)b_mass[l];
        sums->square[1] += (f64)b_square[l];
    }
}

/* Adds the row that the slot itself is in. */
static inline void mbp_pairs_own(i64 a, i64 row, f32 soft2, GLOBAL const f32 *x,
                                 GLOBAL const f32 *y, GLOBAL const f32 *z,
                                 GLOBAL const f32 *mass, f64 *sum, f64 *square) {
    f32 part[MBP_ROW], part_square[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++) {
        const i64 j = row * MBP_ROW + l;
        const f32 dx = x[j] - x[a], dy = y[j] - y[a], dz = z[j] - z[a];
        const f32 r = rsqrt(dx * dx + dy * dy + dz * dz + soft2);
        part[l] = j == a ? 0.0f : mass[j] * r;
        part_square[l] = j == a ? 0.0f : r * r;
    }
    for (i32 l = 0; l < MBP_ROW; l++) {
        *sum += (f64)part[l];
        *square += (f64)part_square[l];
    }
}

/* Sums over rows [begin, end), but for one. */
static inline void mbp_pairs_rest(i64 a, i64 begin, i64 own, i64 end, f32 soft2,
                                  GLOBAL const f32 *x, GLOBAL const f32 *y,
                                  GLOBAL const f32 *z, GLOBAL const f32 *mass,
                                  mbp_pairs_sums *sums) {
    for (i64 row = begin; row < end;) {
        const i64 stop = min(row + 64, row < own ? own : end);
        if (row != own)
            mbp_pairs_add(a, row * MBP_ROW, stop * MBP_ROW, soft2, x, y, z, mass, sums);
        row = row != own ? stop : own + 1;
    }
}

/* Bounds of |phi| of a slot's member, scaled: `low` to `high`. */
typedef struct mbp_pairs_range {
    f32 low, high;
} mbp_pairs_range;

/* Before anything is summed; of empty slots, and of all but the first where all are 0, such
 * that they are never the most bound. */
static inline mbp_pairs_range mbp_pairs_unknown(i64 rank, i64 members, u32 extent,
                                                f64 softening) {
    mbp_pairs_range to = {0.0f, bits_f32(0x7f800000u)};
    if (rank >= members)
        to.low = to.high = -1.0f;
    else if (mbp_pairs_vanish(extent, softening))
        to.low = to.high = rank == 0 ? 0.0f : -1.0f;
    return to;
}

/* From sums: beyond rounding, |phi| is within [sum - below, sum + above]. */
static inline mbp_pairs_range mbp_pairs_claim(f64 sum, f64 square, f64 below, f64 above,
                                              f64 off, f32 soft2) {
    mbp_pairs_range to = {0.0f, bits_f32(0x7f800000u)};
    if (soft2 < 1.8e-13f && !(square < 5.4e12))
        return to;
    const f64 error = off * sum + 1.41e-7 * square;
    /* The factors make up for the rounding to f32. */
    if (sum > error + below)
        to.low = (f32)((sum - error - below) * (1.0 - 1e-6));
    to.high = (f32)((sum + error + above) * (1.0 + 1e-6));
    return to;
}

/* Bounds of the members in slots 2 t and 2 t + 1. */
static inline void mbp_pairs_bound(index_t t, f64 softening, GLOBAL const i64 *offset,
                                   GLOBAL const u32 *row_halo, GLOBAL const u32 *extent,
                                   GLOBAL const u32 *heaviest, GLOBAL const f32 *x,
                                   GLOBAL const f32 *y, GLOBAL const f32 *z,
                                   GLOBAL const f32 *mass, GLOBAL f32 *low,
                                   GLOBAL f32 *high) {
    const i64 a = 2 * (i64)t, own = a / MBP_ROW, halo = row_halo[own];
    const i64 first = mbp_first_row(offset, halo), members = mbp_members(offset, halo);
    const i64 rank = mbp_rank(offset, halo, a);
    mbp_pairs_range to[2];
    for (i32 k = 0; k < 2; k++) {
        to[k] = mbp_pairs_unknown(rank + k, members, extent[halo], softening);
        low[a + k] = to[k].low;
        high[a + k] = to[k].high;
    }
    if (rank >= members || !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
        return;
    const f64 soft = softening * mbp_pairs_scale(extent[halo]);
    const f32 soft2 = (f32)(soft * soft);
    mbp_pairs_sums sums = {{0.0, 0.0}, {0.0, 0.0}};
    mbp_pairs_rest(a, first, own, first + (members + MBP_ROW - 1) / MBP_ROW, soft2, x, y, z,
                   mass, &sums);
    for (i32 k = 0; k < 2; k++) {
        mbp_pairs_own(a + k, own, soft2, x, y, z, mass, &sums.mass[k], &sums.square[k]);
        to[k] =
            mbp_pairs_claim(sums.mass[k], sums.square[k], 0.0, 0.0, MBP_PAIRS_ROUGH, soft2);
        if (rank + k < members) {
            low[a + k] = to[k].low;
            high[a + k] = to[k].high;
        }
    }
}

#endif
