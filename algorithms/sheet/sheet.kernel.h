/* Deposits: tetrahedra of one window at once, then the windows of the others. */
#ifndef SHEET_KERNEL_H
#define SHEET_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cube.kernel.h"
#include "sheet_fill.kernel.h"
#include "sheet_image.kernel.h"

/* Tetrahedra of cube i of a launch that have one window; how many others there are. */
static inline void sheet_deposit(index_t i, sheet_frame f, GLOBAL const u32 *blocks,
                                 GLOBAL const f64 *position, GLOBAL u32 *windows,
                                 GLOBAL u32 *units) {
    const i64 number = sheet_find_number((u32)(i * f.each), f, blocks);
    f64 corner[3][8];
    sheet_cube cube;
    sheet_fill_hand hand;
    sheet_tile tile;
    const i32 together = f.units <= sheet_tile_units, image = together && sheet_image_is(f);
    sheet_fill_open(&hand);
    for (i32 which = 0; which < f.each; which++)
        windows[i * f.each + which] = 0;
    if (number >= f.end)
        return;
    sheet_cube_corners(number / f.each, f, position, corner);
    for (i32 six = 0; six < f.each; six += 6) {
        const i32 flip = f.each > 6 ? sheet_diagonals[six / 6] : 0;
        if (image && sheet_image(&hand, corner, f, flip, units))
            continue;
        sheet_cube_find(corner, f, flip, &cube);
        const i32 tiled = together && !image && sheet_tile_open(&tile, &cube);
        if (tiled && !sheet_tile_meets(tile.low, tile.wide, f))
            continue;
        sheet_cube_sort(&cube);
        if (tiled)
            sheet_tile_clear(&tile);
        for (i32 l = 0; l < 6; l++) {
            i32 left = 0;
            if (tiled)
                left = sheet_fill_take_tiled(&hand, &cube, l, f.units, &tile);
            else {
                const sheet_body body = sheet_cube_take(&cube, l);
                const i64 more = sheet_body_windows(&body, f);
                if (more == 1)
                    left = sheet_fill_take(&hand, &body, f, 0, units);
                windows[i * f.each + six + l] = more > 1 ? (u32)more : 0;
            }
            do
                left = sheet_fill(&hand, left, l == 5, f, tiled ? tile.cell : 0, units);
            while (left);
        }
        if (tiled)
            sheet_tile_close(&tile, &hand.list, f, units);
    }
}

/* Window part[i] of tetrahedron number of[i] of a launch. */
static inline void sheet_deposit_window(index_t i, sheet_frame f, GLOBAL const u32 *blocks,
                                        GLOBAL const u32 *of, GLOBAL const u32 *part,
                                        GLOBAL const f64 *position, GLOBAL u32 *units) {
    sheet_tetrahedron t = sheet_find(sheet_find_number(of[i], f, blocks), f, position);
    f64 base[3], high[3];
    for (i32 k = 0; k < 3; k++) {
        base[k] = (f64)t.base[k];
        high[k] = (f64)(t.extent[k] - 1);
    }
    sheet_body body = sheet_body_of(t.at, base, high);
    body.volume = f.streams ? sheet_find_volume(&t) : -1;
    sheet_fill_hand hand;
    sheet_fill_open(&hand);
    i32 left = sheet_fill_take(&hand, &body, f, (i64)part[i], units);
    while (left)
        left = sheet_fill(&hand, left, 1, f, 0, units);
}

#endif
