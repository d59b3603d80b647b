/* Kernels that leave their arrays far behind. */
#ifndef ASTRAY_KERNEL_H
#define ASTRAY_KERNEL_H

#include <weft/kernel.h>

static inline void astray_writes(index_t i, i64 at, GLOBAL const u32 *x, GLOBAL u32 *y) {
    y[i == 2 ? at : i] = x[i];
}
static inline void astray_reads_far(index_t i, i64 at, GLOBAL const u32 *x, GLOBAL u32 *y) {
    y[i] = x[i == 2 ? at : i];
}
static inline void astray_reads_absent(index_t i, GLOBAL const u32 *x, GLOBAL u32 *y) {
    y[i] = x[i];
}
static inline void astray_divides(index_t i, u32 by, GLOBAL u32 *y) {
    y[i] = 100 / by;
}

static inline u32 astray_lazy(index_t i, i64 at, GLOBAL const u32 *x) {
    return x[i == 2 ? at : i];
}

#endif
