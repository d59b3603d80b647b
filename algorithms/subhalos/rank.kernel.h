/* Members of subhalos in the order of energies that are not quite known. */
#ifndef WEFT_RANK_KERNEL_H
#define WEFT_RANK_KERNEL_H

#include <weft/kernel.h>

/* Whether energies i and i + 1, which ascend in each group, may be in the other order. */
static inline i32 rank_overlap(i64 i, GLOBAL const u32 *of, GLOBAL const f64 *spread,
                               GLOBAL const f64 *energy) {
    const f64 a = energy[i], b = energy[i + 1];
    return !(b - a > 2 * spread[of[i]] + 0x1p-50 * (fabs(a) + fabs(b)));
}

static inline u32 rank_is_open(index_t i, i64 members, GLOBAL const u32 *of,
                               GLOBAL const f64 *spread, GLOBAL const f64 *energy) {
    return (i > 0 && of[i - 1] == of[i] && rank_overlap((i64)i - 1, of, spread, energy)) ||
           (i + 1 < members && of[i + 1] == of[i] && rank_overlap(i, of, spread, energy));
}

#endif
