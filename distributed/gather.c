#include "gather.h"
#include "io/crew/crew.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t none = UINT32_MAX;

static const char what[] = "the lists of particles that move";

/* A particle of a group that lies on this rank and others, and which of the names it has.
 */
struct member {
    uint32_t row, name;
};

struct members {
    int64_t n, room; /* -1: memory was out */
    struct member *list;
};

/* Groups that cross. */
struct crossing {
    const uint32_t *label;
    const struct names *names;
    int rank;
    uint64_t *bits; /* a row's bit: it is the first of such a group here */
    int64_t *first; /* [names->n]: its index, which ascend as the labels do */
};

static bool mark_firsts(struct comm *comm, struct crossing *crossing,
                        const struct table *particles) {
    const int64_t *index = particles->column[LINK_INDEX];
    const struct names *names = crossing->names;
    const int64_t words = particles->n / 64 + 1;
    crossing->bits = comm_allocate(comm, words, sizeof *crossing->bits, what);
    crossing->first = comm_allocate(comm, names->n, sizeof *crossing->first, what);
    if (crossing->bits == NULL || crossing->first == NULL)
        return false;
    memset(crossing->bits, 0, (size_t)words * sizeof *crossing->bits);
    for (int64_t k = 0; k < names->n; ++k) {
        const uint32_t label = names->label[k];
        crossing->bits[label / 64] |= UINT64_C(1) << label % 64;
        crossing->first[k] = index[label];
    }
    return true;
}

static uint32_t name_of(const struct names *names, uint32_t label) {
    int64_t low = 0, high = names->n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (names->label[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

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

/* What each thread finds of its rows. */
struct looking {
    const struct crossing *crossing;
    struct members *found; /* [threads] */
};

static void add(struct members *found, struct member member) {
    if (found->n == found->room) {
        const int64_t room = 2 * found->room + 1024;
        struct member *longer = realloc(found->list, (size_t)room * sizeof *longer);
        found->list = longer ? longer : found->list;
        found->room = longer ? room : -1;
    }
    if (found->n < found->room)
        found->list[found->n++] = member;
}

/* Nearly all rows are of others, which is found out in the cache. */
static void look(void *context, int64_t begin, int64_t end, int part) {
    const struct looking *looking = context;
    const uint32_t *label = looking->crossing->label;
    const uint64_t *bits = looking->crossing->bits;
    struct members found = {0};
    for (int64_t i = begin; i < end && found.room >= 0; ++i) {
        if (bits[label[i] / 64] >> label[i] % 64 & 1)
            add(&found,
                (struct member){(uint32_t)i, name_of(looking->crossing->names, label[i])});
    }
    looking->found[part] = found;
}

/* Those of all threads, one after the other. */
static void join(struct comm *comm, struct members *found, int threads,
                 struct members *all) {
    bool well = true;
    for (int t = 0; t < threads; ++t) {
        well = well && found[t].room >= 0;
        all->room += found[t].n;
    }
    if (!well) {
        io_fail(&comm->error, "no memory for %s", what);
        comm_fail(comm, 1);
    }
    all->list = well ? comm_allocate(comm, all->room, sizeof *all->list, what) : NULL;
    for (int t = 0; t < threads; ++t) {
        if (all->list && found[t].n > 0)
            memcpy(all->list + all->n, found[t].list,
                   (size_t)found[t].n * sizeof *all->list);
        all->n += all->list ? found[t].n : 0;
        free(found[t].list);
    }
}

/* The members of all groups that cross, ascending. */
static void list_members(struct comm *comm, const struct crossing *crossing, int64_t n,
                         struct members *all) {
    const int threads = crew_parts(comm->threads, n);
    struct looking looking = {crossing, NULL};
    looking.found = comm_allocate(comm, threads, sizeof *looking.found, what);
    if (looking.found) {
        crew_run(comm->threads, n, look, &looking);
        join(comm, looking.found, threads, all);
    }
    free(looking.found);
}

/* Members on their way. */
struct leaving {
    const struct crossing *crossing;
    const struct member *list;
};

static int rank_of_member(const void *context, int64_t k, int *ranks) {
    const struct leaving *leaving = context;
    const struct crossing *crossing = leaving->crossing;
    ranks[0] = merge_rank(crossing->names->name[leaving->list[k].name]);
    return ranks[0] != crossing->rank;
}

/* Sends the names of members that leave; returns those that came. Then the mailing is of
 * their rows. */
static int64_t *send_names(struct comm *comm, const struct leaving *leaving,
                           struct mailing *mailing) {
    const struct route *route = &mailing->route;
    int64_t *out = comm_allocate(comm, route->n_to, sizeof *out, "names of groups");
    int64_t *in = comm_allocate(comm, route->n_from, sizeof *in, "names of groups");
    for (int64_t k = 0; out && k < route->n_to; ++k) {
        const struct member member = leaving->list[mailing->row[k]];
        out[k] = leaving->crossing->names->name[member.name];
        mailing->row[k] = member.row;
    }
    route_send(comm, route, sizeof *out, out, in);
    free(out);
    return in;
}

/* Of members that were here, and of those that came behind n rows. */
static void settle_labels(const struct crossing *crossing, const struct members *members,
                          int64_t n, const int64_t *name, int64_t came, uint32_t *label) {
    const struct names *names = crossing->names;
    for (int64_t k = 0; k < members->n; ++k) {
        const int64_t its = names->name[members->list[k].name];
        label[members->list[k].row] =
            merge_rank(its) == crossing->rank ? row_of(crossing, its) : none;
    }
    for (int64_t k = 0; k < came; ++k)
        label[n + k] = row_of(crossing, name[k]);
}

static bool lengthen(struct comm *comm, struct groups *groups, int64_t n) {
    uint32_t *longer = realloc(groups->label, (size_t)(n + 1) * sizeof *longer);
    groups->label = longer ? longer : groups->label;
    if (longer)
        return true;
    io_fail(&comm->error, "no memory for groups");
    return comm_fail(comm, 1);
}

bool gather_groups(struct comm *comm, struct table *particles, struct groups *groups) {
    const int64_t n = particles->n;
    struct crossing crossing = {
        .label = groups->label, .names = &groups->names, .rank = comm->rank};
    struct members members = {0};
    struct mailing mailing = {0};
    int64_t *name = NULL;
    if (mark_firsts(comm, &crossing, particles))
        list_members(comm, &crossing, n, &members);
    const struct leaving leaving = {&crossing, members.list};
    bool well = comm_agree(comm) &&
                mailing_plan(comm, members.n, rank_of_member, &leaving, &mailing);
    if (well)
        name = send_names(comm, &leaving, &mailing);
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (particles->bytes[c] > 0)
            well = table_append(comm, particles, c, &mailing);
    }
    if (comm_agree(comm) && lengthen(comm, groups, n + mailing.route.n_from)) {
        particles->n += mailing.route.n_from;
        settle_labels(&crossing, &members, n, name, mailing.route.n_from, groups->label);
    }
    free(name);
    free(members.list);
    free(crossing.bits);
    free(crossing.first);
    mailing_free(&mailing);
    return comm_agree(comm);
}
