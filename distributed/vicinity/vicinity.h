/* Space in even cells, and which of them come near some places: so that a rank, or a piece,
 * gets the particles around its own places and no others. */
#ifndef WEFT_DISTRIBUTED_VICINITY_VICINITY_H
#define WEFT_DISTRIBUTED_VICINITY_VICINITY_H

#include "distributed/domains.h"
#include "distributed/table/table.h"

enum { VICINITY_SIDE = 64, VICINITY_CELLS = VICINITY_SIDE * VICINITY_SIDE * VICINITY_SIDE };

struct vicinity {
    const struct positions *positions;
    double period[3], low[3], side[3];
    double slack[3]; /* more than what coordinates and their differences are rounded by */
};

/* The cells of all ranks' particles, the same on each. False after comm_fail.
 *   low, high   between these are all coordinates that this rank knows of: those that any
 *               of the ranks knows enclose those of all ranks; INFINITY and -INFINITY where
 *               there are none */
bool vicinity_settle(struct comm *comm, const struct positions *positions,
                     const double low[3], const double high[3], const double period[3],
                     struct vicinity *space);

/* A parts_rule, of a vicinity: the cell of a particle. */
int vicinity_cell(const void *space, int64_t row, int *cell);

/* All cells in which particles may be that are no farther from a place than `reach`, around
 * the periods, too; each once, into cells [VICINITY_CELLS]. Returns how many. */
int vicinity_around(const struct vicinity *space, const double place[3], double reach,
                    uint32_t *cells);

#endif
