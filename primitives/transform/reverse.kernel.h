/* Swaps element i with the i-th from the end. */
#ifndef WEFT_REVERSE_KERNEL_H
#define WEFT_REVERSE_KERNEL_H

#include "primitives/parts.kernel.h"

#pragma weft for T : COUNT in u8 : 1 u16 : 1 u32 : 1 u64 : 1 words : parts bytes : parts
static inline void reverse_T(index_t i, i64 length, GLOBAL T *out, u32 parts) {
    const index_t other = (index_t)length - 1 - i;
    (void)parts;
    for (u32 k = 0; k < COUNT; k++) {
        const T held = out[i * COUNT + k];
        out[i * COUNT + k] = out[other * COUNT + k];
        out[other * COUNT + k] = held;
    }
}
#pragma weft end

#endif
