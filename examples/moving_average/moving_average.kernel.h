#ifndef MOVING_AVERAGE_KERNEL_H
#define MOVING_AVERAGE_KERNEL_H

#include <weft/kernel.h>

/* A price, in cents. */
static inline i64 moving_average_price(index_t i) {
    const i64 day = (i64)i;
    return 10000 + day * day % 733 - 40 * (day % 11);
}

/* The mean of elements i .. i + width - 1: what sums have after them, less what was before.
 */
static inline f64 moving_average_mean(index_t i, u32 width, GLOBAL const i64 *sum) {
    return (f64)(sum[i + (index_t)width] - sum[i]) / (f64)width;
}

#endif
