/* When two particles are friends, and where to look for some: what friends-of-friends,
 * DBSCAN and counts of friends share. */
#ifndef WEFT_ALGORITHMS_FRIENDS_H
#define WEFT_ALGORITHMS_FRIENDS_H

#include "friends.kernel.h"
#include "algorithms/cells/grid/grid.h"

WEFT_BUNDLE(friends_view, (value, friends_rule, rule), (in, u32, x, 0), (in, u32, y, 0),
            (in, u32, z, 0))

/* Checks a length and the periods of the axes; `what` names the call, `which` the length.
 * Errors: WEFT_E_ARGUMENT. */
void friends_check(weft_device *device, const char *what, const char *which, f64 length,
                   const f64 box[3]);

/* The rule for `count` particles, at least one, and in it their grid; *places become the
 * coordinates for grid_sort, as grid_choose has it, and *bounds where the particles lie;
 * *key as there. Errors: WEFT_E_ARGUMENT. */
friends_view_arrays friends_choose(weft_device *device, const char *what,
                                   const points_words *words, i64 count, f64 length,
                                   const f64 box[3], enum grid_periods periods,
                                   points_words *places, points_box *bounds,
                                   weft_array *key);

/* Cells or rows a work-item: many for a few threads, few for many. */
i64 friends_chunk(const weft_device *device, i64 n);

/* The neighbours of each row of `from` on the first `ways`, of the rows of `to`, which may
 * be the same: u32 [ways][rows of from], scratch of the open scope. Does grid_find_rows
 * where it was not done. */
weft_array friends_find_rows(weft_device *device, const grid *g, grid_sets *from,
                             grid_sets *to, i32 ways);

#endif
