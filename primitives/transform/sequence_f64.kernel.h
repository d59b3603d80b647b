#ifndef SEQUENCE_F64_KERNEL_H
#define SEQUENCE_F64_KERNEL_H

#include <weft/kernel.h>

static inline f64 sequence_f64(index_t i, f64 start, f64 step) {
    return start + (f64)i * step;
}

#endif
