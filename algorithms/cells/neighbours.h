/* How many friends the particles have. */
#ifndef WEFT_ALGORITHMS_NEIGHBOURS_H
#define WEFT_ALGORITHMS_NEIGHBOURS_H

#include "friends.h"

/* friends [points] u32, of the particles as they are sorted: their numbers of friends. A
 * number of at least `enough` may come out as any such number, and one below `least` as any
 * below it; 0 and 2^32 - 1 make all exact. */
void neighbours_count(weft_device *device, const friends_view_arrays *f, grid_sets *sets,
                      u32 least, u32 enough, weft_array friends);

#endif
