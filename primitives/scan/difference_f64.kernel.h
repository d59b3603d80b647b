#ifndef DIFFERENCE_F64_KERNEL_H
#define DIFFERENCE_F64_KERNEL_H

#include <weft/kernel.h>

static inline f64 difference_f64(index_t i, GLOBAL const f64 *in) {
    return i == 0 ? in[0] : in[i] - in[i - 1];
}

#endif
