/* Counts flags a block at a time, so that a block's sum stays in vectors. */
#ifndef WEFT_COUNT_KERNEL_H
#define WEFT_COUNT_KERNEL_H

#include <weft/kernel.h>

static inline i64 count_block(index_t b, i64 length, u32 block, GLOBAL const u32 *flags) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    const index_t count = left < (index_t)block ? left : (index_t)block;
    u32 sum = 0;
    for (index_t k = 0; k < count; k++)
        sum += flags[first + k] != 0;
    return sum;
}

#endif
