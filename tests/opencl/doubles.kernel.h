#ifndef DOUBLES_KERNEL_H
#define DOUBLES_KERNEL_H

#include <weft/kernel.h>

static inline void doubles_twice(index_t i, GLOBAL f64 *x) {
    x[i] = 2 * x[i];
}

static inline f64 doubles_half(index_t i, GLOBAL const u32 *x) {
    return 0.5 * x[i];
}

static inline f64 doubles_product(f64 product, u32 a, u32 b) {
    return product + (f64)a * b;
}

#endif
