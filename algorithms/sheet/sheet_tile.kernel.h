/* The cells of the box around a cube, in which its tetrahedra are summed up before they are
 * added to the grid: most of what one has in cells is in those of others, too. */
#ifndef SHEET_TILE_KERNEL_H
#define SHEET_TILE_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cube.kernel.h"
#include "sheet_window.kernel.h"

/* Cells of a tile at most. */
enum {
    SHEET_TILE = 960,
    SHEET_LIST = SHEET_CORNERS * SHEET_CORNERS + 3,
    SHEET_TILE_LANES = 4
};

/* Units of a tetrahedron at most: those of six are below 2^53, so sums of them are exact.
 */
CONSTANT f64 sheet_tile_units = 0x1p50;

CONSTANT i64 sheet_tile_nowhere = -((i64)1 << 61);

/* Cells low[k] .. low[k] + wide[k] of each axis; the next along it is `stride` further. */
typedef struct sheet_tile {
    f64 cell[SHEET_TILE];
    f64 low[3];
    i32 wide[3], stride[3], cells;
} sheet_tile;

/* The box around a cube; whether that is small. */
static inline i32 sheet_tile_open(sheet_tile *tile, const sheet_cube *cube) {
    i32 small = 1, cells = 1;
    for (i32 k = 2; k >= 0; k--) {
        f64 low = cube->base[k][0], last = low;
        for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
            low = points_less(low, cube->base[k][l]);
            last = points_more(last, cube->base[k][l] + floor(cube->high[k][l]));
        }
        small &= last - low < SHEET_WINDOW;
        tile->low[k] = low;
        tile->wide[k] = small ? (i32)(last - low) + 1 : 0;
        tile->stride[k] = cells;
        cells *= tile->wide[k];
    }
    tile->cells = cells;
    return small && cells <= SHEET_TILE;
}

/* With nothing in it. */
static inline void sheet_tile_clear(sheet_tile *tile) {
    for (i32 k = 0; k < tile->cells; k++)
        tile->cell[k] = 0;
}

/* Whether such a box touches the cells that are asked for. */
static inline i32 sheet_tile_meets(const f64 *low, const i32 *wide, sheet_frame f) {
    i32 meets = 1;
    for (i32 k = 0; k < 3; k++)
        meets &= sheet_find_meets((i64)low[k], wide[k], f.first[k], f.count[k], f.cells[k]);
    return meets;
}

/* Where the cells of an axis are, less those of other axes; far below 0 where they are not
 * asked for. */
static inline void sheet_tile_along(const sheet_tile *tile, sheet_frame f, i32 axis,
                                    i64 stride, i64 *along) {
    i64 cell = sheet_find_wrap((i64)tile->low[axis] - f.first[axis], f.cells[axis]);
    for (i32 a = 0; a < tile->wide[axis]; a++) {
        along[a] = cell < f.count[axis] ? cell * stride : sheet_tile_nowhere;
        cell = cell + 1 < f.cells[axis] ? cell + 1 : 0;
    }
}

/* Where cells are on the grid, and which of them have something: lists that all who add
 * cells share, since OpenCL on CPUs keeps those of all work-items of a group. */
typedef struct sheet_list {
    i64 place[SHEET_LIST + SHEET_TILE_LANES];
    i32 some[SHEET_LIST];
} sheet_list;

/* Adds it to the grid, as many planes at once as there is room for. A row of places is
 * written beyond its end, then the next. */
static inline void sheet_tile_close(const sheet_tile *tile, sheet_list *list, sheet_frame f,
                                    GLOBAL u32 *units) {
    i64 x[SHEET_WINDOW], y[SHEET_WINDOW], z[SHEET_WINDOW + SHEET_TILE_LANES];
    i64 *place = list->place;
    i32 *some = list->some;
    const i32 wide = tile->wide[2], size = tile->stride[0];
    const i32 numbers = (wide + SHEET_TILE_LANES - 1) / SHEET_TILE_LANES * SHEET_TILE_LANES;
    const f64 *cell = tile->cell;
    for (i32 l = 0; l < SHEET_TILE_LANES; l++)
        z[wide + l] = 0;
    sheet_tile_along(tile, f, 0, f.count[1] * f.count[2], x);
    sheet_tile_along(tile, f, 1, f.count[2], y);
    sheet_tile_along(tile, f, 2, 1, z);
    for (i32 a = 0; a < tile->wide[0];) {
        i32 k = 0, n = 0;
        do {
            for (i32 b = 0; b < tile->wide[1]; b++, k += wide)
                for (i32 c = 0; c < numbers; c++)
                    place[k + c] = x[a] + y[b] + z[c];
            a++;
        } while (a < tile->wide[0] && k + size <= SHEET_LIST);
        for (i32 c = 0; c < k; c++) {
            some[n] = c;
            n += (f64_bits(cell[c]) != 0) & (place[c] >= 0);
        }
        for (i32 c = 0; c < n; c++)
            sheet_add(units, (index_t)place[some[c]], (i64)cell[some[c]]);
        cell += k;
    }
}

#endif
