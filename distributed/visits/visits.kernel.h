/* Cells of a periodic cube: in which a place is, the same for the host and every device. */
#ifndef VISITS_KERNEL_H
#define VISITS_KERNEL_H

#include <weft/kernel.h>

/* Cells along x, y and z, which are numbered with z fastest. */
typedef struct visits_grid {
    i32 n[3];
} visits_grid;

/* A place is a fraction of the side times 2^32. */
static inline u32 visits_part(u32 at, i32 n) {
    return (u32)((u64)at * (u64)n >> 32);
}

/* Where cells are planes, y and z are not read. */
static inline u32 visits_cell(index_t i, visits_grid grid, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z) {
    const u32 plane = visits_part(x[i], grid.n[0]);
    if (grid.n[1] == 1 && grid.n[2] == 1)
        return plane;
    return (plane * (u32)grid.n[1] + visits_part(y[i], grid.n[1])) * (u32)grid.n[2] +
           visits_part(z[i], grid.n[2]);
}

/* Whether what is in the cell of a place does what `bit` says. */
static inline u32 visits_does(index_t i, visits_grid grid, u32 bit, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z,
                              GLOBAL const u32 *does) {
    return does[visits_cell(i, grid, x, y, z)] & bit;
}

#endif
