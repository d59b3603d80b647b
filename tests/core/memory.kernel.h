#ifndef MEMORY_KERNEL_H
#define MEMORY_KERNEL_H

#include <weft/kernel.h>

static inline void memory_add(index_t i, u32 more, GLOBAL u32 *x) {
    x[i] += more;
}

static inline void memory_copy(index_t i, GLOBAL const u32 *x, GLOBAL u32 *y) {
    y[i] = x[i];
}

#endif
