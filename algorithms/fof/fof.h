/* Groups of sets, for friends-of-friends and for DBSCAN's core points. */
#ifndef WEFT_ALGORITHMS_FOF_H
#define WEFT_ALGORITHMS_FOF_H

#include "algorithms/cells/friends.h"

/* parent [sets] u32: trees whose roots name the groups of sets, which are joined where a
 * particle of one is a friend of a particle of the other. `worth`: particles whose memory a
 * map of the grid may match. */
void fof_link(weft_device *device, const friends_view_arrays *f, grid_sets *sets, i64 worth,
              weft_array parent);

/* label [n] u32: of each particle of the sets, the smallest input index in its group. */
void fof_label_points(weft_device *device, const grid_sets *sets, weft_array parent,
                      weft_array label);

#endif
