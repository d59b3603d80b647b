/* Tetrahedra one by one, each in a grid of its own. */
#ifndef SHEET_ONE_KERNEL_H
#define SHEET_ONE_KERNEL_H
#include <weft/kernel.h>
#include "../../../algorithms/sheet/sheet.kernel.h"

/* Number which[i], in the i-th grid; window none[i], which is 0. */
static inline void sheet_one(index_t i, sheet_frame f, GLOBAL const u32 *which,
                             GLOBAL const u32 *none, GLOBAL const f64 *position,
                             GLOBAL u32 *units) {
    const index_t cells = (index_t)(f.count[0] * f.count[1] * f.count[2]);
    sheet_deposit_window(i, f, 0, which, none, position, units + 2 * i * cells);
}

#endif
