/* Bounds from all pairs, by 16 members together. */
#ifndef WEFT_MBP_PAIRS_KERNEL_H
#define WEFT_MBP_PAIRS_KERNEL_H

#include "mbp_bounds.kernel.h"

/* The sum of a row. */
static inline f64 mbp_total(const f64 *row) {
    f64 sum[MBP_ROW / 2];
    for (i32 l = 0; l < MBP_ROW / 2; l++)
        sum[l] = row[l] + row[l + MBP_ROW / 2];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) +
           ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Sums of m / s and of 1 / s^2 of 16 members, a lane each. */
typedef struct mbp_pairs_lanes {
    u32 slot[MBP_ROW];
    f32 x[MBP_ROW], y[MBP_ROW], z[MBP_ROW], mass[MBP_ROW], square[MBP_ROW];
    f64 all_mass[MBP_ROW], all_square[MBP_ROW];
} mbp_pairs_lanes;

static inline void mbp_pairs_clear(mbp_pairs_lanes *s) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        s->mass[l] = s->square[l] = 0.0f;
        s->all_mass[l] = s->all_square[l] = 0.0;
    }
}

/* To be called after at most four rows. */
static inline void mbp_pairs_flush(mbp_pairs_lanes *s) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        s->all_mass[l] += (f64)s->mass[l];
        s->all_square[l] += (f64)s->square[l];
        s->mass[l] = s->square[l] = 0.0f;
    }
}

/* 1 / s of a lane's member and slot j; 0 where they are the same. */
static inline f32 mbp_pairs_inverse(const mbp_pairs_lanes *s, i32 l, i64 j, i32 is_own,
                                    i32 how, f32 soft2, mbp_rounded b) {
    const f32 dx = b.x[j] - s->x[l], dy = b.y[j] - s->y[l], dz = b.z[j] - s->z[l];
    const f32 s2 = mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2)));
    const f32 inverse = how == MBP_FINE    ? rsqrt(s2)
                        : how == MBP_ROUGH ? rsqrt_rough(s2)
                                           : rsqrt_guess(s2);
    return is_own && (u32)j == s->slot[l] ? 0.0f : inverse;
}

/* Adds the row that begins at a slot; `is_own`: one meets itself there. These two are
 * constants where this is called. */
static inline void mbp_pairs_meet(mbp_pairs_lanes *s, i64 from, i32 is_own, i32 how,
                                  f32 soft2, mbp_rounded at) {
    for (i64 j = from; j < from + MBP_ROW; j += 4)
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f32 a = mbp_pairs_inverse(s, l, j, is_own, how, soft2, at);
            const f32 b = mbp_pairs_inverse(s, l, j + 1, is_own, how, soft2, at);
            const f32 c = mbp_pairs_inverse(s, l, j + 2, is_own, how, soft2, at);
            const f32 d = mbp_pairs_inverse(s, l, j + 3, is_own, how, soft2, at);
            s->mass[l] = mad(at.mass[j], a, mad(at.mass[j + 1], b, s->mass[l])) +
                         mad(at.mass[j + 2], c, at.mass[j + 3] * d);
            s->square[l] = mad(a, a, mad(b, b, s->square[l])) + mad(c, c, d * d);
        }
}

/* Bounds of the members in a row, where there are any. */
static inline void mbp_pairs_bound(index_t row, mbp_halos of, mbp_rounded at,
                                   mbp_bounds to) {
    const i64 begin = (i64)row * MBP_ROW, halo = of.row_halo[row];
    const i64 first = mbp_first_row(of.offset, halo);
    const i64 members = mbp_members(of.offset, halo);
    const i64 rank = mbp_rank(of.offset, halo, begin);
    if (rank >= members || !mbp_holds(of, halo))
        return;
    const f32 soft2 = mbp_soft2(of, halo);
    mbp_pairs_lanes s;
    for (i32 l = 0; l < MBP_ROW; l++) {
        s.slot[l] = (u32)(begin + l);
        s.x[l] = at.x[begin + l];
        s.y[l] = at.y[begin + l];
        s.z[l] = at.z[begin + l];
    }
    mbp_pairs_clear(&s);
    for (i64 other = first; other < first + (members + MBP_ROW - 1) / MBP_ROW; other++) {
        if (other == row)
            mbp_pairs_meet(&s, other * MBP_ROW, 1, MBP_ROUGH, soft2, at);
        else
            mbp_pairs_meet(&s, other * MBP_ROW, 0, MBP_ROUGH, soft2, at);
        if ((other - first) % 4 == 3)
            mbp_pairs_flush(&s);
    }
    mbp_pairs_flush(&s);
    for (i32 l = 0; l < MBP_ROW && rank + l < members; l++) {
        const mbp_range range =
            mbp_claim(s.all_mass[l], s.all_square[l], 0.0, 0.0, MBP_PAIRS_ROUGH, soft2);
        to.low[begin + l] = range.low;
        to.high[begin + l] = range.high;
    }
}

#endif
