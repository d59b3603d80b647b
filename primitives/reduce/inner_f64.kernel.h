#ifndef INNER_F64_KERNEL_H
#define INNER_F64_KERNEL_H

#include <weft/kernel.h>

static inline f64 inner_f64(index_t i, GLOBAL const f64 *a, GLOBAL const f64 *b) {
    return a[i] * b[i];
}

#endif
