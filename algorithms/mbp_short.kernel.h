/* Bounds of the potential in halos of up to MBP_SHORT members, for processors with vectors:
 * a halo is gathered, rounded and bounded by one kernel, so that it stays near.
 *
 * First all pairs are summed roughly, each of them once for both of its members: a row of
 * 16 meets another one 16 times, turned by a lane each time. With s' as in
 * mbp_pairs.kernel.h, and A what is computed of the sum of m / s', with rsqrt_guess, off by
 * 0.0344, and with at most MBP_SHORT terms in f32: A is off by less than 0.0355, so that
 *   sum of m / s' <= B = A / (1 - 0.0355),
 * and as all terms are positive, with m0 the smallest mass each 1 / s' <= B / m0. Where
 * this is below 1 / (4 D), all s' are above 4 D, and |phi| <= B + 4/3 D (sum of m / s'^2)
 * <= B + 4/3 D B^2 / m0. Then those that may be the most bound are summed again, closely,
 * as in mbp_pairs.kernel.h, the deepest first. */
#ifndef WEFT_MBP_SHORT_KERNEL_H
#define WEFT_MBP_SHORT_KERNEL_H

#include "mbp_pairs.kernel.h"

enum { MBP_SHORT = 4096, MBP_SHORT_TURN = 2 * MBP_ROW };

/* A row twice in a row, so that each turn of it lies in one piece; and what it is to get
 * from others, each turn a lane further. */
typedef struct mbp_short_row {
    f32 x[MBP_SHORT_TURN], y[MBP_SHORT_TURN], z[MBP_SHORT_TURN], mass[MBP_SHORT_TURN];
    f32 back[MBP_ROW * MBP_SHORT_TURN];
} mbp_short_row;

static inline void mbp_short_twice(f32 *to, GLOBAL const f32 *from) {
    for (i32 l = 0; l < MBP_ROW; l++)
        to[l] = from[l];
    for (i32 l = 0; l < MBP_ROW; l++)
        to[l + MBP_ROW] = from[l];
}

static inline f32 mbp_short_inverse(f32 dx, f32 dy, f32 dz, f32 soft2) {
    return rsqrt_guess(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
}

/* A row's turn meets the rows in slots [0, end). */
static inline void
mbp_short_meet(i64 end, f32 soft2, const f32 *restrict own_x, const f32 *restrict own_y,
               const f32 *restrict own_z, const f32 *restrict own_mass, f32 *restrict back,
               GLOBAL const f32 *restrict x, GLOBAL const f32 *restrict y,
               GLOBAL const f32 *restrict z, GLOBAL const f32 *restrict mass,
               GLOBAL f32 *restrict sum) {
    f32 own_sum[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++)
        own_sum[l] = 0.0f;
    for (i64 j = 0; j < end; j += MBP_ROW)
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 r = mbp_short_inverse(own_x[l] - x[j + l], own_y[l] - y[j + l],
                                            own_z[l] - z[j + l], soft2);
            own_sum[l] = mad(mass[j + l], r, own_sum[l]);
            sum[j + l] = mad(own_mass[l], r, sum[j + l]);
        }
    for (i32 l = 0; l < MBP_ROW; l++)
        back[l] = own_sum[l];
}

/* Rough sums of m / s of all members. */
static inline void mbp_short_sum(i64 slots, f32 soft2, GLOBAL const f32 *x,
                                 GLOBAL const f32 *y, GLOBAL const f32 *z,
                                 GLOBAL const f32 *mass, GLOBAL f32 *sum) {
    mbp_short_row row;
    for (i32 l = 0; l < MBP_ROW * MBP_SHORT_TURN; l++)
        row.back[l] = 0.0f;
    for (i64 at = 0; at < slots; at += MBP_ROW) {
        f32 own[MBP_ROW];
        mbp_short_twice(row.x, x + at);
        mbp_short_twice(row.y, y + at);
        mbp_short_twice(row.z, z + at);
        mbp_short_twice(row.mass, mass + at);
        for (i32 l = 0; l < MBP_ROW; l++)
            own[l] = 0.0f;
        for (i32 turn = 1; turn < MBP_ROW; turn++)
            for (i32 l = 0; l < MBP_ROW; l++)
                own[l] = mad(row.mass[l + turn],
                             mbp_short_inverse(row.x[l + turn] - row.x[l],
                                               row.y[l + turn] - row.y[l],
                                               row.z[l + turn] - row.z[l], soft2),
                             own[l]);
        if (at > 0) {
            for (i32 turn = 0; turn < MBP_ROW; turn++)
                mbp_short_meet(at, soft2, row.x + turn, row.y + turn, row.z + turn,
                               row.mass + turn, row.back + turn * (MBP_SHORT_TURN + 1), x,
                               y, z, mass, sum);
            for (i32 turn = 0; turn < MBP_ROW; turn++)
                for (i32 l = 0; l < MBP_ROW; l++)
                    own[l] += row.back[turn * MBP_SHORT_TURN + l] +
                              row.back[turn * MBP_SHORT_TURN + l + MBP_ROW];
        }
        for (i32 l = 0; l < MBP_ROW; l++)
            sum[at + l] = own[l];
    }
}

