/* Bounds of the potential in a short halo, from rough sums and then close ones, for
 * processors with vectors.
 *
 * First all pairs are summed roughly, each of them once for both of its members. With s' as
 * in mbp_bounds.kernel.h, and A what is computed of the sum of m / s', with rsqrt_guess,
 * off by 0.0344, and with at most MBP_SHORT terms in f32: A is off by less than 0.0355, so
 * that sum of m / s' <= B = A / (1 - 0.0355), and as all terms are positive, with m0 the
 * smallest mass each 1 / s' <= B / m0. Where this is below 1 / (4 D), all s' are above 4 D,
 * and |phi| <= B + 4/3 D (sum of m / s'^2)
 * <= B + 4/3 D B^2 / m0. Then those that may be the most bound are summed again, closely,
 * as in mbp_bounds.kernel.h, the deepest first. */
#ifndef WEFT_MBP_ESTIMATE_KERNEL_H
#define WEFT_MBP_ESTIMATE_KERNEL_H

#include "mbp_pairs.kernel.h"

static inline f32 mbp_estimate_inverse(f32 dx, f32 dy, f32 dz, f32 soft2) {
    return rsqrt_guess(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
}

/* What the members of a row get from each other. */
static inline void mbp_estimate_row(i64 at, f32 soft2, mbp_rounded b, GLOBAL f32 *sum) {
    f32 own[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++)
        own[l] = 0.0f;
    for (i32 k = 0; k < MBP_ROW; k++)
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 r =
                mbp_estimate_inverse(b.x[at + l] - b.x[at + k], b.y[at + l] - b.y[at + k],
                                     b.z[at + l] - b.z[at + k], soft2);
            own[l] = mad(b.mass[at + k], l == k ? 0.0f : r, own[l]);
        }
    for (i32 l = 0; l < MBP_ROW; l++)
        sum[at + l] = own[l];
}

/* A row meets the one at `other`, which gets its part at once; what the k-th of its own
 * members gets are numbers [16 k, 16 k + 16) of `back`, new ones where `is_first`. */
static inline void mbp_estimate_meet(i64 at, i64 other, i32 is_first, f32 soft2,
                                     mbp_rounded b, f32 *restrict back,
                                     GLOBAL f32 *restrict sum) {
    f32 there[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++)
        there[l] = sum[other + l];
    for (i32 k = 0; k < MBP_ROW; k++)
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 r = mbp_estimate_inverse(b.x[other + l] - b.x[at + k],
                                               b.y[other + l] - b.y[at + k],
                                               b.z[other + l] - b.z[at + k], soft2);
            const f32 before = is_first ? 0.0f : back[k * MBP_ROW + l];
            there[l] = mad(b.mass[at + k], r, there[l]);
            back[k * MBP_ROW + l] = mad(b.mass[other + l], r, before);
        }
    for (i32 l = 0; l < MBP_ROW; l++)
        sum[other + l] = there[l];
}

/* Adds up what the members of a row got back. */
static inline void mbp_estimate_add(f32 *back, GLOBAL f32 *sum) {
    for (i32 k = 0; k < MBP_ROW; k++)
        for (i32 l = 0; l < MBP_ROW / 2; l++)
            back[k * MBP_ROW + l] += back[k * MBP_ROW + l + MBP_ROW / 2];
    for (i32 k = 0; k < MBP_ROW; k++)
        for (i32 l = 0; l < MBP_ROW / 4; l++)
            back[k * MBP_ROW + l] += back[k * MBP_ROW + l + MBP_ROW / 4];
    for (i32 k = 0; k < MBP_ROW; k++) {
        const f32 *own = back + k * MBP_ROW;
        sum[k] += (own[0] + own[2]) + (own[1] + own[3]);
    }
}

