/* Some particles of a grid, in its order. */
#ifndef WEFT_SUBSET_KERNEL_H
#define WEFT_SUBSET_KERNEL_H

#include <weft/kernel.h>

/* How many are kept of the elements before part i; `kept` counts up to and with each. */
static inline u32 subset_before(index_t i, GLOBAL const u32 *start,
                                GLOBAL const u32 *kept) {
    return start[i] == 0 ? 0 : kept[start[i] - 1];
}

/* Whether something is kept of part i. */
static inline u32 subset_some(index_t i, GLOBAL const u32 *start, GLOBAL const u32 *kept) {
    return subset_before(i + 1, start, kept) > subset_before(i, start, kept);
}

#endif
