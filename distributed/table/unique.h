/* Whether numbers that several ranks have are all different. */
#ifndef WEFT_DISTRIBUTED_UNIQUE_H
#define WEFT_DISTRIBUTED_UNIQUE_H

#include "distributed/ranks/comm.h"

/* Whether the n numbers of this rank and those of all others are proven to be different, as
 * all ranks learn. By a bit for each value that they span, so that no number is sent. Not
 * proven where one is there twice, or below 0, or where the bits would take more memory
 * than twice the numbers of a rank do. False after a failure.
 * Cost: O(n). Memory: the bits, twice; each rank sends them once. */
bool unique_prove(struct comm *comm, const int64_t *number, int64_t n, bool *are_proven);

#endif