/* Rough sums of m / s of all members. */
static inline void mbp_estimate_sum(i64 slots, f32 soft2, mbp_rounded b, GLOBAL f32 *sum) {
    f32 back[MBP_ROW * MBP_ROW];
    mbp_estimate_row(0, soft2, b, sum);
    for (i64 at = MBP_ROW; at < slots; at += MBP_ROW) {
        mbp_estimate_row(at, soft2, b, sum);
        mbp_estimate_meet(at, 0, 1, soft2, b, back, sum);
        for (i64 other = MBP_ROW; other < at; other += MBP_ROW)
            mbp_estimate_meet(at, other, 0, soft2, b, back, sum);
        mbp_estimate_add(back, sum + at);
    }
}

/* The smallest of positive numbers below 1. */
static inline f32 mbp_estimate_lightest(i64 members, GLOBAL const f32 *weight) {
    u32 least = f32_bits(1.0f);
    for (i64 k = 0; k < members; k++)
        least = min(least, f32_bits(weight[k]));
    return bits_f32(least);
}

/* Upper bounds in place of rough sums. */
static inline void mbp_estimate_raise(i64 members, i64 slots, f32 soft2, f32 lightest,
                                      GLOBAL f32 *sum) {
    const f32 never = bits_f32(0x7f800000u), places = 1.41e-7f / lightest;
    const f32 most = soft2 < 1.8e-13f ? 2.3e6f * lightest : 1e30f;
    const i32 tells = lightest > 1e-30f;
    for (i64 k = 0; k < slots; k++) {
        const f32 b = 1.0369f * sum[k];
        const f32 bound = tells && b < most ? mad(places * b, b, b) : never;
        sum[k] = k < members ? bound : -1.0f;
    }
}

/* A close upper bound of member i; the lower one. */
static inline f32 mbp_estimate_tighten(i64 i, i64 slots, f32 soft2, mbp_rounded b,
                                       GLOBAL f32 *high) {
    f64 sum[MBP_ROW], square[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++)
        sum[l] = square[l] = 0.0;
    for (i64 begin = 0; begin < slots; begin += 64 * MBP_ROW) {
        const i64 end = min(begin + 64 * MBP_ROW, slots);
        f32 masses[MBP_ROW], squares[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            masses[l] = squares[l] = 0.0f;
        for (i64 j = begin; j < end; j += MBP_ROW)
            for (i32 l = 0; l < MBP_ROW; l++) {
                const f32 dx = b.x[j + l] - b.x[i], dy = b.y[j + l] - b.y[i],
                          dz = b.z[j + l] - b.z[i];
                const f32 inverse = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
                const f32 r = j + l == i ? 0.0f : inverse;
                masses[l] = mad(b.mass[j + l], r, masses[l]);
                squares[l] = mad(r, r, squares[l]);
            }
        for (i32 l = 0; l < MBP_ROW; l++) {
            sum[l] += (f64)masses[l];
            square[l] += (f64)squares[l];
        }
    }
    const mbp_range range =
        mbp_claim(mbp_total(sum), mbp_total(square), 0.0, 0.0, MBP_PAIRS_FINE, soft2);
    high[i] = range.high;
    return range.low;
}

/* From rough upper bounds to close ones where it matters; the largest lower bound. */
static inline f32 mbp_estimate_narrow(i64 members, i64 slots, f32 soft2, mbp_rounded b,
                                      GLOBAL f32 *high) {
    f32 most[MBP_ROW], best = -1.0f;
    i64 deepest = 0;
    for (i32 l = 0; l < MBP_ROW; l++)
        most[l] = -1.0f;
    for (i64 k = 0; k < slots; k += MBP_ROW)
        for (i32 l = 0; l < MBP_ROW; l++)
            most[l] = max(most[l], high[k + l]);
    for (i32 l = 0; l < MBP_ROW; l++)
        best = max(best, most[l]);
    while (high[deepest] != best)
        deepest++;
    best = mbp_estimate_tighten(deepest, slots, soft2, b, high);
    for (i64 k = 0; k < members; k++)
        if (high[k] >= best && k != deepest)
            best = max(best, mbp_estimate_tighten(k, slots, soft2, b, high));
    return best;
}

#endif
