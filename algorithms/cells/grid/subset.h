/* A grid without some of its particles. */
#ifndef WEFT_ALGORITHMS_SUBSET_H
#define WEFT_ALGORITHMS_SUBSET_H

#include "grid.h"

/* The particles whose flag is 1, in the cells that they lie in.
 *   flags   [points] u32, 0 or 1; may be lazy
 * Cost: passes over particles, sets and cells, without a sort. Free the result in each
 * case. */
grid_sets subset_of(weft_device *device, const grid *g, const grid_sets *sets,
                    weft_array flags);

#endif
