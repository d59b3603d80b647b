/* Elements that have a flag become another, which is the first of an array. */
#ifndef REPLACE_KERNEL_H
#define REPLACE_KERNEL_H

#include "primitives/parts.kernel.h"

#pragma weft for T : COUNT in u8 : 1 u16 : 1 u32 : 1 u64 : 1 words : parts bytes : parts
static inline void replace_T(index_t i, GLOBAL const u32 *flags, GLOBAL const T *value,
                             GLOBAL T *x, u32 parts) {
    (void)parts;
    if (flags[i])
        for (u32 k = 0; k < COUNT; k++)
            x[i * COUNT + k] = value[k];
}
#pragma weft end

#endif
