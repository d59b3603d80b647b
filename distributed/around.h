/* What a rank works on: the particles of its domain, and ghosts of others around them. */
#ifndef WEFT_DISTRIBUTED_AROUND_H
#define WEFT_DISTRIBUTED_AROUND_H

#include "ghosts.h"
#include "link.h"
#include "distributed/groups/labels.h"

/* Space, cut into one domain a rank; one rank alone has all of it. */
struct space {
    struct domains domains;
    struct positions positions; /* of the rank's own particles */
    struct ghosts ghosts;
};

/* Cuts space and sends particles to their domains. Free the space in each case.
 *   device      positions are lent to it while other columns are on their way, if it has
 *               memory of its own, and it is taken if it was on its way, too; take them
 *               back. NULL: they are not lent
 *   particles   in: this rank's share; out: those of its domain, which ascend by index
 *               where those of lower ranks had lower indices
 *   limit       bytes of the device that may be used; 0: all
 * Errors: memory, 2^32 - 1 particles on one rank. */
bool space_settle(struct comm *comm, struct link_device *device, struct table *particles,
                  const weft_fof_options *options, int64_t limit, struct space *space);
/* After some particles were left out. */
void space_update(struct space *space, const struct table *particles);
void space_free(struct space *space);

/* A rank's own positions and, after them, those of its ghosts. */
struct around {
    struct mailing mailing; /* on which ghosts came; empty for one rank alone */
    struct positions positions;
};

/* Sends ghosts to domains of a larger number, or `both` ways, and adds them to the memory
 * of the particles' positions, not to their number. Free in each case. */
bool around_look(struct comm *comm, weft_device *device, struct table *particles,
                 struct space *space, bool both, struct around *around);
void around_free(struct around *around);

/* Groups over all ranks. */
struct groups {
    struct labels labels; /* [particles->n]: the first of the group on this rank */
    struct names names;
};

/* Labels stay on the device if asked to, and positions that were lent, then: of the
 * particles, and more. Free them in each case. */
bool around_find_groups(struct comm *comm, weft_device *device, struct table *particles,
                        const weft_fof_options *options, int64_t limit, struct space *space,
                        bool stay, struct groups *groups);
void groups_free(weft_device *device, struct groups *groups);

#endif
