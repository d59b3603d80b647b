#include "merge.h"

#include <stdlib.h>

static const uint32_t none = UINT32_MAX;

/* Edges of this rank's groups to those of others; mine[e] is the label of its own. */
struct edges {
    struct route route;
    uint32_t *out, *in; /* [route.n_to], [route.n_from] */
};

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

bool merge_groups(struct comm *comm, int64_t n, const int64_t *index, const uint32_t *label,
                  const struct mailing *ghosts, int64_t *name) {
    struct edges edges = {0};
    for (int64_t i = 0; i < n; ++i)
        name[i] = merge_name(index[i], comm->rank);
    const bool well =
        find_edges(comm, n, label, ghosts, &edges) && spread_names(comm, &edges, name);
    edges_free(&edges);
    return well;
}
