/* In which even cell a place is: the same for the host and for every device. */
#ifndef WEFT_VICINITY_KERNEL_H
#define WEFT_VICINITY_KERNEL_H

#include "distributed/domains.kernel.h"

/* `count` cells along each axis; a period of 0: the axis does not wrap. */
typedef struct vicinity_grid {
    f64 period[3], low[3], side[3];
    i32 count, wide;
} vicinity_grid;

/* What lies before the first cell is in that, and what lies behind the last in the last. */
static inline u32 vicinity_along(f64 x, f64 low, f64 side, i32 count) {
    const f64 cells = (x - low) / side;
    return cells < 0 ? 0 : cells < (f64)count ? (u32)cells : (u32)count - 1;
}

/* Whether the bit of the cell of place i is set. */
static inline u32 vicinity_marked(index_t i, GLOBAL const u32 *words,
                                  GLOBAL const u32 *marks, vicinity_grid grid) {
    u32 cell = 0;
    for (i32 axis = 0; axis < 3; ++axis) {
        const f64 at = domains_coordinate(words, 3 * i + axis, grid.wide);
        const f64 x = domains_wrap(at, grid.period[axis]);
        cell = cell * (u32)grid.count +
               vicinity_along(x, grid.low[axis], grid.side[axis], grid.count);
    }
    return marks[cell / 32] >> cell % 32 & 1;
}

#endif
