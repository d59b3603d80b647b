#ifndef LAUNCH_KERNEL_H
#define LAUNCH_KERNEL_H

#include <weft/kernel.h>

static inline void launch_saxpy(index_t i, f32 a, GLOBAL const f32 *x, GLOBAL f32 *y) {
    y[i] = a * x[i] + y[i];
}

#endif
