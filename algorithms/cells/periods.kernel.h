/* Which parts of its period an axis has particles in. */
#ifndef WEFT_PERIODS_KERNEL_H
#define WEFT_PERIODS_KERNEL_H

#include "algorithms/points/points.kernel.h"

/* The bit of the part that a particle lies in, of every so many-th. box > 0. */
enum { PERIODS_PARTS = 64 };
static inline u64 periods_part(index_t i, i64 stride, i32 wide, f64 box,
                               GLOBAL const u32 *words) {
    const f64 x = points_coordinate(words, i * (index_t)stride, wide);
    const f64 part = points_wrap(x, box) / box * PERIODS_PARTS;
    return (u64)1 << (i32)min(part, (f64)(PERIODS_PARTS - 1));
}

/* A coordinate moved into the period that begins at `from`. */
static inline void periods_move(index_t i, i64 stride, i32 wide, f64 box, f64 from,
                                GLOBAL const u32 *words, GLOBAL f64 *at) {
    const f64 x = points_coordinate(words, i * (index_t)stride, wide);
    const f64 inside = box > 0 ? points_wrap(x, box) : x;
    at[i] = inside < from ? inside + box : inside;
}

#endif
