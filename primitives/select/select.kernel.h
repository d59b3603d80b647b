/* Stream compaction a block at a time: a block counts what it keeps, a scan over the counts
 * says where it begins, and the block writes what it keeps one after the other. */
#ifndef WEFT_SELECT_KERNEL_H
#define WEFT_SELECT_KERNEL_H

#include "primitives/parts.kernel.h"

static inline index_t select_end(index_t b, u32 block, i64 length) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    return left < (index_t)block ? (index_t)length : first + (index_t)block;
}

/* The block after the last is empty, so that its place is the sum of all. */
static inline i64 select_count(index_t b, i64 length, u32 block, u32 keep,
                               GLOBAL const u32 *flags) {
    const index_t end = select_end(b, block, length);
    u32 count = 0;
    for (index_t i = b * (index_t)block; i < end; i++)
        count += (flags[i] != 0) == keep;
    return count;
}

/* Each element is written where the next one kept belongs, and stays if it is kept: no
 * branch depends on a flag, and the walk ends with the last that is kept and has room. */
#pragma weft for T : COUNT in u8 : 1 u16 : 1 u32 : 1 u64 : 1 words : parts bytes : parts
static inline void select_T(index_t b, u32 block, u32 keep, i64 room,
                            GLOBAL const u32 *flags, GLOBAL const i64 *places,
                            GLOBAL const T *in, GLOBAL T *out, u32 parts) {
    const index_t end = (index_t)min(places[b + 1], room);
    index_t to = (index_t)places[b];
    (void)parts;
    for (index_t i = b * (index_t)block; to < end; i++) {
        for (u32 k = 0; k < COUNT; k++)
            out[to * COUNT + k] = in[i * COUNT + k];
        to += (flags[i] != 0) == keep;
    }
}
#pragma weft end

#endif
