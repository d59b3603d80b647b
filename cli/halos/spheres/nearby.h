/* Particles near centers: brought to the rank that has the centers, and handed out for some
 * centers at a time, as many as a memory limit allows for. */
#ifndef WEFT_CLI_HALOS_SPHERES_NEARBY_H
#define WEFT_CLI_HALOS_SPHERES_NEARBY_H

#include "cli/halos/halos.h"
#include "distributed/link.h"
#include "distributed/vicinity/vicinity.h"

struct nearby {
    const struct halos_run *run;
    struct comm *comm;
    struct table *table;        /* this rank's own rows, before they are sent */
    struct link_device *stay;   /* the device may have their positions; NULL: it does not */
    struct positions positions; /* of those rows */
    struct vicinity space;      /* of those */
    bool inside;                /* ids and velocities are asked for */
    struct table came;          /* of several ranks: what was brought, in ... */
    bool in_place;              /*   its own columns, or behind the own rows in theirs; */
    struct positions came_positions;
    uint32_t
        *rows; /* what there is by cells, the first of each cell at `first`, where not */
    int64_t *first; /*   all is handed out at once: [VICINITY_CELLS + 1] */
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
    bool lent;            /* its columns are not its own */
    weft_array positions; /* as words on the device, maybe more; no type: they are not there
                           */
};

/* All ranks call these two; false after comm_fail, on any of them. The centers are those of
 * this rank whose reach is above 0. Rows that others have may be put behind those of the
 * table, and their positions on the device behind those that stay there. */
bool nearby_settle(struct halos_run *run, struct table *table, struct link_device *stay,
                   bool inside, struct nearby *nearby);
bool nearby_bring(struct nearby *nearby, int64_t n, const double *at, const double *reach);

/* Whether what a rank has brought is handed out at once, as nothing limits it. */
bool nearby_is_whole(const struct nearby *nearby);

/* The next centers of those, and all particles within their reach; none: n is 0. Free it
 * in each case. False after comm_fail: memory. */
bool nearby_next(struct nearby *nearby, const double *at, const double *reach,
                 struct nearby_batch *batch);
void nearby_forget(struct nearby_batch *batch);
void nearby_free(struct nearby *nearby);

#endif
