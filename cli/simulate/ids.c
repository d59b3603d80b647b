/* Ids that are not as particles come, each on the rank of its particle. */
#include "cli/command.h"
#include "simulate.h"

#include <stdlib.h>

int64_t *simulate_take_ids(struct snapshot_particles *p) {
    int64_t *id = p->field[SNAPSHOT_IDS];
    int64_t i = 0;
    if (p->ids_from != SNAPSHOT_IDS_FILE)
        return NULL;
    while (i < p->n && id[i] == i)
        ++i;
    if (i == p->n)
        return NULL;
    p->field[SNAPSHOT_IDS] = NULL;
    return id;
}

/* The first rank has `all`, each its share in the end. */
static bool share(struct simulate_run *run, const int64_t *all) {
    struct comm *comm = &run->comm;
    struct route route;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "what goes where");
    for (int r = 0; to && r < comm->size; ++r)
        to[r] = all ? simulate_share_first(comm, run->info.n, r + 1) -
                          simulate_share_first(comm, run->info.n, r)
                    : 0;
    bool well = route_find(comm, to, &route);
    if (well) {
        run->id = comm_allocate(comm, route.n_from, sizeof *run->id, "ids");
        well = route_send(comm, &route, sizeof *run->id, all, run->id);
    }
    route_free(&route);
    return well;
}

bool simulate_read_ids(struct simulate_run *run, struct snapshot *snapshot) {
    struct comm *comm = &run->comm;
    struct snapshot_particles p = {0};
    int64_t *all = NULL;
    if (comm->rank == 0 && !snapshot_read(snapshot, 1u << SNAPSHOT_IDS, &p, &comm->error))
        comm_fail(comm, CLI_FAULT);
    else if (comm->rank == 0)
        all = simulate_take_ids(&p);
    bool needed = all != NULL;
    const bool well =
        comm_broadcast(comm, 0, &needed, sizeof needed) && (!needed || share(run, all));
    if (comm->rank == 0)
        snapshot_free(&p);
    free(all);
    return well;
}
