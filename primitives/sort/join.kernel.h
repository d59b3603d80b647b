/* Elements of two arrays, one after the other in a numbering that goes on from a to b. */
#ifndef WEFT_JOIN_KERNEL_H
#define WEFT_JOIN_KERNEL_H

#include "primitives/parts.kernel.h"

#pragma weft for T : COUNT in u8 : 1 u16 : 1 u32 : 1 u64 : 1 words : parts bytes : parts
static inline void join_T(index_t i, i64 a_length, GLOBAL const i64 *sources,
                          GLOBAL const T *a, GLOBAL const T *b, GLOBAL T *out, u32 parts) {
    const i64 from = sources[i];
    (void)parts;
    for (u32 k = 0; k < COUNT; k++)
        out[i * COUNT + k] =
            from < a_length ? a[from * COUNT + k] : b[(from - a_length) * COUNT + k];
}
#pragma weft end

#endif
