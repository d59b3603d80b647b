#ifndef DEVICE_KERNEL_H
#define DEVICE_KERNEL_H

#include <weft/kernel.h>

static inline void device_square(index_t i, GLOBAL u32 *x) {
    x[i] = x[i] * x[i];
}

#endif
