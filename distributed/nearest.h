/* For each of some points the nearest of others, among those of all ranks. */
#ifndef WEFT_DISTRIBUTED_NEAREST_H
#define WEFT_DISTRIBUTED_NEAREST_H

#include "link.h"

#include <weft/nearest.h>

/* Finds what weft_nearest would for all points at once.
 *   points    in: this rank's share, of the columns LINK_POSITION, LINK_ID, LINK_INDEX and
 *             others. Targets have an index of 0 and more, and ids of which no two are the
 *             same; a point that searches has the index -1 - k, k its number, and its id is
 *             not read. Numbers ascend in each share.
 *             Out: on some rank each point that found one, with the index of the nearest
 *             target in the place of its id; numbers ascend on one rank alone
 *   options   of weft_nearest, but for `id`
 *   limit     bytes of the device that may be used; 0: all
 * Targets travel to their domain, and to others within reach of it.
 * Errors, on all ranks: those of weft_nearest, memory, 2^32 - 1 points on one rank, a limit
 * that no cut of space can keep. */
bool nearest_find(struct comm *comm, weft_device *device, struct table *points,
                  const weft_nearest_options *options, int64_t limit);

#endif
