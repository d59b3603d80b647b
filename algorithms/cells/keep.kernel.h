/* Some particles of a grid, in its order. */
#ifndef WEFT_KEEP_KERNEL_H
#define WEFT_KEEP_KERNEL_H

#include <weft/kernel.h>

/* How many are kept of the elements before part i; `kept` counts up to and with each. */
static inline u32 keep_before(index_t i, GLOBAL const u32 *start, GLOBAL const u32 *kept) {
    return start[i] == 0 ? 0 : kept[start[i] - 1];
}

/* Whether something is kept of part i. */
static inline u32 keep_some(index_t i, GLOBAL const u32 *start, GLOBAL const u32 *kept) {
    return keep_before(i + 1, start, kept) > keep_before(i, start, kept);
}

static inline u32 keep_begins(index_t i, GLOBAL const u32 *line) {
    return i == 0 || line[i] != line[i - 1];
}

#endif
