#include "clusters.h"
#include "around.h"
#include "distributed/groups/merge.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

static const int64_t noise = INT64_MAX; /* in place of a cluster's name */
static const uint32_t none = UINT32_MAX;

static int ascending(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Puts values in order, each once. */
static int64_t sort_once(int64_t *value, int64_t n) {
    int64_t kept = 0;
    qsort(value, (size_t)n, sizeof *value, ascending);
    for (int64_t k = 0; k < n; ++k) {
        if (k == 0 || value[k] != value[k - 1])
            value[kept++] = value[k];
    }
    return kept;
}

/* Where `value` is, or belongs, in ascending values. */
static int64_t place_of(const int64_t *values, int64_t n, int64_t value) {
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rows of own points that are core. */
static bool find_cores(struct comm *comm, weft_device *device, const struct around *around,
                       const weft_fof_options *rule, int64_t min_points, int64_t limit,
                       uint32_t *row, int64_t n, int64_t *cores) {
    uint32_t *friends =
        comm_allocate(comm, around->positions.n, sizeof *friends, "friends");
    bool well = friends != NULL;
    if (well && min_points > 1)
        well = pieces_friends(comm, device, &around->positions, rule, limit, friends);
    *cores = 0;
    for (int64_t i = 0; well && i < n; ++i) {
        if (min_points <= 1 || friends[i] >= min_points - 1)
            row[(*cores)++] = (uint32_t)i;
    }
    free(friends);
    return well;
}

static bool copy_rows(struct comm *comm, const struct table *from, const uint32_t *row,
                      int64_t n, struct table *to) {
    *to = (struct table){.n = n};
    for (int c = 0; c < TABLE_COLUMNS; ++c) {
        to->bytes[c] = from->bytes[c];
        if (from->bytes[c] == 0)
            continue;
        to->column[c] = comm_allocate(comm, n, from->bytes[c], "core points");
        if (to->column[c])
            table_gather(comm->threads, from->column[c], from->bytes[c], row, n,
                         to->column[c]);
    }
    return comm_agree(comm);
}

/* From the groups of core points row[0 .. n), of these indices. */
static void spread_names(const struct comm *comm, const struct table *points,
                         const struct groups *groups, const int64_t *index,
                         const uint32_t *row, int64_t n, int64_t *name) {
    const struct names *names = &groups->names;
    for (int64_t i = 0; i < points->n; ++i)
        name[i] = noise;
    for (int64_t k = 0; k < n; ++k)
        name[row[k]] = merge_name(index[groups->labels.host[k]], comm->rank);
    for (int64_t k = 0; k < names->n; ++k)
        name[row[names->label[k]]] = names->name[k];
    for (int64_t k = 0; k < n; ++k)
        name[row[k]] = name[row[groups->labels.host[k]]];
}

/* name [points->n]: of core points that of their cluster; of others noise. */
static bool name_cores(struct comm *comm, weft_device *device, const struct table *points,
                       const struct around *around, const weft_fof_options *rule,
                       int64_t min_points, int64_t limit, struct space *space,
                       int64_t *name) {
    const struct positions all = space->positions;
    struct table core = {0};
    struct groups groups = {0};
    int64_t n = 0;
    uint32_t *row = comm_allocate(comm, points->n, sizeof *row, "core points");
    if (row && name)
        find_cores(comm, device, around, rule, min_points, limit, row, points->n, &n);
    comm_end(comm, COMM_LINK);
    if (comm_agree(comm) && copy_rows(comm, points, row, n, &core)) {
        space_update(space, &core);
        if (around_find_groups(comm, device, &core, rule, limit, space, false, &groups))
            spread_names(comm, points, &groups, core.column[LINK_INDEX], row, n, name);
        space->positions = all;
    }
    groups_free(device, &groups);
    free(row);
    table_free(&core);
    return comm_agree(comm);
}

/* All names in use here, ascending: a name's place among them stands for it on the device.
 * Of the rank's own clusters each has its first point here. */
static int64_t list_names(const struct comm *comm, const int64_t *index, int64_t own,
                          const int64_t *name, int64_t n, int64_t *list) {
    int64_t listed = 0;
    for (int64_t i = 0; i < n; ++i) {
        const bool is_first = i < own && name[i] == merge_name(index[i], comm->rank);
        if (is_first || (name[i] != noise && merge_rank(name[i]) != comm->rank))
            list[listed++] = name[i];
    }
    return sort_once(list, listed);
}

/* Names the clusters of border points, from name [own and ghosts]. */
static bool join_borders(struct comm *comm, weft_device *device, const int64_t *index,
                         const struct around *around, const weft_fof_options *rule,
                         int64_t limit, int64_t own, int64_t *name) {
    const int64_t n = around->positions.n;
    int64_t *list = comm_allocate(comm, n, sizeof *list, "names of clusters");
    uint32_t *core = comm_allocate(comm, n, sizeof *core, "clusters");
    uint32_t *cluster = comm_allocate(comm, n, sizeof *cluster, "clusters");
    bool well = list && core && cluster;
    if (well) {
        const int64_t listed = list_names(comm, index, own, name, n, list);
        for (int64_t i = 0; i < n; ++i)
            core[i] = name[i] == noise ? none : (uint32_t)place_of(list, listed, name[i]);
        well = pieces_borders(comm, device, &around->positions, rule, limit, core, cluster);
    }
    for (int64_t i = 0; well && i < own; ++i)
        name[i] = cluster[i] == none ? noise : list[cluster[i]];
    free(list);
    free(core);
    free(cluster);
    comm_end(comm, COMM_LINK);
    return comm_agree(comm);
}

/* For each own point its cluster's name, for free(); NULL after a failure. */
static int64_t *name_clusters(struct comm *comm, weft_device *device, struct table *points,
                              const weft_fof_options *rule,
                              const weft_dbscan_options *options, int64_t limit,
                              struct space *space) {
    const int64_t own = points->n;
    struct around around;
    int64_t *name = NULL;
    if (around_look(comm, device, points, space, true, &around)) {
        name = comm_allocate(comm, around.positions.n, sizeof *name, "names of clusters");
        name_cores(comm, device, points, &around, rule, options->min_points, limit, space,
                   name);
        if (comm_agree(comm) && options->min_points > 2 && !options->core_only) {
            int64_t *ghosts = NULL;
            if (comm->size > 1)
                ghosts = mailing_send(comm, &around.mailing, sizeof *name, name);
            if (ghosts)
                memcpy(name + own, ghosts,
                       (size_t)(around.positions.n - own) * sizeof *name);
            free(ghosts);
            if (comm_agree(comm))
                join_borders(comm, device, points->column[LINK_INDEX], &around, rule, limit,
                             own, name);
        }
    }
    around_free(&around);
    if (comm_agree(comm))
        return name;
    free(name);
    return NULL;
}

/* The shares of the input: where each begins. */
struct shares {
    int ranks;
    const int64_t *first, *index; /* [ranks]; of the rows that are asked for */
};

static int reader(const void *context, int64_t row, int *ranks) {
    const struct shares *shares = context;
    const int64_t index = shares->index[row];
    ranks[0] = (int)place_of(shares->first, shares->ranks, index + 1) - 1;
    return 1;
}

/* Brings each point's cluster, by the index of its first core point, to where the point is
 * in the share: labels [n], -1 for noise. */
static bool bring_back(struct comm *comm, const struct table *points, const int64_t *name,
                       struct shares *shares, int64_t *labels) {
    struct mailing mailing;
    int64_t *index = NULL, *named = NULL;
    shares->index = points->column[LINK_INDEX];
    if (mailing_plan(comm, points->n, reader, shares, &mailing)) {
        index = mailing_send(comm, &mailing, sizeof *index, shares->index);
        named = mailing_send(comm, &mailing, sizeof *named, name);
    }
    for (int64_t k = 0; named && k < mailing.route.n_from; ++k)
        labels[index[k] - shares->first[comm->rank]] =
            named[k] == noise ? -1 : merge_index(named[k]);
    free(index);
    free(named);
    mailing_free(&mailing);
    return comm_agree(comm);
}

/* Numbers of clusters whose first core point is in another share: asked of its rank.
 *   wanted   [n] ascending: indices of first core points; becomes their numbers
 *   number   of the clusters that begin in this share, at their first core points */
static bool ask_numbers(struct comm *comm, struct shares *shares, const int64_t *number,
                        int64_t *wanted, int64_t n) {
    struct mailing mailing;
    int64_t *asked = NULL;
    shares->index = wanted;
    if (mailing_plan(comm, n, reader, shares, &mailing))
        asked = mailing_send(comm, &mailing, sizeof *asked, wanted);
    for (int64_t k = 0; asked && k < mailing.route.n_from; ++k)
        asked[k] = number[asked[k] - shares->first[comm->rank]];
    /* They were sent in the order in which they lie. */
    route_send_back(comm, &mailing.route, sizeof *asked, asked, wanted);
    free(asked);
    mailing_free(&mailing);
    return comm_agree(comm);
}

/* From the indices of first core points to numbers in their order. */
static bool number_clusters(struct comm *comm, struct shares *shares, int64_t *labels,
                            int64_t n) {
    const int64_t first = shares->first[comm->rank];
    int64_t begun = 0, before = 0, others = 0;
    for (int64_t i = 0; i < n; ++i) {
        begun += labels[i] == first + i;
        others += labels[i] >= 0 && (labels[i] < first || labels[i] >= first + n);
    }
    int64_t *all = comm_allocate(comm, comm->size, sizeof *all, "ranks");
    int64_t *number = comm_allocate(comm, n, sizeof *number, "numbers of clusters");
    int64_t *other = comm_allocate(comm, others, sizeof *other, "clusters");
    int64_t *answer = comm_allocate(comm, others, sizeof *answer, "clusters");
    bool well = comm_share(comm, &begun, sizeof begun, all);
    for (int r = 0; well && r < comm->rank; ++r)
        before += all[r];
    others = 0;
    for (int64_t i = 0; well && i < n; ++i) {
        if (labels[i] == first + i)
            number[i] = before++;
        else if (labels[i] >= 0 && (labels[i] < first || labels[i] >= first + n))
            other[others++] = labels[i];
    }
    if (well) {
        others = sort_once(other, others);
        memcpy(answer, other, (size_t)others * sizeof *answer);
    }
    well = well && ask_numbers(comm, shares, number, answer, others);
    for (int64_t i = 0; well && i < n; ++i) {
        if (labels[i] >= first && labels[i] < first + n)
            labels[i] = number[labels[i] - first];
        else if (labels[i] >= 0)
            labels[i] = answer[place_of(other, others, labels[i])];
    }
    free(all);
    free(number);
    free(other);
    free(answer);
    return well;
}

bool clusters_find(struct comm *comm, weft_device *device, struct table *points,
                   const weft_dbscan_options *options, int64_t begin, int64_t limit,
                   int64_t *labels) {
    weft_fof_options rule = {.linking_length = options->eps};
    const int64_t n = points->n;
    struct space space = {0};
    memcpy(rule.box, options->box, sizeof rule.box);
    int64_t *first = comm_allocate(comm, comm->size, sizeof *first, "ranks"), *name = NULL;
    struct shares shares = {comm->size, first, NULL};
    bool well = comm_share(comm, &begin, sizeof begin, first);
    if (well && space_settle(comm, NULL, points, &rule, limit, &space))
        name = name_clusters(comm, device, points, &rule, options, limit, &space);
    well = name && bring_back(comm, points, name, &shares, labels);
    well = well && number_clusters(comm, &shares, labels, n);
    comm_end(comm, COMM_GATHER);
    space_free(&space);
    free(first);
    free(name);
    return well;
}
