/* All pairs in f32 for devices that run many work-items: four members each, which meet the
 * same part of their halo, so that it is read once for four pairs.
 *
 * Sums, and what is claimed of them, are those of mbp_pairs.kernel.h; with rsqrt, at most
 * 64 terms in f32, and parts rounded to f32 again, they are off by MBP_PAIRS_FINE. */
#ifndef WEFT_MBP_QUADS_KERNEL_H
#define WEFT_MBP_QUADS_KERNEL_H

#include "mbp_pairs.kernel.h"

/* MBP_QUADS_STEP: slots of 32 items, which run in step on many devices, and so should take
 * the same way. */
enum { MBP_QUADS_OWN = 4, MBP_QUADS_BLOCK = 64, MBP_QUADS_STEP = 128 };

/* Sums of m / s and of 1 / s^2 of a member, over a part of its halo. */
typedef struct mbp_quads_sum {
    f32 mass, square;
} mbp_quads_sum;

/* Members of `slots` slots, in up to `parts` parts of a halo, of at least `least` members
 * each; `width` items for a part. */
typedef struct mbp_quads_parts {
    i64 slots, width, parts, least;
} mbp_quads_parts;

/* Members in each part of a halo: whole blocks. */
static inline i64 mbp_quads_length(mbp_quads_parts cut, i64 members) {
    const i64 even = (members + cut.parts - 1) / cut.parts;
    return max(cut.least, (even + MBP_QUADS_BLOCK - 1) / MBP_QUADS_BLOCK * MBP_QUADS_BLOCK);
}

static inline void mbp_quads_meet(f32 *mass, f32 *square, mbp_pairs_body own,
                                  mbp_pairs_body other, i32 is_itself, f32 soft2) {
    const f32 dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const f32 inverse = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
    const f32 r = is_itself ? 0.0f : inverse;
    *mass = mad(other.mass, r, *mass);
    *square = mad(r, r, *square);
}

/* Item t is the members in four slots, from 4 (t % width) on, and part t / width of their
 * halo. Only blocks near themselves, and the last, ask who meets itself. */
static inline void mbp_quads_meet_part(index_t t, mbp_quads_parts cut, mbp_halos of,
                                       GLOBAL const mbp_pairs_body *body,
                                       GLOBAL mbp_quads_sum *sums) {
    const i64 part = t / (index_t)cut.width;
    const i64 a = MBP_QUADS_OWN * (i64)(t % (index_t)cut.width);
    if (a >= cut.slots)
        return;
    const i64 halo = mbp_halo(of, a), step = a / MBP_QUADS_STEP * MBP_QUADS_STEP;
    const i64 first = MBP_ROW * mbp_first_row(of.offset, halo), rank = a - first;
    const i64 members = mbp_members(of.offset, halo);
    const i64 length = mbp_quads_length(cut, members);
    const i64 begin = part * length, end = min(begin + length, members);
    if (begin >= end || rank >= members || !mbp_holds(of, halo))
        return;
    const f32 soft2 = mbp_soft2(of, halo);
    mbp_pairs_body own[MBP_QUADS_OWN];
    f64 all_mass[MBP_QUADS_OWN], all_square[MBP_QUADS_OWN];
    for (i32 k = 0; k < MBP_QUADS_OWN; k++) {
        own[k] = body[a + k];
        all_mass[k] = all_square[k] = 0.0;
    }
    for (i64 j = begin; j < end; j += MBP_QUADS_BLOCK) {
        GLOBAL const mbp_pairs_body *other = body + first + j;
        const i32 count = (i32)min(end - j, (i64)MBP_QUADS_BLOCK);
        f32 mass[MBP_QUADS_OWN], square[MBP_QUADS_OWN];
        for (i32 k = 0; k < MBP_QUADS_OWN; k++)
            mass[k] = square[k] = 0.0f;
        if (count < MBP_QUADS_BLOCK ||
            (first + j < step + MBP_QUADS_STEP && step < first + j + MBP_QUADS_BLOCK))
            for (i32 l = 0; l < count; l++)
                for (i32 k = 0; k < MBP_QUADS_OWN; k++)
                    mbp_quads_meet(mass + k, square + k, own[k], other[l],
                                   j + l == rank + k, soft2);
        else
            for (i32 l = 0; l < MBP_QUADS_BLOCK; l++)
                for (i32 k = 0; k < MBP_QUADS_OWN; k++)
                    mbp_quads_meet(mass + k, square + k, own[k], other[l], 0, soft2);
        for (i32 k = 0; k < MBP_QUADS_OWN; k++) {
            all_mass[k] += (f64)mass[k];
            all_square[k] += (f64)square[k];
        }
    }
    GLOBAL mbp_quads_sum *to = sums + part * cut.slots + a;
    for (i32 k = 0; k < MBP_QUADS_OWN; k++) {
        to[k].mass = (f32)all_mass[k];
        to[k].square = (f32)all_square[k];
    }
}

/* Bounds of a slot's member, from all parts. */
static inline void mbp_quads_bound(index_t slot, mbp_quads_parts cut, mbp_halos of,
                                   GLOBAL const mbp_quads_sum *sums, mbp_bounds to) {
    const i64 halo = mbp_halo(of, slot), members = mbp_members(of.offset, halo);
    mbp_pairs_range range = mbp_nothing_of(of, slot);
    if (!mbp_is_empty(of, slot) && mbp_holds(of, halo)) {
        const i64 length = mbp_quads_length(cut, members);
        f64 mass = 0.0, square = 0.0;
        for (i64 part = 0; part * length < members; part++) {
            const mbp_quads_sum sum = sums[part * cut.slots + slot];
            mass += (f64)sum.mass;
            square += (f64)sum.square;
        }
        range =
            mbp_pairs_claim(mass, square, 0.0, 0.0, MBP_PAIRS_FINE, mbp_soft2(of, halo));
    }
    to.low[slot] = range.low;
    to.high[slot] = range.high;
}

#endif
