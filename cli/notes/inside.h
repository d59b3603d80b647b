/* Positions and the box that the file tells: where they do not belong together, it is said.
 */
#ifndef WEFT_CLI_NOTES_INSIDE_H
#define WEFT_CLI_NOTES_INSIDE_H

#include "distributed/ranks/comm.h"

/* Notes how many of all ranks' positions [n][axes] lie outside of the box (0: none on that
 * axis) by more than f32 rounds, and where all of them are so near to each other, or so far
 * out, that they must be in another unit; `low` and `high` have the extent of each axis of
 * this rank's, as io_extent finds it. All ranks call it; false where one is not well. */
bool inside_tell(struct comm *comm, const char *path, const void *positions, int bytes,
                 int axes, int64_t n, const double low[3], const double high[3],
                 const double box[3], const char *unit);

#endif
