/* Particles sorted into cells and sub-cells. */
#ifndef WEFT_ALGORITHMS_GRID_H
#define WEFT_ALGORITHMS_GRID_H

#include "algorithms/points/points.h"
#include "grid.kernel.h"

/* Cells' starts come with grid_find_starts, rows with grid_find_rows, the map with
 * stencil_make_map, rows' first cells with stencil_find_lines. */
WEFT_BUNDLE(grid_view, (value, i64, points), (value, i64, sets), (value, i64, cells),
            (value, i64, rows), (value, i64, pitch), (in, grid_point, point, 0),
            (in, u32, set_start, 0), (in, u8, set_sub, 0), (in, u32, cell_set, 0),
            (in, u32, cell_x, 0), (in, u32, cell_line, 0), (optional, u32, cell_start, 0),
            (optional, u64, row_key, 0), (optional, u32, row_cell, 0),
            (optional, u32, cell_row, 0), (optional, u64, bits, 0),
            (optional, u32, word_cell, 0), (optional, u32, line_cell, 0),
            (optional, u32, line_point, 0))
typedef grid_view_arrays grid_sets;

/* Whether the grid has the axes of the positions and is periodic on all that are, as
 * searches around any place want it, or, for friends alone, may be open where none lie
 * across (see periods.h), with its axes in another order (see points/axes.h). */
enum grid_periods { GRID_CLOSED, GRID_OPEN };

/* A grid for this length, which is above 0, and the error of an offset in it in linking
 * lengths, the rounding to units left out. *words become the coordinates that place
 * particles in its cells: the same, or scratch of the open scope where positions lie
 * outside a period or an axis is very long; *given is where they lay before. *key, if not
 * NULL, become the keys of all for grid_sort, scratch of the open scope, where they are
 * found on the way. Errors: WEFT_E_ARGUMENT where a coordinate is not finite. */
grid grid_choose(weft_device *device, const char *what, points_words *words, i64 count,
                 f64 length, const f64 period[3], enum grid_periods periods, f64 *error,
                 points_box *given, weft_array *key);

/* How many keys there may be, unless they are long; and whether they fit 32 bits. */
static inline i64 grid_key_count(const grid *g) {
    return (g->cells[0] * g->cells[1] * g->cells[2]) << 3 * g->bits;
}
static inline int grid_keys_narrow(const grid *g) {
    return !g->long_keys && grid_key_count(g) <= (i64)UINT32_MAX;
}

/* Memory for the numbers and keys of all, side by side: once they are free it is one piece,
 * which what comes after the cells has a use for. */
void grid_make_room(weft_device *device, i64 count, i32 wide);

/* Sorts `count` particles: all, or those whose indices stand in chosen (else type 0). key:
 * the keys of all, which are sorted, too, if grid_choose found them (else type 0). Free the
 * result in each case. */
grid_sets grid_sort(weft_device *device, const grid *g, const points_words *words,
                    i64 count, weft_array chosen, weft_array key);
/* Finds where cells start, and numbers the rows that hold cells, unless that was done. */
void grid_find_starts(weft_device *device, grid_sets *sets);
void grid_find_rows(weft_device *device, grid_sets *sets);
void grid_free_map(weft_device *device, grid_sets *sets);
void grid_free(weft_device *device, grid_sets *sets);

#endif
