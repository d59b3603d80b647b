/* How kernels find the cells of a grid that touch a cell. */
#ifndef WEFT_ALGORITHMS_NEAR_H
#define WEFT_ALGORITHMS_NEAR_H

#include "friends.h"

/* Makes sets->map, unless it is there, or would be larger than `worth` particles are. */
void near_make_map(weft_device *device, const grid *g, grid_sets *sets, i64 worth);

/* What near_find takes to find cells of one grid around those of another; arrays that it
 * has no use for are empty. */
typedef struct near_index {
    grid_map map;
    i64 chunk;            /* cells a work-item, in ascending order */
    i64 rows;             /* of the cells that are asked for, */
    weft_array neighbour; /*   u32 [9][rows] */
    weft_array row;       /* u32 of each of those cells: what near_find takes as its row */
    weft_array row_key;   /* of the grid that they are in */
    weft_array row_cell;  /* of the grid that is searched */
} near_index;

/* To find cells of `to` around those of `from`, which may be the same; finds where cells of
 * `from` start. Scratch of the open
 * scope. */
near_index near_prepare(weft_device *device, const grid *g, grid_sets *from, grid_sets *to,
                        i64 worth);

#endif
