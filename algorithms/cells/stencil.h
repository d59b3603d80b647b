/* How kernels find the cells of a grid that touch a cell. */
#ifndef WEFT_ALGORITHMS_STENCIL_H
#define WEFT_ALGORITHMS_STENCIL_H

#include "friends.h"

/* Words of a row of a map, and whether one would be no larger than `worth` particles are.
 */
i64 stencil_pitch(const grid *g);
int stencil_may_map(const grid *g, i64 worth);

/* Makes the map of a grid, unless it is there, or would be larger than `worth` particles
 * are. */
void stencil_make_map(weft_device *device, const grid *g, grid_sets *sets, i64 worth);

/* Finds the first cells and particles of all rows there could be (lines.kernel.h), in place
 * of a map on devices of few work-items, unless that was done, or there could be many more
 * rows than particles. */
void stencil_find_lines(weft_device *device, const grid *g, grid_sets *sets);

/* What stencil_find needs to find cells of `to` around those of `from`, which may be the
 * same; finds where cells of `from` start. Returns no array where `to` has a map, and
 * otherwise the neighbours of the rows of `from`, u32 [9][rows]: scratch of the open scope.
 */
weft_array stencil_prepare(weft_device *device, const grid *g, grid_sets *from,
                           grid_sets *to, i64 worth);

#endif
