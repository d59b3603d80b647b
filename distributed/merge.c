#include "merge.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t none = UINT32_MAX;

/* Edges of this rank's groups to those of others; an end is the label of its own, and then
 * its place among the names. */
struct edges {
    struct route route;
    uint32_t *out, *in; /* [route.n_to], [route.n_from] */
};

void names_free(struct names *names) {
    free(names->label);
    free(names->name);
    *names = (struct names){0};
}

static int ascending(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Each (own label, other's label) once, rank by rank: from `pair`, which is put in order.
 */
static void list_once(struct comm *comm, uint64_t *pair, const int64_t *count,
                      uint32_t *mine, uint32_t *theirs, int64_t *to) {
    int64_t first = 0, kept = 0;
    for (int r = 0; r < comm->size; ++r) {
        const int64_t before = kept;
        if (count[r] > 0)
            qsort(pair + first, (size_t)count[r], sizeof *pair, ascending);
        for (int64_t k = first; k < first + count[r]; ++k) {
            if ((uint32_t)pair[k] == none || (k > first && pair[k] == pair[k - 1]))
                continue;
            mine[kept] = (uint32_t)(pair[k] >> 32);
            theirs[kept++] = (uint32_t)pair[k];
        }
        to[r] = kept - before;
        first += count[r];
    }
}

/* Asks each rank which of its groups the ghosts that it got are in. */
static bool find_edges(struct comm *comm, int64_t n, const uint32_t *label,
                       const struct mailing *ghosts, struct edges *edges) {
    const char *what = "groups that cross ranks";
    const struct route *route = &ghosts->route;
    const int64_t sent = route->n_to, received = route->n_from;
    uint32_t *hit = comm_allocate(comm, received, sizeof *hit, what);
    uint32_t *theirs = comm_allocate(comm, sent, sizeof *theirs, what);
    uint64_t *pair = comm_allocate(comm, sent, sizeof *pair, what);
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, what);
    edges->out = comm_allocate(comm, sent, sizeof *edges->out, what);
    for (int64_t k = 0; hit && k < received; ++k)
        hit[k] = label[n + k] < n ? label[n + k] : none;
    if (route_send_back(comm, route, sizeof *hit, hit, theirs)) {
        for (int64_t k = 0; k < sent; ++k)
            pair[k] = (uint64_t)label[ghosts->row[k]] << 32 | theirs[k];
        list_once(comm, pair, route->to, edges->out, theirs, to);
    }
    if (route_find(comm, to, &edges->route)) {
        edges->in = comm_allocate(comm, edges->route.n_from, sizeof *edges->in, what);
        route_send(comm, &edges->route, sizeof *theirs, theirs, edges->in);
    }
    free(pair);
    free(theirs);
    free(hit);
    return comm_agree(comm);
}

static void edges_free(struct edges *edges) {
    free(edges->out);
    free(edges->in);
    route_free(&edges->route);
}

/* Takes the smaller names of those that came. */
static int64_t take_smaller(const uint32_t *mine, const int64_t *came, int64_t n,
                            int64_t *name) {
    int64_t changes = 0;
    for (int64_t e = 0; e < n; ++e) {
        if (came[e] < name[mine[e]]) {
            name[mine[e]] = came[e];
            ++changes;
        }
    }
    return changes;
}

static void names_of(const uint32_t *mine, int64_t n, const int64_t *name, int64_t *out) {
    for (int64_t e = 0; e < n; ++e)
        out[e] = name[mine[e]];
}

static bool spread_names(struct comm *comm, const struct edges *edges, int64_t *name) {
    const struct route *route = &edges->route;
    int64_t *out = comm_allocate(comm, route->n_to, sizeof *out, "names of groups");
    int64_t *in = comm_allocate(comm, route->n_from, sizeof *in, "names of groups");
    bool well = comm_agree(comm);
    for (int64_t changes = 1; well && changes > 0;) {
        names_of(edges->out, route->n_to, name, out);
        well = route_send(comm, route, sizeof *out, out, in);
        changes = well ? take_smaller(edges->in, in, route->n_from, name) : 0;
        if (well) {
            names_of(edges->in, route->n_from, name, in);
            well = route_send_back(comm, route, sizeof *in, in, out);
        }
        changes += well ? take_smaller(edges->out, out, route->n_to, name) : 0;
        well = comm_reduce_i64(comm, &changes, 1, COMM_SUM);
    }
    free(out);
    free(in);
    return well;
}

static int ascending_labels(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t place_of(const uint32_t *labels, int64_t n, uint32_t label) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (labels[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* The labels at the ends of edges, each once, with their own names. */
static bool list_names(struct comm *comm, const int64_t *index, struct edges *edges,
                       struct names *names) {
    const int64_t out = edges->route.n_to, in = edges->route.n_from;
    uint32_t *label = comm_allocate(comm, out + in, sizeof *label, "names of groups");
    names->label = label;
    names->name = comm_allocate(comm, out + in, sizeof *names->name, "names of groups");
    if (label == NULL || names->name == NULL)
        return false;
    memcpy(label, edges->out, (size_t)out * sizeof *label);
    memcpy(label + out, edges->in, (size_t)in * sizeof *label);
    qsort(label, (size_t)(out + in), sizeof *label, ascending_labels);
    for (int64_t k = 0; k < out + in; ++k) {
        if (k == 0 || label[k] != label[names->n - 1]) {
            names->name[names->n] = merge_name(index[label[k]], comm->rank);
            label[names->n++] = label[k];
        }
    }
    for (int64_t e = 0; e < out; ++e)
        edges->out[e] = place_of(label, names->n, edges->out[e]);
    for (int64_t e = 0; e < in; ++e)
        edges->in[e] = place_of(label, names->n, edges->in[e]);
    return true;
}

bool merge_groups(struct comm *comm, int64_t n, const int64_t *index, const uint32_t *label,
                  const struct mailing *ghosts, struct names *names) {
    struct edges edges = {0};
    *names = (struct names){0};
    bool well = find_edges(comm, n, label, ghosts, &edges);
    if (well)
        list_names(comm, index, &edges, names);
    well = comm_agree(comm) && spread_names(comm, &edges, names->name);
    edges_free(&edges);
    return well;
}
