#include "around.h"
#include "pieces.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SAMPLE = 256, SAMPLE = 16384 };

void space_update(struct space *space, const struct table *particles) {
    space->positions = (struct positions){.at = particles->column[LINK_POSITION],
                                          .bytes = (int)particles->bytes[LINK_POSITION] / 3,
                                          .n = particles->n};
}

void space_free(struct space *space) {
    domains_free(&space->domains);
}

/* The same domains on every rank, one for each. */
static bool choose_domains(struct comm *comm, const double period[3], struct space *space) {
    const int each =
        comm->size < SAMPLE / LEAST_SAMPLE ? SAMPLE / comm->size : LEAST_SAMPLE;
    const size_t bytes = 3 * (size_t)each * sizeof(double);
    double *mine = comm_allocate(comm, 1, bytes, "domains");
    double *all = comm_allocate(comm, comm->size, bytes, "domains");
    if (mine)
        domains_sample(period, &space->positions, each, mine);
    if (comm_share(comm, mine, bytes, all) &&
        !domains_cut(&space->domains, comm->size, period, all,
                     (int64_t)comm->size * each)) {
        io_fail(&comm->error, "no memory for domains");
        comm_fail(comm, 1);
    }
    free(mine);
    free(all);
    return comm_agree(comm);
}

/* What is found of particles while they are at hand: their domains, and how far they lie,
 * as bits of f64 not below 0, which are in the order of those. */
struct seeking {
    const struct space *space;
    const struct domains_sides *sides; /* NULL: there are none */
    _Atomic uint64_t *farthest;        /* [3] */
};

static void raise_to(_Atomic uint64_t *most, double value) {
    uint64_t bits, there = atomic_load(most);
    memcpy(&bits, &value, sizeof bits);
    while (bits > there && !atomic_compare_exchange_weak(most, &there, bits))
        ;
}

static void find_owners(const void *context, int64_t first, int64_t n, uint16_t *owner) {
    enum { SOME = 2048 }; /* their positions stay in the cache */
    const struct seeking *seeking = context;
    const struct space *space = seeking->space;
    double far[3], farthest[3] = {0, 0, 0};
    for (int64_t k = 0; k < n; k += SOME) {
        const int64_t some = n - k < SOME ? n - k : SOME;
        const int bytes = space->positions.bytes;
        const char *at = (const char *)space->positions.at + 3 * (first + k) * bytes;
        if (seeking->sides &&
            domains_owners_within(seeking->sides, at, bytes, some, owner + k, farthest))
            continue;
        domains_owners(&space->domains, &space->positions, first + k, some, owner + k);
        ghosts_farthest_of(&space->positions, first + k, first + k + some, far);
        for (int axis = 0; axis < 3; ++axis)
            farthest[axis] = far[axis] > farthest[axis] ? far[axis] : farthest[axis];
    }
    for (int axis = 0; axis < 3; ++axis)
        raise_to(&seeking->farthest[axis], farthest[axis]);
}

static bool share_farthest(struct comm *comm, _Atomic uint64_t *bits, double farthest[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        const uint64_t these = atomic_load(&bits[axis]);
        memcpy(&farthest[axis], &these, sizeof these);
    }
    return comm_reduce_f64(comm, farthest, 3, COMM_MAX);
}

/* Positions that go to a device, once it is there, by a thread, which alone uses it until
 * it is joined. */
struct lending {
    const struct link_device *to;
    struct positions positions;
    int64_t limit;
    pthread_t thread;
    bool is_joined;
};

static void *lend(void *context) {
    struct lending *lending = context;
    const struct link_device *to = lending->to;
    weft_device *device = to->device ? to->device : to->wait(to->user);
    if (device)
        positions_lend(device, &lending->positions, lending->limit);
    return NULL;
}

static void begin_lending(void *context, int column, const void *rows, int64_t n) {
    struct lending *lending = context;
    weft_device *device = lending->to->device;
    if (column != LINK_POSITION || (device && weft_device_style(device) != WEFT_SIMT))
        return;
    lending->positions.at = rows;
    lending->positions.n = n;
    lending->is_joined = pthread_create(&lending->thread, NULL, lend, lending) != 0;
    if (lending->is_joined)
        lend(lending);
}

/* Positions are there, and the device; what is waited for is other work than that of
 * ranks. */
static void end_lending(struct comm *comm, struct link_device *device,
                        const struct lending *lending) {
    if (device && device->device == NULL) {
        comm_end(comm, COMM_DOMAINS);
        device->wait(device->user);
        comm_end(comm, COMM_REST);
    }
    if (!lending->is_joined)
        pthread_join(lending->thread, NULL);
    if (device && device->device == NULL)
        device->device = device->take(device->user);
}

