/* Potentials from their bounds, and which ones need closer bounds. */
#ifndef WEFT_MBP_POTENTIAL_KERNEL_H
#define WEFT_MBP_POTENTIAL_KERNEL_H

#include "algorithms/mbp/bounds/mbp_bounds.kernel.h"

/* Whether a slot's member is still farther than `error` from its potential, for all that
 * is known. The middle of two bounds is off by half their distance. */
static inline u32 mbp_potential_open(index_t slot, f64 error, mbp_halos of,
                                     GLOBAL const f32 *low, GLOBAL const f32 *high) {
    if (mbp_is_empty(of, slot) || mbp_vanishes(of.extent[mbp_halo(of, slot)], of.softening))
        return 0;
    const f64 least = (f64)low[slot], most = (f64)high[slot];
    return !(0.5 * (most - least) <= error * least);
}

/* The same of the member in a place of the tree's order. */
static inline u32 mbp_potential_open_place(index_t place, f64 error, mbp_halos of,
                                           GLOBAL const u32 *order, GLOBAL const f32 *low,
                                           GLOBAL const f32 *high) {
    return mbp_potential_open((index_t)order[place], error, of, low, high);
}

/* The middle of the bounds; 0 where there are none. */
static inline void mbp_potential_middle(index_t slot, mbp_halos of, GLOBAL const f32 *low,
                                        GLOBAL const f32 *high, GLOBAL f64 *potential) {
    const i64 halo = mbp_halo(of, slot);
    if (mbp_is_empty(of, slot))
        return;
    const i32 known = low[slot] > 0.0f && high[slot] < bits_f32(0x7f800000u);
    const f64 middle = known ? 0.5 * ((f64)low[slot] + (f64)high[slot]) : 0.0;
    potential[mbp_member(of, slot)] =
        -(known ? middle * mbp_scale(of.extent[halo]) / mbp_scale(of.heaviest[halo]) : 0.0);
}

/* What |phi| as it is defined is at least, by bounds of the sum: 2^-40 is more than what
 * rounding adds. 0 where there are none. */
static inline void mbp_potential_depth(index_t slot, mbp_halos of, GLOBAL const f32 *low,
                                       GLOBAL f64 *depth) {
    const i64 halo = mbp_halo(of, slot);
    if (mbp_is_empty(of, slot))
        return;
    depth[mbp_member(of, slot)] = low[slot] > 0.0f
                                      ? (f64)low[slot] * mbp_scale(of.extent[halo]) /
                                            mbp_scale(of.heaviest[halo]) * (1 - 0x1p-40)
                                      : 0.0;
}

/* Puts evaluated potentials where they belong. */
static inline void mbp_potential_put(index_t k, mbp_halos of, GLOBAL const i64 *slot,
                                     GLOBAL const f64 *phi, GLOBAL f64 *potential) {
    potential[mbp_member(of, slot[k])] = phi[k];
}

#endif
