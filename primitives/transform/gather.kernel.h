/* out[i] = in[map[i]], for all i or for some, those with a flag; structs in parts. */
#ifndef WEFT_GATHER_KERNEL_H
#define WEFT_GATHER_KERNEL_H

#include "primitives/parts.kernel.h"

#pragma weft for M in u32 i64
#pragma weft for T in u8 u16 u32 u64
static inline T gather_one_by_M_T(index_t i, GLOBAL const T *in, GLOBAL const M *map) {
    return in[map[i]];
}
#pragma weft end
#pragma weft for T : COUNT in u8 : 1 u16 : 1 u32 : 1 u64 : 1 words : parts bytes : parts
static inline void gather_by_M_T(index_t i, GLOBAL const T *in, GLOBAL const M *map,
                                 GLOBAL const u32 *flags, u32 some, GLOBAL T *out,
                                 u32 parts) {
    (void)parts;
    if (!some || flags[i])
        for (u32 k = 0; k < COUNT; k++)
            out[i * COUNT + k] = in[(index_t)map[i] * COUNT + k];
}
#pragma weft end
#pragma weft end

#endif
