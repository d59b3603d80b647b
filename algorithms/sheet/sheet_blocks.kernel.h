/* Blocks of 4^3 cubes of the lattice, the box around each, and whether it is near the cells
 * asked for. */
#ifndef SHEET_BLOCKS_KERNEL_H
#define SHEET_BLOCKS_KERNEL_H

#include <weft/kernel.h>
#include "sheet_find.kernel.h"

/* Where cubes of a block are, along each axis: around all of them. */
typedef struct sheet_box {
    f64 low[3], high[3];
} sheet_box;

/* Numbers of corners of a cube, axis after axis: of a loop that long compilers make
 * vectors.
 */
enum { SHEET_BLOCKS_LANES = 3 * 8 };

/* Takes corners d[] from where corner 0 is, `at`, into the box. */
static inline void sheet_blocks_widen(const f64 *d, const f64 *at, const f64 *box, f64 *low,
                                      f64 *high) {
    f64 end[SHEET_BLOCKS_LANES];
    u64 far = 0;
    for (i32 l = 0; l < SHEET_BLOCKS_LANES; l++) {
        end[l] = at[l] + points_remainder_near(d[l], box[l]);
        far |= points_is_far(d[l], box[l]);
    }
    for (i32 l = 0; far && l < SHEET_BLOCKS_LANES; l++)
        end[l] = at[l] + points_remainder(d[l], box[l]);
    for (i32 l = 0; l < SHEET_BLOCKS_LANES; l++) {
        low[l] = points_less(low[l], end[l]);
        high[l] = points_more(high[l], end[l]);
    }
}

/* Every cube before f.end is taken at the period where its corner 0 is nearest to that of
 * the first; so a cube is in the box where its tetrahedra are. */
static inline void sheet_blocks_bound(index_t i, sheet_frame f, GLOBAL const f64 *position,
                                      GLOBAL sheet_box *boxes) {
    i64 first[3];
    f64 d[SHEET_BLOCKS_LANES], at[SHEET_BLOCKS_LANES], box[SHEET_BLOCKS_LANES],
        low[SHEET_BLOCKS_LANES], high[SHEET_BLOCKS_LANES];
    sheet_box b;
    sheet_find_block((i64)i, f, first);
    const index_t origin = 3 * sheet_find_site(first, f, 0);
    for (i32 l = 0; l < SHEET_BLOCKS_LANES; l++) {
        low[l] = high[l] = position[origin + l / 8];
        box[l] = f.box[l / 8];
    }
    for (i32 cube = 0; cube < SHEET_BLOCK_CUBES; cube++) {
        i64 place[3];
        if (!sheet_find_cube(first, cube, f, place))
            continue;
        const index_t site = 3 * sheet_find_site(place, f, 0);
        if ((i64)site / 3 * f.each >= f.end)
            continue;
        for (i32 corner = 0; corner < 8; corner++) {
            const index_t other = 3 * sheet_find_site(place, f, corner);
            for (i32 k = 0; k < 3; k++)
                d[8 * k + corner] = position[other + k] - position[site + k];
        }
        for (i32 k = 0; k < 3; k++) {
            const f64 from = position[origin + k], here = position[site + k];
            const f64 nearest = from + points_remainder(here - from, f.box[k]);
            for (i32 corner = 0; corner < 8; corner++)
                at[8 * k + corner] = nearest;
        }
        sheet_blocks_widen(d, at, box, low, high);
    }
    for (i32 k = 0; k < 3; k++) {
        b.low[k] = low[8 * k];
        b.high[k] = high[8 * k];
        for (i32 corner = 1; corner < 8; corner++) {
            b.low[k] = points_less(b.low[k], low[8 * k + corner]);
            b.high[k] = points_more(b.high[k], high[8 * k + corner]);
        }
    }
    boxes[i] = b;
}

/* Whether block i has cubes that are asked for, and is near the cells that are, with a cell
 * more at either end. */
static inline u32 sheet_blocks_is_near(index_t i, sheet_frame f,
                                       GLOBAL const sheet_box *boxes) {
    i64 first[3], last[3];
    sheet_find_block((i64)i, f, first);
    for (i32 k = 0; k < 3; k++)
        last[k] = min(first[k] + SHEET_BLOCK_SIDE, f.n[k]) - 1;
    if (((i64)sheet_find_site(last, f, 0) + 1) * f.each <= f.begin ||
        (i64)sheet_find_site(first, f, 0) * f.each >= f.end)
        return 0;
    for (i32 k = 0; k < 3; k++) {
        const i64 base = (i64)floor(boxes[i].low[k] * f.scale[k]) - 1;
        const i64 extent = (i64)floor(boxes[i].high[k] * f.scale[k]) + 2 - base;
        if (f.count[k] < f.cells[k] && extent < f.cells[k] &&
            !sheet_find_meets(base, extent, f.first[k], f.count[k], f.cells[k]))
            return 0;
    }
    return 1;
}

#endif
