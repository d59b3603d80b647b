/* All pairs in f32 for devices that run many work-items: four members each, which meet the
 * same part of their halo, so that it is read once for four pairs.
 *
 * Sums, and what is claimed of them, are those of mbp_bounds.kernel.h; with rsqrt, at most
 * 64 terms in f32, and parts rounded to f32 again, they are off by MBP_PAIRS_FINE. */
#ifndef WEFT_MBP_PAIRS4_KERNEL_H
#define WEFT_MBP_PAIRS4_KERNEL_H

#include "mbp_bounds.kernel.h"

/* MBP_PAIRS4_STEP: slots of 32 items, which run in step on many devices, and so should take
 * the same way. */
enum { MBP_PAIRS4_OWN = 4, MBP_PAIRS4_BLOCK = 64, MBP_PAIRS4_STEP = 128 };

/* Sums of m / s and of 1 / s^2 of a member, over a part of its halo. */
typedef struct mbp_pairs4_sum {
    f32 mass, square;
} mbp_pairs4_sum;

/* Members of `slots` slots, in up to `parts` parts of a halo, of at least `least` members
 * each; `width` items for a part. */
typedef struct mbp_pairs4_parts {
    i64 slots, width, parts, least;
} mbp_pairs4_parts;

/* Members in each part of a halo: whole blocks. */
static inline i64 mbp_pairs4_length(mbp_pairs4_parts cut, i64 members) {
    const i64 even = (members + cut.parts - 1) / cut.parts;
    return max(cut.least,
               (even + MBP_PAIRS4_BLOCK - 1) / MBP_PAIRS4_BLOCK * MBP_PAIRS4_BLOCK);
}

static inline void mbp_pairs4_meet(f32 *mass, f32 *square, mbp_body own, mbp_body other,
                                   i32 is_itself, f32 soft2) {
    const f32 dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const f32 inverse = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
    const f32 r = is_itself ? 0.0f : inverse;
    *mass = mad(other.mass, r, *mass);
    *square = mad(r, r, *square);
}

/* Item t is the members in four slots, from 4 (t % width) on, and part t / width of their
 * halo. Only blocks near themselves, and the last, ask who meets itself. */
static inline void mbp_pairs4_meet_part(index_t t, mbp_pairs4_parts cut, mbp_halos of,
                                        GLOBAL const mbp_body *body,
                                        GLOBAL mbp_pairs4_sum *sums) {
    const i64 part = t / (index_t)cut.width;
    const i64 a = MBP_PAIRS4_OWN * (i64)(t % (index_t)cut.width);
    if (a >= cut.slots)
        return;
    const i64 halo = mbp_halo(of, a), step = a / MBP_PAIRS4_STEP * MBP_PAIRS4_STEP;
    const i64 first = mbp_first_slot(of.offset, halo), rank = a - first;
    const i64 members = mbp_members(of.offset, halo);
    const i64 length = mbp_pairs4_length(cut, members);
    const i64 begin = part * length, end = min(begin + length, members);
    if (begin >= end || rank >= members || !mbp_holds(of, halo))
        return;
    const f32 soft2 = mbp_soft2(of, halo);
    mbp_body own[MBP_PAIRS4_OWN];
    f64 all_mass[MBP_PAIRS4_OWN], all_square[MBP_PAIRS4_OWN];
    for (i32 k = 0; k < MBP_PAIRS4_OWN; k++) {
        own[k] = body[a + k];
        all_mass[k] = all_square[k] = 0.0;
    }
    for (i64 j = begin; j < end; j += MBP_PAIRS4_BLOCK) {
        GLOBAL const mbp_body *other = body + first + j;
        const i32 count = (i32)min(end - j, (i64)MBP_PAIRS4_BLOCK);
        f32 mass[MBP_PAIRS4_OWN], square[MBP_PAIRS4_OWN];
        for (i32 k = 0; k < MBP_PAIRS4_OWN; k++)
            mass[k] = square[k] = 0.0f;
        if (count < MBP_PAIRS4_BLOCK ||
            (first + j < step + MBP_PAIRS4_STEP && step < first + j + MBP_PAIRS4_BLOCK))
            for (i32 l = 0; l < count; l++)
                for (i32 k = 0; k < MBP_PAIRS4_OWN; k++)
                    mbp_pairs4_meet(mass + k, square + k, own[k], other[l],
                                    j + l == rank + k, soft2);
        else
            for (i32 l = 0; l < MBP_PAIRS4_BLOCK; l++)
                for (i32 k = 0; k < MBP_PAIRS4_OWN; k++)
                    mbp_pairs4_meet(mass + k, square + k, own[k], other[l], 0, soft2);
        for (i32 k = 0; k < MBP_PAIRS4_OWN; k++) {
            all_mass[k] += (f64)mass[k];
            all_square[k] += (f64)square[k];
        }
    }
    GLOBAL mbp_pairs4_sum *to = sums + part * cut.slots + a;
    for (i32 k = 0; k < MBP_PAIRS4_OWN; k++) {
        to[k].mass = (f32)all_mass[k];
        to[k].square = (f32)all_square[k];
    }
}

/* Bounds of a slot's member, if there is one, from all parts. */
static inline void mbp_pairs4_bound(index_t slot, mbp_pairs4_parts cut, mbp_halos of,
                                    GLOBAL const mbp_pairs4_sum *sums, mbp_bounds to) {
    const i64 halo = mbp_halo(of, slot), members = mbp_members(of.offset, halo);
    if (mbp_is_empty(of, slot) || !mbp_holds(of, halo))
        return;
    const i64 length = mbp_pairs4_length(cut, members);
    f64 mass = 0.0, square = 0.0;
    for (i64 part = 0; part * length < members; part++) {
        const mbp_pairs4_sum sum = sums[part * cut.slots + slot];
        mass += (f64)sum.mass;
        square += (f64)sum.square;
    }
    const mbp_range range =
        mbp_claim(mass, square, 0.0, 0.0, MBP_PAIRS_FINE, mbp_soft2(of, halo));
    to.low[slot] = range.low;
    to.high[slot] = range.high;
}

#endif
