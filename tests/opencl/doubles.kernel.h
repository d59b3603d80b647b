#ifndef DOUBLES_KERNEL_H
#define DOUBLES_KERNEL_H

#include <weft/kernel.h>

static inline void doubles_twice(index_t i, GLOBAL f64 *x) {
    x[i] = 2 * x[i];
}

#endif
