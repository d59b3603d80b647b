/* A file with a function that C has, OpenCL has not, and weft-embed does not know of: it
 * spoils whatever else the file holds. */
#ifndef REFUSED_KERNEL_H
#define REFUSED_KERNEL_H

#include <weft/kernel.h>

static inline u32 refused_nearest(f64 x) {
    return (u32)lrint(x);
}

static inline void refused_kernel(index_t i, GLOBAL const f64 *x, GLOBAL u32 *y) {
    y[i] = refused_nearest(x[i]);
}

static inline u32 refused_lazy(index_t i, GLOBAL const f64 *x) {
    return refused_nearest(x[i]);
}

static inline u32 refused_plus(u32 a, u32 b) {
    return a + b;
}

static inline u32 refused_pairs(u32 sum, u32 a, u32 b) {
    return sum + a * b;
}

#endif
