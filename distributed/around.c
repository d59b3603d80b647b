#include "around.h"
#include "merge.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SAMPLE = 256, SAMPLE = 16384 };

void space_update(struct space *space, const struct table *particles) {
    space->positions =
        (struct positions){particles->column[LINK_POSITION],
                           (int)particles->bytes[LINK_POSITION] / 3, particles->n};
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

static bool send_to_owners(struct comm *comm, struct table *particles,
                           const struct ghosts *ghosts) {
    struct mailing mailing;
    const bool well = mailing_plan(comm, particles->n, ghosts_owner, ghosts, &mailing) &&
                      table_send(comm, particles, &mailing);
    mailing_free(&mailing);
    if (well && particles->n >= (int64_t)UINT32_MAX) {
        io_fail(&comm->error, "%lld particles are too many for one rank: use more ranks",
                (long long)particles->n);
        comm_fail(comm, 1);
    }
    return comm_agree(comm);
}

bool space_settle(struct comm *comm, struct table *particles,
                  const weft_fof_options *options, struct space *space) {
    *space = (struct space){.ghosts = {&space->domains, &space->positions, {0}, false}};
    space_update(space, particles);
    comm_end(comm, COMM_REST);
    if (comm->size == 1)
        return true;
    if (comm->size >= MERGE_RANKS) {
        io_fail(&comm->error, "%d ranks are more than %d", comm->size, MERGE_RANKS - 1);
        return comm_fail(comm, 1);
    }
    double farthest[3];
    ghosts_farthest(&space->positions, farthest);
    bool well = comm_reduce_f64(comm, farthest, 3, COMM_MAX);
    ghosts_reach(options->linking_length, options->box, farthest, space->ghosts.reach);
    well = well && choose_domains(comm, options->box, space) &&
           send_to_owners(comm, particles, &space->ghosts);
    space_update(space, particles);
    comm_end(comm, COMM_DOMAINS);
    return well;
}

void around_free(struct around *around) {
    mailing_free(&around->mailing);
    free(around->at);
}

bool around_look(struct comm *comm, struct space *space, bool both, struct around *around) {
    const struct positions *own = &space->positions;
    const size_t bytes = 3 * (size_t)own->bytes;
    *around = (struct around){.positions = *own};
    space->ghosts.both = both;
    if (comm->size == 1)
        return true;
    if (!mailing_plan(comm, own->n, ghosts_others, &space->ghosts, &around->mailing))
        return false;
    const int64_t n = around->mailing.route.n_from;
    void *came = mailing_send(comm, &around->mailing, bytes, own->at);
    if (came == NULL)
        return false;
    around->at = comm_allocate(comm, own->n + n, bytes, "particles and their ghosts");
    if (around->at) {
        memcpy(around->at, own->at, (size_t)own->n * bytes);
        memcpy((char *)around->at + (size_t)own->n * bytes, came, (size_t)n * bytes);
        around->positions.at = around->at;
        around->positions.n += n;
    }
    free(came);
    comm_end(comm, COMM_GHOSTS);
    return comm_agree(comm);
}

/* At each label below n, the name of its group. */
static bool name_labels(struct comm *comm, int64_t n, const int64_t *index,
                        const uint32_t *label, const struct mailing *ghosts,
                        int64_t *name) {
    if (comm->size > 1)
        return merge_groups(comm, n, index, label, ghosts, name);
    for (int64_t i = 0; i < n; ++i)
        name[i] = merge_name(index[i], 0);
    return true;
}

int64_t *around_name_groups(struct comm *comm, weft_device *device,
                            const struct table *particles, const weft_fof_options *options,
                            int64_t limit, struct space *space) {
    const int64_t n = particles->n;
    struct around around;
    int64_t *name = NULL;
    uint32_t *label = NULL;
    bool well = around_look(comm, space, false, &around);
    if (well) {
        name = comm_allocate(comm, n, sizeof *name, "names of groups");
        label = comm_allocate(comm, around.positions.n, sizeof *label, "groups");
        if (name && label)
            pieces_fof(comm, device, &around.positions, options, limit, label);
        comm_end(comm, COMM_LINK);
        well = comm_agree(comm) && name_labels(comm, n, particles->column[LINK_INDEX],
                                               label, &around.mailing, name);
    }
    /* Labels ascend to the first of their group, which is not overwritten. */
    for (int64_t i = n - 1; well && i >= 0; --i)
        name[i] = name[label[i]];
    free(label);
    around_free(&around);
    comm_end(comm, COMM_MERGE);
    if (well)
        return name;
    free(name);
    return NULL;
}
