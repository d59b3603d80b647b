/* Space cut into pieces that fit a device, and the rows that each takes. */
#ifndef WEFT_DISTRIBUTED_CUT_H
#define WEFT_DISTRIBUTED_CUT_H

#include "ghosts.h"

#include <weft/fof.h>

/* Memory: 2 bytes a particle and 4 a ghost. */
struct cut {
    struct domains domains; /* the pieces */
    struct ghosts ghosts;
    uint16_t *owner;         /* [positions->n]: the piece of each row */
    int64_t *own, *borrowed; /* [pieces]: how many rows and ghosts each has */
    uint32_t *ghost;         /* rows of all ghosts, piece by piece */
};

/* As few pieces, but `least`, as keep to `room` particles each, ghosts included, or nearly
 * so; ghosts go `both` ways or one. Free in each case. False after comm_fail: memory; no
 * cut does. */
bool cut_to_fit(struct comm *comm, const struct positions *positions,
                const weft_fof_options *options, int64_t room, int64_t least, bool both,
                struct cut *cut);
void cut_free(struct cut *cut);

/* Particles of the largest piece, ghosts included. */
int64_t cut_largest(const struct cut *cut);

/* The rows of piece p: its own, and then its ghosts. Returns how many. Reads `owner`
 * through. */
int64_t cut_rows(const struct cut *cut, int p, uint32_t *rows);

#endif
