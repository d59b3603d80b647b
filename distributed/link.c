#include "link.h"
#include "around.h"
#include "io/crew/crew.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

/* Counts friends, and leaves out particles that have too few. */
static bool leave_out(struct comm *comm, weft_device *device, struct table *particles,
                      const weft_fof_options *options, int64_t limit, struct space *space) {
    struct around around;
    uint32_t *friends = NULL, *row = NULL;
    if (around_look(comm, device, particles, space, true, &around)) {
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

static const uint32_t none = UINT32_MAX;

/* Groups that lie on this rank and others. */
struct crossing {
    const uint32_t *label;
    const struct names *names;
    const uint64_t *bits; /* a row's bit: it is the first of such a group here */
};

/* Nearly all rows are of others, which is found out in the cache. */
static bool crosses(const uint64_t *bits, uint32_t row) {
    return bits[row / 64] >> row % 64 & 1;
}

static uint64_t *mark_firsts(struct comm *comm, const struct names *names, int64_t n) {
    uint64_t *bits = comm_allocate(comm, n / 64 + 1, sizeof *bits, "groups");
    if (bits) {
        memset(bits, 0, (size_t)(n / 64 + 1) * sizeof *bits);
        for (int64_t k = 0; k < names->n; ++k)
            bits[names->label[k] / 64] |= UINT64_C(1) << names->label[k] % 64;
    }
    return bits;
}

static int64_t name_of(const struct names *names, uint32_t label) {
    int64_t low = 0, high = names->n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (names->label[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return names->name[low];
}

/* The first of a group that leaves has no label any more. */
static int64_t name_of_row(const struct crossing *crossing, int64_t row) {
    const uint32_t label = crossing->label[row];
    return name_of(crossing->names, label == none ? (uint32_t)row : label);
}

static int rank_of_row(const void *context, int64_t row, int *ranks) {
    const struct crossing *crossing = context;
    const uint32_t label = crossing->label[row];
    if (label != none && !crosses(crossing->bits, label))
        return 0;
    if (label != none && crossing->label[label] != none)
        return 0;
    ranks[0] = merge_rank(name_of_row(crossing, row));
    return 1;
}

/* The row with this index, among rows that ascend by it. */
static uint32_t find_index(const int64_t *index, int64_t n, int64_t wanted) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (index[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* At the first of each group that crosses: the row of the first of the whole group, or none
 * where that is on another rank. */
static void settle_names(const struct comm *comm, const struct table *particles,
                         const struct names *names, uint32_t *label) {
    const int64_t *index = particles->column[LINK_INDEX];
    for (int64_t k = 0; k < names->n; ++k)
        label[names->label[k]] =
            merge_rank(names->name[k]) == comm->rank
                ? find_index(index, particles->n, merge_index(names->name[k]))
                : none;
}

/* Labels of those that cross, whose firsts have them already. */
struct settling {
    uint32_t *label;
    const uint64_t *bits;
};

static void settle_rows(void *context, int64_t begin, int64_t end, int part) {
    const struct settling *settling = context;
    uint32_t *label = settling->label;
    (void)part;
    for (int64_t i = begin; i < end; ++i) {
        if (label[i] == none || !crosses(settling->bits, label[i]))
            continue;
        const uint32_t settled = label[label[i]];
        if (label[i] != settled)
            label[i] = settled;
    }
}

/* Sends the names of the rows that leave; returns those that came. */
static int64_t *send_names(struct comm *comm, const struct crossing *crossing,
                           const struct mailing *mailing) {
    const struct route *route = &mailing->route;
    int64_t *out = comm_allocate(comm, route->n_to, sizeof *out, "names of groups");
    int64_t *in = comm_allocate(comm, route->n_from, sizeof *in, "names of groups");
    for (int64_t k = 0; out && k < route->n_to; ++k)
        out[k] = name_of_row(crossing, mailing->row[k]);
    route_send(comm, route, sizeof *out, out, in);
    free(out);
    return in;
}

/* Particles whose group has its first particle on another rank go there; what stays of them
 * here has no label. */
static bool gather_groups(struct comm *comm, struct table *particles,
                          struct groups *groups) {
    const int64_t n = particles->n;
    uint64_t *bits = mark_firsts(comm, &groups->names, n);
    const struct crossing crossing = {groups->label, &groups->names, bits};
    struct settling settling = {groups->label, bits};
    int64_t *name = NULL;
    struct mailing mailing = {0};
    settle_names(comm, particles, &groups->names, groups->label);
    bool well = comm_agree(comm) && mailing_plan(comm, n, rank_of_row, &crossing, &mailing);
    if (well)
        name = send_names(comm, &crossing, &mailing);
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (particles->bytes[c] > 0)
            well = table_append(comm, particles, c, &mailing);
    }
    if (comm_agree(comm)) {
        particles->n += mailing.route.n_from;
        crew_run(comm->threads, n, settle_rows, &settling);
        uint32_t *longer =
            realloc(groups->label, (size_t)(particles->n + 1) * sizeof *longer);
        groups->label = longer ? longer : groups->label;
        for (int64_t k = 0; longer && k < particles->n - n; ++k)
            longer[n + k] =
                find_index(particles->column[LINK_INDEX], n, merge_index(name[k]));
        if (longer == NULL) {
            io_fail(&comm->error, "no memory for groups");
            comm_fail(comm, 1);
        }
    }
    free(name);
    free(bits);
    mailing_free(&mailing);
    comm_end(comm, COMM_GATHER);
    return comm_agree(comm);
}

static bool link_ranks(struct comm *comm, weft_device *device, struct table *particles,
                       const weft_fof_options *options, int64_t limit, struct space *space,
                       uint32_t **label) {
    struct groups groups;
    const bool well =
        around_find_groups(comm, device, particles, options, limit, space, &groups) &&
        gather_groups(comm, particles, &groups);
    *label = groups.label;
    names_free(&groups.names);
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
    bool well = space_settle(comm, options->min_friends > 0 ? NULL : device, particles,
                             options, limit, &space);
    *label = NULL;
    if (well && options->min_friends > 0)
        well = leave_out(comm, device, particles, options, limit, &space);
    rule.min_friends = 0;
    if (well)
        well = comm->size > 1
                   ? link_ranks(comm, device, particles, &rule, limit, &space, label)
                   : link_alone(comm, device, &rule, limit, &space, label);
    positions_take_back(device, &space.positions);
    space_free(&space);
    well = comm_agree(comm) && well;
    if (!well) {
        free(*label);
        *label = NULL;
    }
    return well;
}
