/* Groups of sets, for friends-of-friends and for DBSCAN's core points. */
#ifndef WEFT_ALGORITHMS_FOF_H
#define WEFT_ALGORITHMS_FOF_H

#include "algorithms/cells/friends.h"

/* parent [sets] u32: trees whose roots name the groups of sets. smallest: the same of each
 * set's smallest input index, which few work-items find on their way; else its type is 0.
 */
typedef struct fof_trees {
    weft_array parent, smallest;
} fof_trees;

/* Scratch of the open scope. */
fof_trees fof_trees_new(weft_device *device, const grid_sets *sets);

/* Joins sets where a particle of one is a friend of a particle of the other. `worth`:
 * particles whose memory a map of the grid may match. */
void fof_link(weft_device *device, const friends_view_arrays *f, grid_sets *sets, i64 worth,
              const fof_trees *trees);

/* label [n] u32: of each particle of the sets, the smallest input index in its group. */
void fof_label_points(weft_device *device, const grid_sets *sets, const fof_trees *trees,
                      weft_array label);

#endif
