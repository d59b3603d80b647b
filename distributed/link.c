#include "link.h"
#include "around.h"
#include "merge.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

/* Counts friends, and leaves out particles that have too few. */
static bool leave_out(struct comm *comm, weft_device *device, struct table *particles,
                      const weft_fof_options *options, int64_t limit, struct space *space) {
    struct around around;
    uint32_t *friends = NULL, *row = NULL;
    if (around_look(comm, space, true, &around)) {
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
        space_update(space, particles);
    }
    free(friends);
    free(row);
    around_free(&around);
    comm_end(comm, COMM_LINK);
    return comm_agree(comm);
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
                       const weft_fof_options *options, int64_t limit, struct space *space,
                       uint32_t **label) {
    int64_t *name = around_name_groups(comm, device, particles, options, limit, space);
    const bool well = comm_agree(comm) && gather_groups(comm, particles, name, label);
    free(name);
    return well;
}

static bool link_alone(struct comm *comm, weft_device *device,
                       const weft_fof_options *options, int64_t limit, struct space *space,
                       uint32_t **label) {
    *label = comm_allocate(comm, space->positions.n, sizeof **label, "groups");
    return *label && pieces_fof(comm, device, &space->positions, options, limit, *label);
}

bool link_groups(struct comm *comm, weft_device *device, struct table *particles,
                 const weft_fof_options *options, int64_t limit, uint32_t **label) {
    weft_fof_options rule = *options;
    struct space space;
    bool well = space_settle(comm, particles, options, &space);
    *label = NULL;
    if (well && options->min_friends > 0)
        well = leave_out(comm, device, particles, options, limit, &space);
    rule.min_friends = 0;
    if (well)
        well = comm->size > 1
                   ? link_ranks(comm, device, particles, &rule, limit, &space, label)
                   : link_alone(comm, device, &rule, limit, &space, label);
    space_free(&space);
    well = comm_agree(comm) && well;
    if (!well) {
        free(*label);
        *label = NULL;
    }
    return well;
}
