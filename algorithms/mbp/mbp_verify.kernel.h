/* True potentials against the bounds that were claimed of them. */
#ifndef WEFT_MBP_VERIFY_KERNEL_H
#define WEFT_MBP_VERIFY_KERNEL_H

#include "algorithms/mbp/bounds/mbp_bounds.kernel.h"

static inline u32 mbp_verify_holds(index_t slot, mbp_halos of) {
    return !mbp_is_empty(of, slot);
}

/* The first member of a halo outside its bounds, counted through all halos; the halo's
 * first where all lie below the lower bound of the largest; `none` where all is well.
 * Members left to others have no bounds. */
static inline i64 mbp_verify_halo(index_t halo, i64 none, mbp_halos of,
                                  GLOBAL const f64 *phi, GLOBAL const f32 *low,
                                  GLOBAL const f32 *high, GLOBAL const u32 *best) {
    const i64 first = mbp_first_slot(of.offset, halo), begin = of.offset[halo];
    const i64 members = mbp_members(of.offset, halo);
    const i32 holds = mbp_holds(of, halo);
    const i32 vanish = mbp_vanishes(of.extent[halo], of.softening);
    const f64 scale = mbp_scale(of.heaviest[halo]) / mbp_scale(of.extent[halo]);
    f64 most = 0.0;
    for (i64 k = 0; k < members && (holds || vanish); k++) {
        const f64 depth = vanish ? -phi[begin + k] : -phi[begin + k] * scale;
        const f64 least = vanish ? 0.0 : (f64)low[first + k];
        const f64 largest = vanish ? 0.0 : (f64)high[first + k];
        if (largest >= 0.0 && (depth < least || depth > largest))
            return begin + k;
        most = max(most, depth);
    }
    return holds && members > 0 && most < (f64)bits_f32(best[halo]) ? begin : none;
}

#endif
