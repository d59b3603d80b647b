/* Deposits: tetrahedra of one window at once, then the windows of the others. */
#ifndef SHEET_KERNEL_H
#define SHEET_KERNEL_H

#include <weft/kernel.h>
#include "sheet_window.kernel.h"

/* Tetrahedron f.begin + i, if it has one window; how many others there are. With a list,
 * window part[i] of tetrahedron f.begin + of[i]. */
static inline void sheet_deposit(index_t i, sheet_frame f, GLOBAL const u32 *of,
                                 GLOBAL const u32 *part, GLOBAL const f64 *position,
                                 GLOBAL u32 *windows, GLOBAL u32 *units) {
    const sheet_tetrahedron t = sheet_find(f.begin + (i64)(of ? of[i] : i), f, position);
    const i64 all = of ? 1 : sheet_window_count(&t, f, SHEET_WINDOW);
    if (all == 1)
        sheet_window_fill(&t, f, of ? (i64)part[i] : 0, units);
    if (!of)
        windows[i] = all > 1 ? (u32)all : 0;
}

#endif
