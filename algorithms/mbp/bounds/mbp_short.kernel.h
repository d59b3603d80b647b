/* Bounds in short halos, for processors with vectors: a halo by one work-item, so that it
 * stays near. */
#ifndef WEFT_MBP_SHORT_KERNEL_H
#define WEFT_MBP_SHORT_KERNEL_H

#include "mbp_estimate.kernel.h"

/* Those where a member is, and behind it, are left to it: without softening they add
 * nothing to each other, and their potentials are the same sums. */
static inline void mbp_short_leave(i64 i, i64 members, i64 first, mbp_bodies at,
                                   GLOBAL f32 *high) {
    for (i64 j = first + i + 1; j < first + members; j++)
        if (at.x[j] == at.x[first + i] && at.y[j] == at.y[first + i] &&
            at.z[j] == at.z[first + i])
            high[j - first] = -1.0f;
}

/* Numbers as they are summed. */
static inline void mbp_short_round(i64 members, i64 slots, f64 scale, f32 empty,
                                   GLOBAL const f64 *from, GLOBAL f32 *to) {
    for (i64 k = 0; k < slots; k++) {
        const f32 rounded = (f32)(from[k] * scale);
        to[k] = k < members ? rounded : empty;
    }
}

/* Bounds of the members of halos t, t + items, ..., and lower ones of the deepest of each.
 * No upper bound is finite where a member is not alone. */
static inline void mbp_short_bound(index_t t, i64 items, i64 halos, mbp_halos of,
                                   mbp_bodies at, GLOBAL f32 *rounded, mbp_bounds bounds,
                                   GLOBAL u32 *best) {
    for (i64 halo = t; halo < halos; halo += items) {
        const i64 first = mbp_first_slot(of.offset, halo);
        const i64 members = mbp_members(of.offset, halo);
        const i64 slots = (members + MBP_ROW - 1) / MBP_ROW * MBP_ROW;
        const i64 end = mbp_first_slot(of.offset, halo + 1);
        GLOBAL f32 *high = bounds.high + first;
        best[halo] = 0u;
        if (members == 0 || !mbp_holds(of, halo)) {
            for (i64 slot = first; slot < end; slot++)
                mbp_bounds_nothing((index_t)slot, of, bounds);
            continue;
        }
        for (i64 k = 0; k < end - first; k++)
            bounds.low[first + k] = high[k] = k < members ? 0.0f : -1.0f;
        const f64 scale = mbp_scale(of.extent[halo]);
        const f32 soft2 = mbp_soft2(of, halo);
        GLOBAL f32 *x = rounded + 4 * first, *y = x + slots, *z = y + slots;
        GLOBAL f32 *mass = z + slots;
        mbp_short_round(members, slots, scale, 3.0f, at.x + first, x);
        mbp_short_round(members, slots, scale, 3.0f, at.y + first, y);
        mbp_short_round(members, slots, scale, 3.0f, at.z + first, z);
        mbp_short_round(members, slots, mbp_scale(of.heaviest[halo]), 0.0f, at.mass + first,
                        mass);
        const mbp_rounded b = {x, y, z, mass};
        mbp_estimate_sum(slots, soft2, b, high);
        mbp_estimate_raise(members, slots, soft2, mbp_estimate_lightest(members, mass),
                           high);
        best[halo] = f32_bits(mbp_estimate_narrow(members, slots, soft2, b, high));
        for (i64 i = 0; i < members && of.softening * of.softening == 0.0; i++)
            if (high[i] == bits_f32(0x7f800000u))
                mbp_short_leave(i, members, first, at, high);
    }
}

#endif
