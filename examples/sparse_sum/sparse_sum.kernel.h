#ifndef SPARSE_SUM_KERNEL_H
#define SPARSE_SUM_KERNEL_H

#include <weft/kernel.h>

/* Element i of a sparse vector: where it is, and what it is. Places ascend. */
static inline u32 sparse_sum_place(index_t i, u32 step) {
    return (u32)i * step + (u32)i % 3;
}
static inline f64 sparse_sum_value(index_t i, f64 scale) {
    return scale * (f64)((i32)i % 7 - 3);
}
static inline u32 sparse_sum_is_there(index_t i, GLOBAL const f64 *x) {
    return x[i] != 0;
}

#endif
