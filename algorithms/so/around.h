/* How many particles there are around centers. */
#ifndef WEFT_SO_AROUND_H
#define WEFT_SO_AROUND_H

#include "task.h"

/* The task's search, for lists that tell whose distances they have. */
so_search so_around_named(const so_task *task);

/* Counts particles with r^2 <= reach2 around all centers; below 0: none. On CPUs they are
 * kept in scratch as far as there is room for half of all, if nobody has kept some.
 *   reach2, count   [centers] f64, i64 */
void so_around_count_all(weft_device *device, so_task *task, weft_array reach2,
                         weft_array count);

#endif
