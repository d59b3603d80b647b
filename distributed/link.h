/* Friends-of-friends among the particles of all ranks. */
#ifndef WEFT_DISTRIBUTED_LINK_H
#define WEFT_DISTRIBUTED_LINK_H

#include "distributed/table/table.h"

#include <weft/fof.h>

/* The columns of particles. */
enum link_column {
    LINK_POSITION, /* x y z, f32 or f64 */
    LINK_VELOCITY,
    LINK_MASS,
    LINK_ID,
    LINK_INDEX,   /* i64, in the input over all ranks; may be missing on one rank alone */
    LINK_FRIENDS, /* u32, written by link_groups where min_friends > 0 */
};

/* A device that may be on its way while particles are. */
struct link_device {
    weft_device *device;              /* NULL: it is on its way */
    weft_device *(*wait)(void *user); /* until it is there: NULL, it did not come; called by
                                         any thread, while others do not use it */
    weft_device *(*take)(void *user); /* then, by the caller: NULL after comm_fail */
    void *user;

    /* Where it has memory of its own, there are several ranks and no limit: whether labels
     * shall stay there, and not come to the host, and positions; and both, for
     * weft_array_free: no type, they are not there. */
    bool stay;
    int64_t own; /* rows of the rank's domain: each particle is one on one rank. What
                    came with its group lies behind them, and is there a second time
                  */
    weft_array position; /* 32-bit words, of all rows, maybe more */
    weft_array label;    /* u32 [particles->n], maybe more */
};

/* Brings together the members of each group.
 *   particles   in: this rank's share, in any cut of the input that gives lower ranks lower
 *               indices, ascending; out: whole groups, each on one rank alone, in any
 *               order. Those that have too few friends are gone.
 *   device      out: it is there, where nothing failed, and `own`
 *   options     as for weft_fof: the groups are its groups, for any number of ranks
 *   limit       bytes of the device that may be used; 0: all
 *   label       out: [particles->n] u32 for free(), each that of a row not after its own:
 *               equal for members of one group, different for members of two; 2^32 - 1
 *               for what went to another rank; NULL where they stay on the device
 * Errors, on all ranks: those of weft_fof, memory, 2^32 - 1 particles on one rank. */
bool link_groups(struct comm *comm, struct link_device *device, struct table *particles,
                 const weft_fof_options *options, int64_t limit, uint32_t **label);

/* Frees what stays on the device: labels alone, or all. */
void link_forget_labels(struct link_device *device);
void link_forget(struct link_device *device);

#endif
