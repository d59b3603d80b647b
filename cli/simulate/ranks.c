#include "ranks.h"
#include "simulate.h"

#include <stdlib.h>
#include <time.h>

int64_t simulate_share_first(const struct comm *comm, int64_t n, int rank) {
    return (n * rank + comm->size - 1) / comm->size;
}

weft_status simulate_give_up(struct simulate_run *run) {
    if (weft_check(run->device) == WEFT_OK)
        weft_fail(run->device, WEFT_E_MEMORY, "%s",
                  run->comm.trouble ? run->comm.error.text : "another rank failed");
    return weft_check(run->device);
}

static void ask(struct simulate_run *run, enum simulate_force force, int components,
                const weft_array x[3], const weft_array out[3]) {
    weft_device *device = run->device;
    if (components == 1)
        (force == SIMULATE_FAR ? weft_gravity_long_potential
                               : weft_gravity_short_potential)(device, run->gravity, x[0],
                                                               x[1], x[2], out[0]);
    else
        (force == SIMULATE_FAR ? weft_gravity_long : weft_gravity_short)(
            device, run->gravity, x[0], x[1], x[2], out[0], out[1], out[2]);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The same, and how long it takes where it is pairs: of several times the least, as what
 * else the machine does only adds to it. */
static void ask_and_time(struct simulate_run *run, enum simulate_force force,
                         int components, const weft_array x[3], const weft_array out[3]) {
    const double begin = now();
    ask(run, force, components, x, out);
    if (force == SIMULATE_FAR || components == 1)
        return;
    weft_synchronize(run->device);
    const double seconds = now() - begin;
    if (run->near_seconds == 0 || seconds < run->near_seconds)
        run->near_seconds = seconds;
}

weft_status simulate_find(struct simulate_run *run, enum simulate_force force,
                          int components, const weft_array *out) {
    weft_device *device = run->device;
    struct visits visits;
    weft_array found[3];
    weft_scope_open(device);
    bool well =
        visits_go(&visits, &run->comm, &run->shelves, device,
                  force == SIMULATE_FAR ? &run->far : &run->near, run->particles.position);
    for (int k = 0; k < components && well; ++k)
        found[k] = weft_scratch(device, WEFT_F64, visits.n);
    if (well && (visits.n > 0 || force == SIMULATE_FAR)) /* of the mesh all ranks do */
        ask_and_time(run, force, components, visits.at, found);
    well = well && visits_return(&visits, components, found, out);
    visits_free(&visits);
    weft_scope_close(device);
    return well ? weft_check(device) : simulate_give_up(run);
}

void *simulate_gather(struct comm *comm, void *rows, int64_t n, size_t row_bytes) {
    struct route route;
    void *all = NULL;
    if (comm->size == 1)
        return rows;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "what goes where");
    for (int r = 0; to && r < comm->size; ++r)
        to[r] = r == 0 ? n : 0;
    if (route_find(comm, to, &route)) {
        all = comm_allocate(comm, route.n_from, row_bytes, "a snapshot");
        if (!route_send(comm, &route, row_bytes, rows, all) || comm->rank > 0) {
            free(all);
            all = NULL;
        }
    }
    route_free(&route);
    free(rows);
    return all;
}
