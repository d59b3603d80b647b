/* Blocks of cubes that follow each other, and whether they are near the cells asked for. */
#ifndef SHEET_BLOCKS_KERNEL_H
#define SHEET_BLOCKS_KERNEL_H

#include <weft/kernel.h>
#include "sheet_find.kernel.h"

/* Along one axis, from cell *base on: all of the block, and a cell more at either end.
 * Every cube is taken at the period where its corner 0 is nearest to that of the first; so
 * a cube is on the grid where its tetrahedra are. */
static inline i64 sheet_blocks_extent(i64 begin, i64 end, sheet_frame f, i32 axis,
                                      GLOBAL const f64 *position, i64 *base) {
    const f64 box = f.box[axis], from = position[3 * (index_t)begin + axis];
    f64 low = 0, high = 0;
    for (i64 cube = begin; cube < end; cube++) {
        const i64 plane = cube / (f.n[1] * f.n[2]), row = cube / f.n[2] % f.n[1];
        const i64 place[3] = {plane, row, cube % f.n[2]};
        const f64 here = position[3 * (index_t)cube + axis];
        const f64 off = points_remainder(here - from, box);
        for (i32 corner = 0; corner < 8; corner++) {
            const index_t site = sheet_find_site(place, f, corner);
            const f64 d = points_remainder(position[3 * site + axis] - here, box);
            low = points_less(low, off + d);
            high = points_more(high, off + d);
        }
    }
    *base = (i64)floor((from + low) * f.scale[axis]) - 1;
    return (i64)floor((from + high) * f.scale[axis]) + 1 - *base + 1;
}

/* Block i is cubes f.begin + i size .. + size, in tetrahedra. */
static inline u32 sheet_blocks_is_near(index_t i, sheet_frame f,
                                       GLOBAL const f64 *position) {
    const i64 first = (f.begin + (i64)i * f.block) / f.each;
    const i64 last = min(f.begin + ((i64)i + 1) * f.block, f.end) / f.each;
    for (i32 k = 0; k < 3; k++) {
        i64 base;
        if (f.count[k] == f.cells[k])
            continue;
        const i64 extent = sheet_blocks_extent(first, last, f, k, position, &base);
        if (extent < f.cells[k] &&
            !sheet_find_meets(base, extent, f.first[k], f.count[k], f.cells[k]))
            return 0;
    }
    return 1;
}

#endif
