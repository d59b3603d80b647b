/* A run whose device had no room for it begins again, in pieces. */
#ifndef WEFT_CLI_HALOS_AGAIN_H
#define WEFT_CLI_HALOS_AGAIN_H

#include "cli/halos/halos.h"

/* After a run failed on all ranks: whether it did for want of the memory of a device, and
 * with less of it may not. `limit` is then what this rank's device may hold. Every rank
 * asks. */
bool again_in_pieces(struct comm *comm, const struct halos_run *run, int64_t *limit);

#endif
