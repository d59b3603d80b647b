/* The most bound members, as defined, among those that bounds have left. */
#ifndef WEFT_MBP_DECIDE_KERNEL_H
#define WEFT_MBP_DECIDE_KERNEL_H

#include "algorithms/mbp/bounds/mbp_short.kernel.h"
#include "mbp_evaluate.kernel.h"

/* The survivor with the smallest potential; they ascend by slot, and so by id. */
static inline void mbp_decide_halo(index_t halo, i64 survivors, GLOBAL const i64 *offset,
                                   GLOBAL const u32 *member, GLOBAL const i64 *survivor,
                                   GLOBAL const f64 *phi, GLOBAL u32 *particle,
                                   GLOBAL f64 *potential) {
    const i64 first = MBP_ROW * mbp_first_row(offset, halo);
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

/* Those where a member is, and behind it, are left to it: without softening they add
 * nothing to each other, and their potentials are the same sums. */
static inline void mbp_leave_behind(i64 i, i64 last, mbp_bodies b, GLOBAL f32 *high) {
    for (i64 j = i + 1; j < last; j++) {
        const i32 is_there = (b.x[j] == b.x[i]) & (b.y[j] == b.y[i]) & (b.z[j] == b.z[i]);
        high[j] = is_there ? -1.0f : high[j];
    }
}

/* The rank of the most bound member among those whose upper bounds are not below `best`.
 * No bound is finite where a member is not alone. */
static inline i64 mbp_decide_rank(mbp_short_halo h, f64 soft2, f32 best,
                                  GLOBAL f64 *potential) {
    const mbp_bodies b = {h.x, h.y, h.z, h.mass};
    f64 sums[MBP_SHORT / MBP_BLOCK];
    i64 chosen = -1;
    for (i64 i = 0; i < h.members; i++) {
        if (h.high[i] < best)
            continue;
        i64 blocks = 0;
        for (i64 begin = 0; begin < h.members; begin += MBP_BLOCK)
            sums[blocks++] = mbp_sum_block(i, begin, h.members, soft2, b);
        for (i64 part = 1; part < blocks; part *= 2)
            for (i64 k = 0; k + part < blocks; k += 2 * part)
                sums[k] += sums[k + part];
        if (chosen < 0 || 0.0 - sums[0] < *potential) {
            chosen = i;
            *potential = 0.0 - sums[0];
        }
        if (soft2 == 0.0 && h.high[i] == bits_f32(0x7f800000u))
            mbp_leave_behind(i, h.members, b, h.high);
    }
    return chosen;
}

/* The most bound members of halos t, t + items, ..., from what mbp_short_bound left. */
static inline void mbp_decide_short(index_t t, mbp_particles p, mbp_shorts s,
                                    GLOBAL u32 *particle, GLOBAL f64 *potential) {
    for (i64 halo = t; halo < s.halos; halo += s.items) {
        const mbp_short_halo h = mbp_short_take(t, halo, p.wide, s);
        particle[halo] = 0xffffffffu;
        potential[halo] = 0.0;
        if (h.members == 0)
            continue;
        mbp_short_unwrap(h, p);
        mbp_short_weigh(h, p);
        const i64 chosen =
            mbp_decide_rank(h, s.softening * s.softening, s.best[halo], potential + halo);
        if (chosen >= 0)
            particle[halo] = p.member[h.begin + chosen];
    }
}

#endif
