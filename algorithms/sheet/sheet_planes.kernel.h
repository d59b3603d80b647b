/* Planes of corners of a window, and the cells between them: differences of numbers at
 * corners, added to the grid or to a tile. */
#ifndef SHEET_PLANES_KERNEL_H
#define SHEET_PLANES_KERNEL_H

#include <weft/kernel.h>
#include "sheet_tile.kernel.h"
#include "sheet_window.kernel.h"

/* Numbers of a plane of corners at most, and of all planes that are held together. */
enum {
    SHEET_PLANES_LANES = 4,
    SHEET_PLANES_PLANE = (SHEET_CORNERS * SHEET_CORNERS + SHEET_PLANES_LANES) /
                         SHEET_PLANES_LANES * SHEET_PLANES_LANES,
    SHEET_PLANES_SUMS = 6 * SHEET_PLANES_PLANE
};

/* Planes first .. first + count of corners, after the one before, from sum[from] on; after
 * them, what is to be added from plane `upper` on. Each is `size` numbers; a row of it
 * `wide`. Where all is in one layer of cells there is its one plane alone. */
typedef struct sheet_planes {
    sheet_axis axis[3];
    f64 volume;
    i32 from, first, count, vectors, size, wide, rows, upper, is_upper, is_layer;
    i32 place, beside[3];
} sheet_planes;

static inline void sheet_planes_begin(sheet_planes *p) {
    const sheet_axis *axis = p->axis;
    p->rows = (i32)(axis[1].high - axis[1].low);
    p->wide = (i32)(axis[2].high - axis[2].low) + 1;
    p->vectors = ((p->rows + 1) * p->wide + SHEET_PLANES_LANES - 1) / SHEET_PLANES_LANES;
    p->size = p->vectors * SHEET_PLANES_LANES;
    p->first = axis[0].low == 0;
    p->count = 0;
    p->is_upper = 0;
    p->upper = -1;
    p->is_layer = axis[0].extent == 1;
}

/* What is in the cell below a corner, of a plane and all before it; rows are `wide` apart.
 */
static inline f64 sheet_planes_below(const f64 *now, i32 wide) {
    return (now[0] - now[-1]) - (now[-wide] - now[-wide - 1]);
}

/* What is in the cells below planes a .. a + planes, from the second corner of the second
 * row on; masses, or where a volume is given volumes. In one loop, since numbers are
 * integers and no order of theirs is another. */
static inline void sheet_planes_mass(const sheet_planes *p, const f64 *sum, i32 a,
                                     i32 planes, f64 *mass) {
    const i32 wide = p->wide, size = p->size, skip = wide + 1;
    const i32 all = (planes * size - skip + SHEET_PLANES_LANES - 1) / SHEET_PLANES_LANES *
                    SHEET_PLANES_LANES;
    const f64 *now = sum + p->from + (p->is_layer ? 0 : (a - p->first + 1) * size) + skip;
    const f64 *more = sum + p->from + (p->count + 1) * size + skip;
    if (p->is_layer)
        for (i32 k = 0; k < all; k++)
            mass[k] = sheet_planes_below(now + k, wide);
    else
        for (i32 k = 0; k < all; k++)
            mass[k] = sheet_planes_below(now + k, wide) -
                      sheet_planes_below(now - size + k, wide);
    if (p->upper >= a && p->upper < a + planes)
        for (i32 k = 0; k < size - skip; k++)
            mass[(p->upper - a) * size + k] += sheet_planes_below(more + k, wide);
    if (p->volume >= 0)
        for (i32 k = 0; k < all; k++)
            mass[k] = floor(mass[k] * p->volume + 0.5);
}

/* Adds them to a tile. */
static inline void sheet_planes_to_tile(const sheet_planes *p, i32 a, i32 planes,
                                        const f64 *mass, f64 *tile) {
    f64 *to = tile + p->place + (a - 1) * p->beside[0];
    for (i32 n = 0; n < planes; n++)
        for (i32 b = 0; b < p->rows; b++) {
            const f64 *from = mass + n * p->size + b * p->wide;
            f64 *row = to + n * p->beside[0] + b * p->beside[1];
            for (i32 c = 0; c < p->wide - 1; c++)
                row[c * p->beside[2]] += from[c];
        }
}

/* Adds those below plane a to the grid. list->place[k] is where the cell below corner k of
 * a plane is; below 0 where it is not asked for. */
static inline void sheet_planes_to_grid(const sheet_planes *p, i32 a, f64 *mass,
                                        sheet_list *list, GLOBAL u32 *units) {
    const sheet_axis *axis = p->axis;
    const i64 x = sheet_window_cell(&axis[0], axis[0].low + a);
    const i32 wide = p->wide, end = p->rows * wide - 1;
    i32 *some = list->some, n = 0;
    if (x >= axis[0].count)
        return;
    for (i32 b = 1; b < p->rows; b++)
        mass[b * wide - 1] = 0;
    for (i32 k = 0; k < end; k++) {
        some[n] = k;
        n += f64_bits(mass[k]) != 0;
    }
    for (i32 k = 0; k < n; k++) {
        const i64 cell = list->place[some[k] + wide + 1];
        if (cell >= 0)
            sheet_add(units, (index_t)(x * axis[0].stride + cell), (i64)mass[some[k]]);
    }
}

/* Where cells a - 1 .. a of an axis are, a below `end`, less those of other axes; so far
 * below 0 where they are not asked for that sums are. */
static inline void sheet_planes_along(const sheet_axis *axis, i32 end, i64 *along) {
    i64 cell = sheet_window_cell(axis, axis->low + 1);
    for (i32 a = 1; a < end; a++) {
        along[a] = cell < axis->count ? cell * axis->stride : sheet_tile_nowhere;
        cell = cell + 1 < axis->cells ? cell + 1 : 0;
    }
}

/* Where cells of a plane are. A row is written beyond its end, then the next. */
static inline void sheet_planes_places(const sheet_planes *p, i64 *place) {
    const sheet_axis *axis = p->axis;
    const i32 wide = p->wide;
    const i32 numbers =
        (wide + SHEET_PLANES_LANES - 1) / SHEET_PLANES_LANES * SHEET_PLANES_LANES;
    i64 along[SHEET_CORNERS + SHEET_PLANES_LANES], row[SHEET_CORNERS];
    for (i32 c = 0; c < SHEET_PLANES_LANES; c++)
        along[wide + c] = 0;
    along[0] = 0;
    sheet_planes_along(&axis[2], wide, along);
    sheet_planes_along(&axis[1], p->rows + 1, row);
    for (i32 b = 1; b <= p->rows; b++)
        for (i32 c = 0; c < numbers; c++)
            place[b * wide + c] = row[b] + along[c];
}

#endif
