/* Friends among particles in the host's memory, found by a device that need not hold all of
 * them at once: pieces of space, each with its ghosts, go through it one after another. */
#ifndef WEFT_DISTRIBUTED_PIECES_H
#define WEFT_DISTRIBUTED_PIECES_H

#include "domains.h"
#include "distributed/ranks/comm.h"

#include <weft/fof.h>

/* Bytes of the device that a particle takes, in bytes of its coordinates. */
int64_t pieces_particle(int bytes);

/* weft_fof, whose label [n] is this; at most `limit` bytes of the device, 0 for no limit.
 * Host memory: two pieces. False after comm_fail: what weft_fof
 * fails for; a limit that no cut of space can keep. No rank waits for another. */
bool pieces_fof(struct comm *comm, weft_device *device, const struct positions *positions,
                const weft_fof_options *options, int64_t limit, uint32_t *label);

/* Of all at once, label [n] on the device. */
bool pieces_fof_there(struct comm *comm, weft_device *device,
                      const struct positions *positions, const weft_fof_options *options,
                      weft_array label);

/* weft_friends_count, likewise. */
bool pieces_friends(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, uint32_t *friends);

/* weft_dbscan_borders, likewise; `core` is its `cluster` before, and `cluster` after. */
bool pieces_borders(struct comm *comm, weft_device *device,
                    const struct positions *positions, const weft_fof_options *options,
                    int64_t limit, const uint32_t *core, uint32_t *cluster);

#endif
