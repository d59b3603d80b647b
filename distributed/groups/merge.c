#include "merge.h"

#include <stdlib.h>
#include <string.h>
#include <weft/search.h>
#include <weft/select.h>
#include <weft/sort.h>

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

/* Puts pairs in order, rank by rank. */
static void sort_pairs(weft_device *device, uint64_t *pair, uint32_t *rank, int64_t n) {
    const weft_array pairs = weft_borrow(device, WEFT_U64, pair, n);
    const weft_array ranks = weft_borrow(device, WEFT_U32, rank, n);
    weft_sort_by_key(device, pairs, ranks, WEFT_ASCENDING);
    weft_sort_by_key(device, ranks, pairs, WEFT_ASCENDING);
    weft_return(device, ranks);
    weft_return(device, pairs);
}

/* Each (own label, other's label) of each rank once. */
static void list_once(const uint64_t *pair, const uint32_t *rank, int64_t n, uint32_t *mine,
                      uint32_t *theirs, int64_t *to) {
    int64_t kept = 0;
    for (int64_t k = 0; k < n; ++k) {
        const bool again = k > 0 && pair[k] == pair[k - 1] && rank[k] == rank[k - 1];
        if ((uint32_t)pair[k] == none || again)
            continue;
        mine[kept] = (uint32_t)(pair[k] >> 32);
        theirs[kept++] = (uint32_t)pair[k];
        ++to[rank[k]];
    }
}

/* Asks each rank which of its groups the ghosts that it got are in. */
static bool find_edges(struct comm *comm, weft_device *device, int64_t n,
                       const struct mailing *ghosts, const uint32_t *sent_label,
                       const uint32_t *came_label, struct edges *edges) {
    const char *what = "groups that cross ranks";
    const struct route *route = &ghosts->route;
    const int64_t sent = route->n_to, received = route->n_from;
    uint32_t *hit = comm_allocate(comm, received, sizeof *hit, what);
    uint32_t *theirs = comm_allocate(comm, sent, sizeof *theirs, what);
    uint64_t *pair = comm_allocate(comm, sent, sizeof *pair, what);
    uint32_t *rank = comm_allocate(comm, sent, sizeof *rank, what);
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, what);
    edges->out = comm_allocate(comm, sent, sizeof *edges->out, what);
    for (int64_t k = 0; hit && k < received; ++k)
        hit[k] = came_label[k] < n ? came_label[k] : none;
    if (route_send_back(comm, route, sizeof *hit, hit, theirs)) {
        for (int64_t k = 0; k < sent; ++k)
            pair[k] = (uint64_t)sent_label[k] << 32 | theirs[k];
        for (int r = 0; r < comm->size; ++r) {
            to[r] = 0;
            for (int64_t k = 0; k < route->to[r]; ++k)
                rank[route->to_first[r] + k] = (uint32_t)r;
        }
        sort_pairs(device, pair, rank, sent);
        if (table_well(comm, device))
            list_once(pair, rank, sent, edges->out, theirs, to);
    }
    if (route_find(comm, to, &edges->route)) {
        edges->in = comm_allocate(comm, edges->route.n_from, sizeof *edges->in, what);
        route_send(comm, &edges->route, sizeof *theirs, theirs, edges->in);
    }
    free(rank);
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

/* Puts labels in order, each once; returns how many there are. */
static int64_t sort_once(weft_device *device, uint32_t *label, int64_t n) {
    int64_t count = 0;
    const weft_array labels = weft_borrow(device, WEFT_U32, label, n);
    weft_sort(device, labels, WEFT_ASCENDING);
    weft_unique(device, labels, labels, &count);
    weft_return(device, labels);
    return count;
}

/* The places of ends of edges among the names. */
static void find_places(weft_device *device, const struct names *names, uint32_t *end,
                        int64_t n) {
    const weft_array labels = weft_borrow_const(device, WEFT_U32, names->label, names->n);
    const weft_array ends = weft_borrow_const(device, WEFT_U32, end, n);
    weft_scope_open(device);
    const weft_array place = weft_scratch(device, WEFT_U32, n);
    weft_lower_bound(device, labels, ends, place);
    weft_return(device, ends);
    weft_read(device, place, end);
    weft_scope_close(device);
    weft_return(device, labels);
}

/* The labels at the ends of edges, each once, with their own names. */
static bool list_names(struct comm *comm, weft_device *device, const int64_t *index,
                       struct edges *edges, struct names *names) {
    const int64_t out = edges->route.n_to, in = edges->route.n_from;
    uint32_t *label = comm_allocate(comm, out + in, sizeof *label, "names of groups");
    names->label = label;
    names->name = comm_allocate(comm, out + in, sizeof *names->name, "names of groups");
    if (label == NULL || names->name == NULL)
        return false;
    memcpy(label, edges->out, (size_t)out * sizeof *label);
    memcpy(label + out, edges->in, (size_t)in * sizeof *label);
    names->n = sort_once(device, label, out + in);
    find_places(device, names, edges->out, out);
    find_places(device, names, edges->in, in);
    if (!table_well(comm, device))
        return false;
    for (int64_t k = 0; k < names->n; ++k)
        names->name[k] = merge_name(index[label[k]], comm->rank);
    return true;
}

bool merge_groups(struct comm *comm, weft_device *device, int64_t n, const int64_t *index,
                  const struct mailing *ghosts, const uint32_t *sent, const uint32_t *came,
                  struct names *names) {
    struct edges edges = {0};
    *names = (struct names){0};
    bool well = find_edges(comm, device, n, ghosts, sent, came, &edges);
    if (well)
        list_names(comm, device, index, &edges, names);
    well = comm_agree(comm) && spread_names(comm, &edges, names->name);
    edges_free(&edges);
    return well;
}
