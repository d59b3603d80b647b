#include "link.h"
#include "ghosts.h"
#include "merge.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SAMPLE = 256, SAMPLE = 16384 };

static struct positions positions_of(const struct table *particles) {
    return (struct positions){particles->column[LINK_POSITION],
                              (int)particles->bytes[LINK_POSITION] / 3, particles->n};
}

/* The same domains on every rank, one for each. */
static bool choose_domains(struct comm *comm, const struct positions *positions,
                           const double period[3], struct domains *domains) {
    const int each =
        comm->size < SAMPLE / LEAST_SAMPLE ? SAMPLE / comm->size : LEAST_SAMPLE;
    const size_t bytes = 3 * (size_t)each * sizeof(double);
    double *mine = comm_allocate(comm, 1, bytes, "domains");
    double *all = comm_allocate(comm, comm->size, bytes, "domains");
    if (mine)
        domains_sample(period, positions, each, mine);
    if (comm_share(comm, mine, bytes, all) &&
        !domains_cut(domains, comm->size, period, all, (int64_t)comm->size * each)) {
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
    comm_end(comm, COMM_DOMAINS);
    if (well && particles->n >= (int64_t)UINT32_MAX) {
        io_fail(&comm->error, "%lld particles are too many for one rank: use more ranks",
                (long long)particles->n);
        comm_fail(comm, 1);
    }
    return comm_agree(comm);
}

/* A rank's own positions and, after them, those of its ghosts. */
struct surroundings {
    struct mailing mailing;
    struct positions positions;
    void *at; /* where there are ghosts, the memory of both */
};

static void surroundings_free(struct surroundings *around) {
    mailing_free(&around->mailing);
    free(around->at);
}

static bool look_around(struct comm *comm, const struct ghosts *ghosts,
                        struct surroundings *around) {
    const struct positions *own = ghosts->positions;
    const size_t bytes = 3 * (size_t)own->bytes;
    *around = (struct surroundings){.positions = *own};
    if (comm->size == 1)
        return true;
    if (!mailing_plan(comm, own->n, ghosts_others, ghosts, &around->mailing))
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

/* Counts friends, and leaves out particles that have too few. */
static bool leave_out(struct comm *comm, weft_device *device, struct table *particles,
                      const weft_fof_options *options, int64_t limit,
                      struct ghosts *ghosts) {
    struct surroundings around;
    uint32_t *friends = NULL, *row = NULL;
    ghosts->both = true;
    if (look_around(comm, ghosts, &around)) {
        friends = comm_allocate(comm, around.positions.n, sizeof *friends, "friends");
        row = comm_allocate(comm, particles->n, sizeof *row, "friends");
    }
    if (friends && row &&
        pieces_friends(comm, device, &around.positions, options, limit, friends)) {
        int64_t kept = 0;
        for (int64_t i = 0; i < particles->n; ++i) {
            if (friends[i] >= options->min_friends)
                row[kept++] = (uint32_t)i;
        }
        particles->bytes[LINK_FRIENDS] = sizeof *friends;
        particles->column[LINK_FRIENDS] = friends;
        friends = NULL;
        table_take(comm, particles, row, kept);
    }
    free(friends);
    free(row);
    surroundings_free(&around);
    comm_end(comm, COMM_LINK);
    return comm_agree(comm);
}

/* For each own particle the name of its group, over all ranks. */
static int64_t *name_groups(struct comm *comm, weft_device *device,
                            const struct table *particles, const weft_fof_options *options,
                            int64_t limit, struct ghosts *ghosts) {
    const int64_t n = particles->n;
    struct surroundings around;
    int64_t *name = NULL;
    uint32_t *label = NULL;
    ghosts->both = false;
    if (look_around(comm, ghosts, &around)) {
        name = comm_allocate(comm, n, sizeof *name, "names of groups");
        label = comm_allocate(comm, around.positions.n, sizeof *label, "groups");
        if (name && label)
            pieces_fof(comm, device, &around.positions, options, limit, label);
        comm_end(comm, COMM_LINK);
        if (comm_agree(comm) && merge_groups(comm, n, particles->column[LINK_INDEX], label,
                                             &around.mailing, name)) {
            /* Labels ascend to the first of their group, which is not overwritten. */
            for (int64_t i = n - 1; i >= 0; --i)
                name[i] = name[label[i]];
        }
    }
    free(label);
    surroundings_free(&around);
    comm_end(comm, COMM_MERGE);
    return name;
}

static int rank_of_name(const void *names, int64_t row, int *ranks) {
    ranks[0] = merge_rank(((const int64_t *)names)[row]);
    return 1;
}

/* The row with this index, among rows that ascend by it. */
static uint32_t find_index(const int64_t *index, int64_t first, int64_t n, int64_t wanted) {
    int64_t low = first, high = first + n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (index[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* Sends each particle to the rank in its group's name, where that group's first particle
 * is, whose row becomes the label. */
static bool gather_groups(struct comm *comm, struct table *particles, const int64_t *name,
                          uint32_t **label) {
    struct mailing mailing;
    int64_t *names = NULL;
    bool well = mailing_plan(comm, particles->n, rank_of_name, name, &mailing);
    if (well)
        names = mailing_send(comm, &mailing, sizeof *names, name);
    well = names && table_send(comm, particles, &mailing);
    *label = comm_allocate(comm, particles->n, sizeof **label, "groups");
    if (well && *label) {
        const int64_t *index = particles->column[LINK_INDEX];
        int64_t first = 0;
        for (int r = 0; r < comm->rank; ++r)
            first += mailing.route.from[r];
        for (int64_t i = 0; i < particles->n; ++i)
            (*label)[i] = find_index(index, first, mailing.route.from[comm->rank],
                                     merge_index(names[i]));
    }
    free(names);
    mailing_free(&mailing);
    comm_end(comm, COMM_GATHER);
    return comm_agree(comm);
}

static bool link_ranks(struct comm *comm, weft_device *device, struct table *particles,
                       const weft_fof_options *all, int64_t limit, uint32_t **label) {
    struct positions positions = positions_of(particles);
    struct domains domains = {0};
    struct ghosts ghosts = {&domains, &positions, {0}, false};
    weft_fof_options options = *all;
    double farthest[3];
    ghosts_farthest(&positions, farthest);
    bool well = comm_reduce_f64(comm, farthest, 3, COMM_MAX);
    ghosts_reach(options.linking_length, options.box, farthest, ghosts.reach);
    well = well && choose_domains(comm, &positions, options.box, &domains) &&
           send_to_owners(comm, particles, &ghosts);
    positions = positions_of(particles);
    if (well && options.min_friends > 0) {
        well = leave_out(comm, device, particles, &options, limit, &ghosts);
        positions = positions_of(particles);
        options.min_friends = 0;
    }
    int64_t *name =
        well ? name_groups(comm, device, particles, &options, limit, &ghosts) : NULL;
    well = comm_agree(comm) && gather_groups(comm, particles, name, label);
    free(name);
    domains_free(&domains);
    return well;
}

static bool link_alone(struct comm *comm, weft_device *device, struct table *particles,
                       const weft_fof_options *all, int64_t limit, uint32_t **label) {
    weft_fof_options options = *all;
    struct positions positions = positions_of(particles);
    struct ghosts ghosts = {.positions = &positions};
    if (options.min_friends > 0) {
        if (!leave_out(comm, device, particles, &options, limit, &ghosts))
            return false;
        positions = positions_of(particles);
        options.min_friends = 0;
    }
    *label = comm_allocate(comm, particles->n, sizeof **label, "groups");
    return *label && pieces_fof(comm, device, &positions, &options, limit, *label);
}

bool link_groups(struct comm *comm, weft_device *device, struct table *particles,
                 const weft_fof_options *options, int64_t limit, uint32_t **label) {
    *label = NULL;
    if (comm->size >= MERGE_RANKS) {
        io_fail(&comm->error, "%d ranks are more than %d", comm->size, MERGE_RANKS - 1);
        comm_fail(comm, 1);
    }
    comm_end(comm, COMM_REST);
    bool well = comm_agree(comm);
    if (well)
        well = (comm->size > 1 ? link_ranks : link_alone)(comm, device, particles, options,
                                                          limit, label);
    well = comm_agree(comm) && well;
    if (!well) {
        free(*label);
        *label = NULL;
    }
    return well;
}
