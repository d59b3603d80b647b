#ifndef TRANSFORM_KERNEL_H
#define TRANSFORM_KERNEL_H

#include <weft/kernel.h>

static inline f32 transform_scaled(index_t i, f32 a, GLOBAL const f32 *x) {
    return a * x[i];
}

/* i times an odd number: all different. */
static inline u32 transform_mixed(index_t i, u32 factor) {
    return (u32)i * factor;
}

#endif
