/* Particles near centers: brought to the rank that has the centers, and handed out for some
 * centers at a time, as many as a memory limit allows for. */
#ifndef WEFT_CLI_HALOS_SPHERES_NEARBY_H
#define WEFT_CLI_HALOS_SPHERES_NEARBY_H

#include "cli/halos/halos.h"
#include "distributed/vicinity.h"

struct nearby {
    const struct halos_run *run;
    struct comm *comm;
    const struct table *table; /* rows of this rank before they are sent, */
    const uint32_t *label;     /*   but for those whose label is 2^32 - 1; NULL: all */
    struct positions positions;
    struct vicinity space; /* of those */
    struct table came;     /* of several ranks: what was brought, in ... */
    struct positions came_positions;
    uint32_t *rows; /* what there is by cells, the first of each cell at `first` */
    int64_t *first; /* [VICINITY_CELLS + 1] */
    int64_t *order; /* centers that are left, by cells; those from `next` on are to come */
    int64_t n, next, row_bytes, room;
    uint8_t *seen; /* [VICINITY_CELLS] */
};

/* Some centers, and the particles around them, with ids. Those around one may be more than
 * the limit allows for. */
struct nearby_batch {
    int64_t n, *center;
    int64_t needed; /* bytes above the limit; 0: they fit */
    struct table table;
};

/* All ranks call these two; false after comm_fail, on any of them. The centers are those of
 * this rank whose reach is above 0. */
bool nearby_settle(struct halos_run *run, const struct table *table, const uint32_t *label,
                   struct nearby *nearby);
bool nearby_bring(struct nearby *nearby, int64_t n, const double *at, const double *reach);

/* The next centers of those, and all particles within their reach; none: n is 0. Free it
 * in each case. False after comm_fail: memory. */
bool nearby_next(struct nearby *nearby, const double *at, const double *reach,
                 struct nearby_batch *batch);
void nearby_forget(struct nearby_batch *batch);
void nearby_free(struct nearby *nearby);

#endif
