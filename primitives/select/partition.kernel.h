/* A block of a stable partition: what is kept goes on from the block's place, the rest
 * after all that is kept. */
#ifndef WEFT_PARTITION_KERNEL_H
#define WEFT_PARTITION_KERNEL_H

#include "select.kernel.h"

#pragma weft for T : COUNT in u8 : 1 u16 : 1 u32 : 1 u64 : 1 words : parts bytes : parts
static inline void partition_T(index_t b, i64 length, u32 block, GLOBAL const u32 *flags,
                               GLOBAL const i64 *places, i64 before,
                               GLOBAL const i64 *total, GLOBAL const T *in, GLOBAL T *out,
                               u32 parts) {
    const index_t first = b * (index_t)block, end = select_end(b, block, length);
    index_t yes = (index_t)places[b];
    index_t no = (index_t)(total[0] + before) + first - yes;
    (void)parts;
    for (index_t i = first; i < end; i++) {
        const index_t kept = flags[i] != 0;
        const index_t to = no + kept * (yes - no); /* no branch */
        for (u32 k = 0; k < COUNT; k++)
            out[to * COUNT + k] = in[i * COUNT + k];
        yes += kept;
        no += 1 - kept;
    }
}
#pragma weft end

#endif
