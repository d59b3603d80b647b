/* The potential as it is defined. */
#ifndef WEFT_MBP_EVALUATE_KERNEL_H
#define WEFT_MBP_EVALUATE_KERNEL_H

#include "algorithms/mbp/slots/mbp_slots.kernel.h"

enum { MBP_PART = 64 };

/* Blocks of members of a survivor's halo; 0 behind the last survivor. */
static inline i64 mbp_evaluate_blocks(index_t k, i64 survivors, mbp_halos of,
                                      GLOBAL const i64 *survivor) {
    return k < survivors ? mbp_blocks(mbp_members(of.offset, mbp_halo(of, survivor[k])))
                         : 0;
}

/* Where the first number is that is at least `least`; n where none is. */
static inline i64 mbp_search(GLOBAL const i64 *ascending, i64 n, i64 least) {
    i64 low = 0, high = n;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (ascending[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What slot j, of those before `end`, adds to the sum that defines the potential of the
 * member in slot i. Empty slots, the member itself and pairs at no distance add +0,
 * which changes no bit of a sum. */
static inline f64 mbp_term(i64 i, i64 j, i64 end, f64 soft2, mbp_bodies b) {
    const f64 dx = b.x[j] - b.x[i], dy = b.y[j] - b.y[i], dz = b.z[j] - b.z[i];
    const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + soft2;
    const i32 adds = j != i && j < end && s2 != 0.0;
    return (adds ? b.mass[j] : 0.0) / sqrt(adds ? s2 : 1.0);
}

/* One block of that sum. */
static inline f64 mbp_sum_block(i64 i, i64 begin, i64 last, f64 soft2, mbp_bodies b) {
    const i64 end = min(begin + MBP_BLOCK, last);
    f64 sum = 0.0;
    for (i64 j = begin; j < end; j += MBP_ROW) {
        f64 term[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            term[l] = mbp_term(i, j + l, end, soft2, b);
        for (i32 l = 0; l < MBP_ROW; l++)
            sum += term[l];
    }
    return sum;
}

/* Survivors in ascending slots; the blocks of number k begin at offset[k]. */
typedef struct mbp_survivors {
    i64 count;
    GLOBAL const i64 *slot, *offset;
} mbp_survivors;

/* A block of all the survivors of a halo by work-items in a row. */
static inline void mbp_evaluate_sum(index_t t, mbp_halos of, mbp_bodies b, mbp_survivors s,
                                    GLOBAL f64 *sums) {
    const i64 halo = mbp_halo(of, s.slot[pyramid_segment((i64)t, s.count, s.offset)]);
    const i64 first = mbp_first_slot(of.offset, halo);
    const i64 last = first + mbp_members(of.offset, halo);
    const i64 low = mbp_search(s.slot, s.count, first);
    const i64 together = mbp_search(s.slot, s.count, last) - low;
    const i64 turn = t - s.offset[low], block = turn / together;
    const i64 k = low + turn % together;
    const i64 i = s.slot[k];
    sums[s.offset[k] + block] =
        mbp_sum_block(i, first + block * MBP_BLOCK, last, of.softening * of.softening, b);
}

/* Adds sums in pairs, in place: what `from` neighbours add up to lies in the first of them,
 * and then what `to` do. */
static inline void mbp_pair(GLOBAL f64 *sum, i64 count, i64 from, i64 to) {
    for (i64 part = from; part < to && part < count; part *= 2)
        for (i64 p = 0; p + part < count; p += 2 * part)
            sum[p] += sum[p + part];
}

/* Adds up MBP_PART of a survivor's blocks, by the first of them. */
static inline void mbp_evaluate_pair_parts(index_t block, mbp_survivors s,
                                           GLOBAL f64 *sums) {
    const i64 k = pyramid_segment((i64)block, s.count, s.offset), begin = s.offset[k];
    if ((block - begin) % MBP_PART == 0)
        mbp_pair(sums + block, min(s.offset[k + 1] - block, (i64)MBP_PART), 1, MBP_PART);
}

/* Adds up a survivor's parts. */
static inline void mbp_evaluate_pair_all(index_t k, mbp_survivors s, GLOBAL f64 *sums,
                                         GLOBAL f64 *potential) {
    const i64 begin = s.offset[k], count = s.offset[k + 1] - begin;
    mbp_pair(sums + begin, count, MBP_PART, count);
    potential[k] = 0.0 - sums[begin];
}

#endif
