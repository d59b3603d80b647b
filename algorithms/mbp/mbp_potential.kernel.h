/* Potentials from their bounds, and which ones need closer bounds. */
#ifndef WEFT_MBP_POTENTIAL_KERNEL_H
#define WEFT_MBP_POTENTIAL_KERNEL_H

#include "mbp_pairs.kernel.h"

/* Whether a slot's member is still farther than `error` from its potential, for all that
 * is known. The middle of two bounds is off by half their distance. */
static inline u32 mbp_potential_open(index_t slot, f64 softening, f64 error,
                                     GLOBAL const i64 *offset, GLOBAL const u32 *row_halo,
                                     GLOBAL const u32 *extent, GLOBAL const f32 *low,
                                     GLOBAL const f32 *high) {
    const i64 halo = row_halo[slot / MBP_ROW];
    if (mbp_rank(offset, halo, slot) >= mbp_members(offset, halo) ||
        mbp_pairs_vanish(extent[halo], softening))
        return 0;
    const f64 least = (f64)low[slot], most = (f64)high[slot];
    return !(0.5 * (most - least) <= error * least);
}

/* The same of the member in a place of the tree's order. */
static inline u32 mbp_potential_open_place(index_t place, f64 softening, f64 error,
                                           GLOBAL const i64 *offset,
                                           GLOBAL const u32 *row_halo,
                                           GLOBAL const u32 *extent,
                                           GLOBAL const u32 *order, GLOBAL const f32 *low,
                                           GLOBAL const f32 *high) {
    return mbp_potential_open((index_t)order[place], softening, error, offset, row_halo,
                              extent, low, high);
}

/* The middle of the bounds; 0 where there are none. */
static inline void mbp_potential_middle(index_t slot, GLOBAL const i64 *offset,
                                        GLOBAL const u32 *row_halo,
                                        GLOBAL const u32 *extent,
                                        GLOBAL const u32 *heaviest, GLOBAL const f32 *low,
                                        GLOBAL const f32 *high, GLOBAL f64 *potential) {
    const i64 halo = row_halo[slot / MBP_ROW], rank = mbp_rank(offset, halo, slot);
    if (rank >= mbp_members(offset, halo))
        return;
    const i32 known = low[slot] > 0.0f && high[slot] < bits_f32(0x7f800000u);
    const f64 middle = known ? 0.5 * ((f64)low[slot] + (f64)high[slot]) : 0.0;
    potential[offset[halo] + rank] =
        -(known ? middle * mbp_pairs_scale(extent[halo]) / mbp_pairs_scale(heaviest[halo])
                : 0.0);
}

/* Puts evaluated potentials where they belong. */
static inline void mbp_potential_put(index_t k, GLOBAL const i64 *offset,
                                     GLOBAL const u32 *row_halo, GLOBAL const i64 *slot,
                                     GLOBAL const f64 *phi, GLOBAL f64 *potential) {
    const i64 halo = row_halo[slot[k] / MBP_ROW];
    potential[offset[halo] + mbp_rank(offset, halo, slot[k])] = phi[k];
}

#endif
