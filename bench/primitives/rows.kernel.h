/* What rows compute for each element. */
#ifndef ROWS_KERNEL_H
#define ROWS_KERNEL_H

#include <weft/kernel.h>

static inline u32 rows_sum(index_t i, GLOBAL const u32 *a, GLOBAL const u32 *b) {
    return a[i] + b[i];
}

static inline u32 rows_odd(index_t i, GLOBAL const u32 *in) {
    return in[i] & 1;
}

static inline u32 rows_top_byte(index_t i, GLOBAL const u32 *in) {
    return in[i] >> 24;
}

#endif