/* Upper bounds in place of rough sums. */
static inline void mbp_short_raise(i64 members, f32 soft2, f32 lightest, GLOBAL f32 *sum) {
    const f32 never = bits_f32(0x7f800000u), places = 1.41e-7f / lightest;
    const f32 most = soft2 < 1.8e-13f ? 2.3e6f * lightest : 1e30f;
    const i32 tells = lightest > 1e-30f;
    for (i64 k = 0; k < members; k++) {
        const f32 b = 1.0369f * sum[k];
        sum[k] = tells && b < most ? mad(places * b, b, b) : never;
    }
}

/* Close bounds of a member. */
static inline mbp_pairs_range mbp_short_range(i64 i, i64 slots, f32 soft2,
                                              GLOBAL const f32 *x, GLOBAL const f32 *y,
                                              GLOBAL const f32 *z, GLOBAL const f32 *mass) {
    f64 sum = 0.0, square = 0.0;
    for (i64 begin = 0; begin < slots; begin += 64 * MBP_ROW) {
        const i64 end = min(begin + 64 * MBP_ROW, slots);
        f32 masses[MBP_ROW], squares[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            masses[l] = squares[l] = 0.0f;
        for (i64 j = begin; j < end; j += MBP_ROW)
            for (i32 l = 0; l < MBP_ROW; l++) {
                const f32 dx = x[j + l] - x[i], dy = y[j + l] - y[i], dz = z[j + l] - z[i];
                const f32 inverse = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
                const f32 r = j + l == i ? 0.0f : inverse;
                masses[l] = mad(mass[j + l], r, masses[l]);
                squares[l] = mad(r, r, squares[l]);
            }
        for (i32 l = 0; l < MBP_ROW; l++) {
            sum += (f64)masses[l];
            square += (f64)squares[l];
        }
    }
    return mbp_pairs_claim(sum, square, 0.0, 0.0, MBP_PAIRS_FINE, soft2);
}

/* From rough upper bounds to close ones where it matters; the largest lower bound. */
static inline f32 mbp_short_narrow(i64 members, i64 slots, f32 soft2, GLOBAL const f32 *x,
                                   GLOBAL const f32 *y, GLOBAL const f32 *z,
                                   GLOBAL const f32 *mass, GLOBAL f32 *high) {
    u32 most = 0u;
    i64 deepest = 0;
    for (i64 k = 0; k < members; k++)
        most = max(most, f32_bits(high[k]));
    while (f32_bits(high[deepest]) != most)
        deepest++;
    f32 best = mbp_short_range(deepest, slots, soft2, x, y, z, mass).low;
    for (i64 k = 0; k < members; k++)
        if (high[k] >= best) {
            const mbp_pairs_range range = mbp_short_range(k, slots, soft2, x, y, z, mass);
            high[k] = range.high;
            best = max(best, range.low);
        }
    return best;
}

/* One axis of the members' places, relative to the first of them, and the largest exponent.
 */
static inline u32 mbp_short_unwrap(i64 members, i64 slots, i64 stride, i32 wide, f64 box,
                                   GLOBAL const u32 *member, GLOBAL const u32 *from,
                                   GLOBAL f64 *to) {
    const f64 first = points_coordinate(from, (index_t)(member[0] * stride), wide);
    u32 wraps = 0u, extent = 0u;
    for (i64 k = 0; k < members; k++) {
        to[k] = points_coordinate(from, (index_t)(member[k] * stride), wide) - first;
        wraps |= fabs(to[k]) > 0.5 * box;
    }
    if (wraps && box > 0)
        for (i64 k = 0; k < members; k++)
            to[k] = points_remainder(to[k], box);
    for (i64 k = 0; k < members; k++)
        extent = max(extent, mbp_exponent(to[k]));
    for (i64 k = members; k < slots; k++)
        to[k] = 0.0;
    return extent;
}

static inline u32 mbp_short_weigh(i64 members, i64 slots, i32 wide, i32 has_mass,
                                  f64 particle_mass, GLOBAL const u32 *member,
                                  GLOBAL const u32 *from, GLOBAL f64 *mass) {
    u32 heaviest = 0u;
    for (i64 k = 0; k < members; k++)
        mass[k] =
            has_mass ? points_coordinate(from, (index_t)member[k], wide) : particle_mass;
    for (i64 k = 0; k < members; k++)
        heaviest = max(heaviest, mbp_exponent(mass[k]));
    for (i64 k = members; k < slots; k++)
        mass[k] = 0.0;
    return heaviest;
}

/* Numbers as they are summed. */
static inline void mbp_short_round(i64 members, i64 slots, f64 scale, f32 empty,
                                   GLOBAL const f64 *from, GLOBAL f32 *to) {
    for (i64 k = 0; k < members; k++)
        to[k] = (f32)(from[k] * scale);
    for (i64 k = members; k < slots; k++)
        to[k] = empty;
}

/* Places and masses of the members of halos t, t + items, ..., an upper bound of each |phi|
 * in `high`, and of each halo's largest one a lower bound in `best`. */
static inline void mbp_short_bound(
    index_t t, i64 items, i64 halos, i64 stride, i32 wide, f64 box_x, f64 box_y, f64 box_z,
    i32 wide_mass, i32 has_mass, f64 particle_mass, f64 softening, GLOBAL const i64 *offset,
    GLOBAL const u32 *member, GLOBAL const u32 *from_x, GLOBAL const u32 *from_y,
    GLOBAL const u32 *from_z, GLOBAL const u32 *from_mass, GLOBAL f64 *x, GLOBAL f64 *y,
    GLOBAL f64 *z, GLOBAL f64 *mass, GLOBAL f32 *at_x, GLOBAL f32 *at_y, GLOBAL f32 *at_z,
    GLOBAL f32 *weight, GLOBAL f32 *high, GLOBAL f32 *best) {
    for (i64 halo = t; halo < halos; halo += items) {
        const i64 members = mbp_members(offset, halo);
        const i64 slots = (members + MBP_ROW - 1) / MBP_ROW * MBP_ROW;
        const i64 s = MBP_ROW * mbp_first_row(offset, halo);
        GLOBAL const u32 *own = member + offset[halo];
        best[halo] = 0.0f;
        if (members == 0)
            continue;
        const u32 extent = max(
            mbp_short_unwrap(members, slots, stride, wide, box_x, own, from_x, x + s),
            max(mbp_short_unwrap(members, slots, stride, wide, box_y, own, from_y, y + s),
                mbp_short_unwrap(members, slots, stride, wide, box_z, own, from_z, z + s)));
        const u32 heaviest = mbp_short_weigh(members, slots, wide_mass, has_mass,
                                             particle_mass, own, from_mass, mass + s);
        if (!mbp_pairs_holds(extent, heaviest, softening)) {
            for (i64 k = 0; k < members; k++)
                high[s + k] = mbp_pairs_unknown(k, members, extent, softening).high;
            continue;
        }
        const f64 scale = mbp_pairs_scale(extent), soft = softening * scale;
        const f32 soft2 = (f32)(soft * soft);
        mbp_short_round(members, slots, scale, 3.0f, x + s, at_x + s);
        mbp_short_round(members, slots, scale, 3.0f, y + s, at_y + s);
        mbp_short_round(members, slots, scale, 3.0f, z + s, at_z + s);
        mbp_short_round(members, slots, mbp_pairs_scale(heaviest), 0.0f, mass + s,
                        weight + s);
        u32 lightest = f32_bits(1.0f);
        for (i64 k = 0; k < members; k++)
            lightest = min(lightest, f32_bits(weight[s + k]));
        mbp_short_sum(slots, soft2, at_x + s, at_y + s, at_z + s, weight + s, high + s);
        mbp_short_raise(members, soft2, bits_f32(lightest), high + s);
        best[halo] = mbp_short_narrow(members, slots, soft2, at_x + s, at_y + s, at_z + s,
                                      weight + s, high + s);
    }
}

#endif
