#ifndef ERRORS_KERNEL_H
#define ERRORS_KERNEL_H

#include <weft/kernel.h>

static inline void errors_add(index_t i, u32 more, GLOBAL u32 *x) {
    x[i] += more;
}

static inline u32 errors_pairs(u32 sum, u32 a, u32 b) {
    return sum + a * b;
}

#endif
