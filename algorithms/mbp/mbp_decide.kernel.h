/* The most bound members, as defined, among those that bounds have left. */
#ifndef WEFT_MBP_DECIDE_KERNEL_H
#define WEFT_MBP_DECIDE_KERNEL_H

#include "mbp_evaluate.kernel.h"

/* The survivor with the smallest potential; they ascend by slot, and so by id. */
static inline void mbp_decide_halo(index_t halo, i64 survivors, GLOBAL const i64 *offset,
                                   GLOBAL const u32 *member, GLOBAL const i64 *survivor,
                                   GLOBAL const f64 *phi, GLOBAL u32 *particle,
                                   GLOBAL f64 *potential) {
    const i64 first = mbp_first_slot(offset, halo);
    const i64 end = first + mbp_members(offset, halo);
    i64 k = mbp_search(survivor, survivors, first);
    i64 best = k;
    particle[halo] = 0xffffffffu;
    potential[halo] = 0.0;
    if (k == survivors || survivor[k] >= end)
        return;
    for (; k < survivors && survivor[k] < end; k++)
        if (phi[k] < phi[best])
            best = k;
    particle[halo] = member[offset[halo] + survivor[best] - first];
    potential[halo] = phi[best];
}

#endif
