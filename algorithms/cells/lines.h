/* Where rows of cells begin, for devices of few work-items: see lines.kernel.h. */
#ifndef WEFT_ALGORITHMS_LINES_H
#define WEFT_ALGORITHMS_LINES_H

#include "grid.h"

/* Finds the first cells and particles of all rows there could be, unless that was done, or
 * there could be many more than particles. */
void lines_find(weft_device *device, const grid *g, grid_sets *sets);

#endif
