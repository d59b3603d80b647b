/* Particles sorted into cells and sub-cells. */
#ifndef WEFT_ALGORITHMS_GRID_H
#define WEFT_ALGORITHMS_GRID_H

#include "grid.kernel.h"
#include "algorithms/points/points.h"

/* A map of a grid, or pitch 0 where there is none. */
typedef struct grid_map {
    i64 pitch;              /* words a row */
    weft_array bits, first; /* [pitch * rows there could be] u64, u32: see map.kernel.h */
} grid_map;

/* Sets are the particles of one sub-cell; all of them lie within the length. Only sets,
 * cells and rows of cells that hold particles are kept. */
typedef struct grid_sets {
    i64 points, sets, cells;
    weft_array point;      /* [points] grid_point, by row, cell and sub-cell */
    weft_array set_start;  /* [sets + 1] u32: a set's first point */
    weft_array set_sub;    /* [sets] u8: its sub-cell */
    weft_array cell_set;   /* [cells + 1] u32: a cell's first set */
    weft_array cell_x;     /* [cells] u32: its place in its row */
    weft_array cell_line;  /* [cells] u32: its row, z ny + y; with long keys as cell_row */
    grid_map map;          /* comes with near_make_map */
    weft_array cell_start; /* [cells + 1] u32: a cell's first point: grid_find_starts */
    i64 rows;              /* the following come with grid_find_rows */
    weft_array row_key;    /* [rows] u64: z ny + y, ascending */
    weft_array row_cell;   /* [rows + 1] u32: a row's first cell */
    weft_array cell_row;   /* [cells] u32: a cell's row, of those that are kept */
} grid_sets;

/* A grid for this length, which is above 0, and the error of an offset in it in linking
 * lengths, the rounding to units left out. *words become the coordinates that place
 * particles in its cells: the same, or scratch of the open scope where positions lie
 * outside a period or an axis is very long.
 * Errors: WEFT_E_ARGUMENT where a coordinate is not finite. */
grid grid_choose(weft_device *device, const char *what, points_words *words, i64 count,
                 f64 length, const f64 period[3], f64 *error);

/* Sorts `count` particles: all, or those whose indices stand in chosen (else type 0).
 * Free the result in each case. */
grid_sets grid_sort(weft_device *device, const grid *g, const points_words *words,
                    i64 count, weft_array chosen);
/* Finds where cells start. */
void grid_find_starts(weft_device *device, grid_sets *sets);
/* Numbers the rows that hold cells. */
void grid_find_rows(weft_device *device, grid_sets *sets);
void grid_free_map(weft_device *device, grid_sets *sets);
void grid_free(weft_device *device, grid_sets *sets);

#endif
