/* Which particles of this rank stay, and which go where. */
#ifndef WEFT_DISTRIBUTED_VISITS_LISTS_H
#define WEFT_DISTRIBUTED_VISITS_LISTS_H

#include "visits.h"

/* In scratch of the open scope; `row` are those that are sent, one way and then the other,
 * by rank, ascending in each. Returns how many each has, [ways][size] for free(); NULL
 * after comm_fail. */
int64_t *visits_list(struct comm *comm, weft_device *device,
                     const struct visits_cells *cells, const weft_array x[3],
                     weft_array *stay, weft_array *row);

#endif
