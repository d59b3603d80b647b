/* out[i] = in[map[i]], for all i or for some, those with a flag; structs in parts. */
#ifndef WEFT_GATHER_KERNEL_H
#define WEFT_GATHER_KERNEL_H

#include "far.kernel.h"
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
/* All, from all over memory, by work-items of FAR_EACH. */
static inline void gather_far_by_M_T(index_t b, GLOBAL const T *in, GLOBAL const M *map,
                                     GLOBAL T *out, i64 n, u32 parts) {
    const i64 end = min(n, ((i64)b + 1) * FAR_EACH);
    (void)parts;
    for (i64 g = (i64)b * FAR_EACH; g < end; g += FAR_GROUP) {
        GLOBAL const M *soon = map + g + FAR_AHEAD;
        prefetch(map + g + FAR_LINES, 1);
        prefetch(out + (g + FAR_LINES) * COUNT, 1);
        if (g + FAR_AHEAD + FAR_GROUP <= n &&
            far_apart((u64)soon[0], (u64)soon[FAR_GROUP - 1]))
            for (u32 k = 0; k < FAR_GROUP; k++)
                prefetch_far(in + (index_t)soon[k] * COUNT, 1);
        const i64 last = min(g + FAR_GROUP, end);
        for (i64 i = g; i < last; i++)
            for (u32 k = 0; k < COUNT; k++)
                out[i * COUNT + k] = in[(index_t)map[i] * COUNT + k];
    }
}
#pragma weft end
#pragma weft end

#endif
