/* Space cut into pieces that fit a device, and the rows that each takes. */
#ifndef WEFT_DISTRIBUTED_CUT_H
#define WEFT_DISTRIBUTED_CUT_H

#include "ghosts.h"

#include <weft/fof.h>

/* Memory: 4 bytes a ghost. */
struct cut {
    struct domains domains; /* the pieces */
    struct ghosts ghosts;
    uint32_t *first;         /* [pieces]: each's first row, from which `next` leads on */
    int64_t *own, *borrowed; /* [pieces]: how many rows and ghosts each has */
    uint32_t *ghost;         /* rows of all ghosts, piece by piece */
};

/* As few pieces, but `least`, as keep to `limit` bytes each, of `each` a particle, ghosts
 * included, or nearly so; ghosts go `both` ways or one.
 *   next   [positions->n] out: the row that follows in the same piece. What there is of a
 *          piece may be overwritten once its rows were listed, so that results take its
 *          place
 * Free in each case. False after comm_fail: memory; no cut does, and what is the least
 * that does. */
bool cut_to_fit(struct comm *comm, const struct positions *positions,
                const weft_fof_options *options, int64_t limit, int64_t each, int64_t least,
                bool both, uint32_t *next, struct cut *cut);
void cut_free(struct cut *cut);

/* Particles of the largest piece, ghosts included. */
int64_t cut_largest(const struct cut *cut);

/* The rows of piece p: its own, which ascend, and then its ghosts. Returns how many. */
int64_t cut_rows(const struct cut *cut, int p, const uint32_t *next, uint32_t *rows);

#endif
