/* Elements that have a flag become another, which is the first of an array. Numbers are
 * written whatever their flags are, so that no branch depends on one. */
#ifndef WEFT_REPLACE_KERNEL_H
#define WEFT_REPLACE_KERNEL_H

#include "primitives/parts.kernel.h"

#pragma weft for T in u8 u16 u32 u64
static inline void replace_T(index_t i, GLOBAL const u32 *flags, GLOBAL const T *value,
                             GLOBAL T *x, u32 parts) {
    const T before = x[i], after = value[0];
    (void)parts;
    x[i] = flags[i] ? after : before;
}
#pragma weft end
#pragma weft for T in words bytes
static inline void replace_T(index_t i, GLOBAL const u32 *flags, GLOBAL const T *value,
                             GLOBAL T *x, u32 parts) {
    if (flags[i])
        for (u32 k = 0; k < parts; k++)
            x[i * parts + k] = value[k];
}
#pragma weft end

#endif
