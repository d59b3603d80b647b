/* Sums of counts, for the sort. */
#ifndef WEFT_BACKENDS_OPENCL_OPENCL_COUNT_KERNEL_H
#define WEFT_BACKENDS_OPENCL_OPENCL_COUNT_KERNEL_H

#include <weft/kernel.h>

static inline u32 opencl_count_add(u32 a, u32 b) {
    return a + b;
}

static inline u64 opencl_count_add_wide(u64 a, u64 b) {
    return a + b;
}

#endif
