#ifndef THREADS_KERNEL_H
#define THREADS_KERNEL_H

#include <weft/kernel.h>

static inline void threads_square(index_t i, GLOBAL u32 *x) {
    x[i] = x[i] * x[i];
}

static inline u32 threads_odd(index_t i, GLOBAL const u32 *x) {
    return x[i] & 1;
}

#endif