/* Finds the largest absolute coordinates of all on each axis, too. */
static bool send_to_owners(struct comm *comm, struct link_device *device,
                           struct table *particles, struct space *space,
                           double farthest[3]) {
    struct lending lending = {.to = device,
                              .positions = space->positions,
                              .limit = space->ghosts.limit,
                              .is_joined = true};
    _Atomic uint64_t bits[3] = {0, 0, 0};
    struct domains_sides sides;
    const bool few = domains_find_sides(&space->domains, &sides);
    const struct seeking seeking = {space, few ? &sides : NULL, bits};
    struct parcels parcels;
    bool well =
        parcels_sort(comm, particles->n, find_owners, &seeking, &parcels) &&
        share_farthest(comm, bits, farthest) &&
        table_send(comm, particles, &parcels, device ? begin_lending : NULL, &lending);
    parcels_free(&parcels);
    space_update(space, particles);
    end_lending(comm, device, &lending);
    space->positions.lent = lending.positions.lent;
    if (well && device && device->device)
        well = table_well(comm, device->device);
    if (well && particles->n >= (int64_t)UINT32_MAX) {
        io_fail(&comm->error, "%lld particles are too many for one rank: use more ranks",
                (long long)particles->n);
        comm_fail(comm, 1);
    }
    return comm_agree(comm);
}

bool space_settle(struct comm *comm, struct link_device *device, struct table *particles,
                  const weft_fof_options *options, int64_t limit, struct space *space) {
    *space =
        (struct space){.ghosts = {&space->domains, &space->positions, {0}, false, limit}};
    space_update(space, particles);
    comm_end(comm, COMM_REST);
    if (comm->size == 1)
        return true;
    if (comm->size >= MERGE_RANKS) {
        io_fail(&comm->error, "%d ranks are more than %d", comm->size, MERGE_RANKS - 1);
        return comm_fail(comm, 1);
    }
    double farthest[3] = {0, 0, 0};
    const bool well = choose_domains(comm, options->box, space) &&
                      send_to_owners(comm, device, particles, space, farthest);
    ghosts_reach(options->linking_length, options->box, farthest, space->ghosts.reach);
    comm_end(comm, COMM_DOMAINS);
    return well;
}

void around_free(struct around *around) {
    mailing_free(&around->mailing);
}

bool around_look(struct comm *comm, weft_device *device, struct table *particles,
                 struct space *space, bool both, struct around *around) {
    space->ghosts.both = both;
    *around = (struct around){.positions = space->positions};
    if (comm->size == 1)
        return true;
    if (ghosts_plan(comm, device, &space->ghosts, NULL, &around->mailing) &&
        table_append(comm, particles, LINK_POSITION, &around->mailing)) {
        space_update(space, particles);
        around->positions.at = space->positions.at;
        positions_lengthen(device, &around->positions, around->mailing.route.n_from);
    }
    comm_end(comm, COMM_GHOSTS);
    return comm_agree(comm);
}

void groups_free(weft_device *device, struct groups *groups) {
    labels_free(device, &groups->labels);
    names_free(&groups->names);
}

static bool link_here(struct comm *comm, weft_device *device,
                      const struct positions *positions, const weft_fof_options *options,
                      int64_t limit, bool stay, struct labels *labels) {
    if (!labels_new(comm, device, positions->n, stay, labels))
        return false;
    return stay ? pieces_fof_there(comm, device, positions, options,
                                   weft_slice(device, labels->there, 0, positions->n))
                : pieces_fof(comm, device, positions, options, limit, labels->host);
}

/* One name for those that ghosts are in. */
static bool merge(struct comm *comm, weft_device *device, const struct table *particles,
                  const struct mailing *ghosts, struct groups *groups) {
    const struct route *route = &ghosts->route;
    uint32_t *sent = comm_allocate(comm, route->n_to, sizeof *sent, "groups");
    uint32_t *came = comm_allocate(comm, route->n_from, sizeof *came, "groups");
    if (sent && came) {
        labels_read(device, &groups->labels, ghosts->row, 0, route->n_to, sent);
        labels_read(device, &groups->labels, NULL, particles->n, route->n_from, came);
        table_well(comm, device);
    }
    const bool well = comm_agree(comm) && merge_groups(comm, device, particles->n,
                                                       particles->column[LINK_INDEX],
                                                       ghosts, sent, came, &groups->names);
    free(sent);
    free(came);
    return well;
}

bool around_find_groups(struct comm *comm, weft_device *device, struct table *particles,
                        const weft_fof_options *options, int64_t limit, struct space *space,
                        bool stay, struct groups *groups) {
    struct around around;
    *groups = (struct groups){0};
    if (comm->size > 1 && space->positions.lent.type == 0)
        positions_lend(device, &space->positions, limit);
    bool well = around_look(comm, device, particles, space, false, &around);
    if (well) {
        link_here(comm, device, &around.positions, options, limit, stay, &groups->labels);
        comm_end(comm, COMM_LINK);
        well = comm_agree(comm);
    }
    if (!stay)
        positions_take_back(device, &around.positions);
    space_update(space, particles);
    space->positions.lent = around.positions.lent;
    if (well && comm->size > 1)
        well = merge(comm, device, particles, &around.mailing, groups);
    around_free(&around);
    comm_end(comm, COMM_MERGE);
    return well;
}
