#ifndef ARRAY_KERNEL_H
#define ARRAY_KERNEL_H

#include <weft/kernel.h>

static inline void array_fill(index_t i, u16 with, GLOBAL u16 *x) {
    x[i] = with;
}

static inline u32 array_count(index_t i, u32 from) {
    return from + (u32)i;
}

#endif
