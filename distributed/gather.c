#include "gather.h"

#include <stdlib.h>

static const uint32_t none = UINT32_MAX;

/* Members of groups that cross ranks. */
struct crossing {
    const struct names *names;
    int rank;
    int64_t *first; /* [names->n]: the indices of their labels, which ascend as those do */
    int64_t n;
    struct labels_member *member;
};

/* The row that gave a name of this rank: it is the first of one of the groups that cross,
 * which are few beside the rows. */
static uint32_t row_of(const struct crossing *crossing, int64_t name) {
    const int64_t wanted = merge_index(name);
    int64_t low = 0, high = crossing->names->n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (crossing->first[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return crossing->names->label[low];
}

static bool find_crossing(struct comm *comm, weft_device *device,
                          const struct table *particles, const struct groups *groups,
                          struct crossing *crossing) {
    const int64_t *index = particles->column[LINK_INDEX];
    const struct names *names = &groups->names;
    *crossing = (struct crossing){.names = names, .rank = comm->rank};
    crossing->first =
        comm_allocate(comm, names->n, sizeof *crossing->first, "names of groups");
    for (int64_t k = 0; crossing->first && k < names->n; ++k)
        crossing->first[k] = index[names->label[k]];
    crossing->member =
        labels_members(comm, device, &groups->labels, particles->n, names, &crossing->n);
    return comm_agree(comm);
}

static int64_t name_of(const struct crossing *crossing, int64_t k) {
    return crossing->names->name[crossing->member[k].name];
}

static int rank_of_member(const void *crossing, int64_t k, int *ranks) {
    ranks[0] = merge_rank(name_of(crossing, k));
    return ranks[0] != ((const struct crossing *)crossing)->rank;
}

/* Sends the names of members that leave; returns those that came. Then the mailing is of
 * their rows. */
static int64_t *send_names(struct comm *comm, const struct crossing *crossing,
                           struct mailing *mailing) {
    const struct route *route = &mailing->route;
    int64_t *out = comm_allocate(comm, route->n_to, sizeof *out, "names of groups");
    int64_t *in = comm_allocate(comm, route->n_from, sizeof *in, "names of groups");
    for (int64_t k = 0; out && k < route->n_to; ++k) {
        out[k] = name_of(crossing, mailing->row[k]);
        mailing->row[k] = crossing->member[mailing->row[k]].row;
    }
    route_send(comm, route, sizeof *out, out, in);
    free(out);
    return in;
}

/* Of members that were here, and of those that came behind n rows. */
static bool settle_labels(struct comm *comm, weft_device *device,
                          const struct crossing *crossing, int64_t n, const int64_t *name,
                          int64_t came, struct labels *labels) {
    uint32_t *row = comm_allocate(comm, crossing->n, sizeof *row, "groups");
    uint32_t *label = comm_allocate(comm, crossing->n, sizeof *label, "groups");
    uint32_t *more = comm_allocate(comm, came, sizeof *more, "groups");
    bool well = row && label && more;
    for (int64_t k = 0; well && k < crossing->n; ++k) {
        const int64_t its = name_of(crossing, k);
        row[k] = crossing->member[k].row;
        label[k] = merge_rank(its) == crossing->rank ? row_of(crossing, its) : none;
    }
    for (int64_t k = 0; well && k < came; ++k)
        more[k] = row_of(crossing, name[k]);
    well = well &&
           labels_replace(comm, device, labels, row, label, crossing->n, n, more, came);
    free(row);
    free(label);
    free(more);
    return well;
}

bool gather_groups(struct comm *comm, weft_device *device, struct table *particles,
                   struct groups *groups) {
    const int64_t n = particles->n;
    struct crossing crossing;
    struct mailing mailing = {0};
    int64_t *name = NULL;
    bool well = find_crossing(comm, device, particles, groups, &crossing) &&
                mailing_plan(comm, crossing.n, rank_of_member, &crossing, &mailing);
    if (well)
        name = send_names(comm, &crossing, &mailing);
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (particles->bytes[c] > 0)
            well = table_append(comm, particles, c, &mailing);
    }
    if (comm_agree(comm)) {
        particles->n += mailing.route.n_from;
        settle_labels(comm, device, &crossing, n, name, mailing.route.n_from,
                      &groups->labels);
    }
    free(name);
    free(crossing.first);
    free(crossing.member);
    mailing_free(&mailing);
    return comm_agree(comm);
}
