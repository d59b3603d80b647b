/* Deposits: tetrahedra of one window at once, then the windows of the others. */
#ifndef SHEET_KERNEL_H
#define SHEET_KERNEL_H

#include <weft/kernel.h>
#include "sheet_fill.kernel.h"

/* Tetrahedron number i, if it has one window; how many others there are. With a list,
 * window part[i] of tetrahedron number of[i]. */
static inline void sheet_deposit(index_t i, sheet_frame f, GLOBAL const u32 *blocks,
                                 GLOBAL const u32 *of, GLOBAL const u32 *part,
                                 GLOBAL const f64 *position, GLOBAL u32 *windows,
                                 GLOBAL u32 *units) {
    const i64 number = sheet_find_number(of ? of[i] : (u32)i, f, blocks);
    i64 all = number < f.end;
    if (all) {
        const sheet_tetrahedron t = sheet_find(number, f, position);
        all = of ? 1 : sheet_window_count(&t, f, SHEET_WINDOW);
        if (all == 1)
            sheet_fill(&t, f, of ? (i64)part[i] : 0, units);
    }
    if (!of)
        windows[i] = all > 1 ? (u32)all : 0;
}

#endif
