/* Forces that the tests of steps know. */
#ifndef STEPS_FORCE_KERNEL_H
#define STEPS_FORCE_KERNEL_H

#include <weft/kernel.h>

/* Rough, of whole numbers alone: the same everywhere. */
static inline void steps_force_rough(index_t i, u32 salt, GLOBAL const u32 *x,
                                     GLOBAL const u32 *y, GLOBAL f64 *a) {
    const u32 mixed = (x[i] ^ salt) * 2654435761u + (y[i] >> 3);
    a[i] = (f64)(i32)mixed / 2147483648.0;
}

/* Of sheets that have not crossed: how far each is from its place of a lattice of n. */
static inline void steps_force_sheet(index_t i, i64 n, GLOBAL const u32 *x, GLOBAL f64 *a) {
    const u32 home = (u32)(((u64)i << 32) / (u64)n);
    a[i] = (f64)(i32)(x[i] - home) / 4294967296.0;
}

#endif
