#include "carry.h"

#include <stdlib.h>
#include <string.h>

/* What rank `from` has for another, each way. */
static int64_t count_of(const struct carry *c, int from, int way, int to) {
    return c->count[((int64_t)from * CARRY_WAYS + way) * c->comm->size + to];
}

static bool share_counts(struct carry *c, const int64_t *count) {
    struct comm *comm = c->comm;
    const int64_t each = (int64_t)CARRY_WAYS * comm->size;
    int64_t *mine = comm_allocate(comm, each, sizeof *mine, "ranks");
    c->count = comm_allocate(comm, comm->size * each, sizeof *c->count, "ranks");
    if (mine && count) {
        memset(mine, 0, (size_t)each * sizeof *mine);
        memcpy(mine, count, (size_t)(c->ways * comm->size) * sizeof *mine);
    }
    const bool well = comm_share(comm, mine, (size_t)each * sizeof *mine, c->count);
    free(mine);
    for (int rank = 0; well && rank < comm->size; ++rank) {
        int64_t out = 0, back = 0;
        for (int other = 0; other < comm->size; ++other) {
            out += count_of(c, rank, CARRY_VISITS, other) +
                   count_of(c, rank, CARRY_COPIES, other);
            back += count_of(c, other, CARRY_VISITS, rank);
        }
        c->most = out > c->most ? out : c->most;
        c->most_back = back > c->most_back ? back : c->most_back;
    }
    return well;
}

/* The route of one way, of which all ranks know already. */
static bool fill_in(struct carry *c, int way) {
    struct route *route = &c->route[way];
    const int ranks = c->comm->size, me = c->comm->rank;
    route->to = comm_allocate(c->comm, ranks, sizeof *route->to, "ranks");
    route->from = comm_allocate(c->comm, ranks, 3 * sizeof *route->from, "ranks");
    if (!route->to || !route->from)
        return false;
    route->to_first = route->from + ranks;
    route->from_first = route->to_first + ranks;
    for (int rank = 0; rank < ranks; ++rank) {
        route->to_first[rank] = route->n_to;
        route->from_first[rank] = route->n_from;
        route->n_to += route->to[rank] = count_of(c, me, way, rank);
        route->n_from += route->from[rank] = count_of(c, rank, way, me);
    }
    return true;
}

bool carry_find(struct carry *c, int64_t *count) {
    const int ranks = c->comm->size;
    bool well = true;
    if (c->shelves) {
        well = share_counts(c, count);
        for (int way = 0; way < c->ways && well; ++way)
            well = fill_in(c, way);
        well = comm_agree(c->comm) && well;
    }
    for (int way = 0; way < c->ways && !c->shelves && well; ++way) {
        int64_t *to = comm_allocate(c->comm, ranks, sizeof *to, "ranks");
        if (to && count)
            memcpy(to, count + (int64_t)way * ranks, (size_t)ranks * sizeof *to);
        well = route_find(c->comm, to, &c->route[way]);
    }
    free(count);
    return well;
}

void carry_free(struct carry *c) {
    for (int way = 0; way < CARRY_WAYS; ++way)
        route_free(&c->route[way]);
    free(c->count);
    c->count = NULL;
}

/* What goes by shelves: lists are laid in rounds of as many rows as fit. */
struct trip {
    struct carry *carry;
    bool back;
    int64_t numbers, bytes; /* of a row */
    int64_t first, n;       /* rows of this round, of each list */
};

/* Where in a rank's list those begin that this one takes. */
static int64_t place_on(const struct trip *t, int rank, int way) {
    const struct carry *c = t->carry;
    int64_t before = 0;
    for (int k = 0; t->back && k < c->comm->rank; ++k)
        before += count_of(c, k, CARRY_VISITS, rank);
    for (int k = 0; !t->back && k < way * c->comm->size + c->comm->rank; ++k)
        before += count_of(c, rank, k / c->comm->size, k % c->comm->size);
    return before;
}

/* Those of `n` rows in a rank's list that were laid in this round. */
static void take(const struct trip *t, int rank, int way, int64_t n, weft_array came,
                 int64_t here) {
    const struct carry *c = t->carry;
    const int64_t place = place_on(t, rank, way) - t->first;
    const int64_t begin = place < 0 ? -place : 0;
    const int64_t end = place + n > t->n ? t->n - place : n;
    if (begin < end)
        weft_write_later(c->device,
                         weft_slice(c->device, came, (here + begin) * t->numbers,
                                    (end - begin) * t->numbers),
                         comm_laid_shelf(c->shelves, rank) + (place + begin) * t->bytes);
}

static bool go_round(struct trip *t, weft_array list, const weft_array *came) {
    struct carry *c = t->carry;
    struct comm *comm = c->comm;
    const int64_t left = list.length / t->numbers - t->first;
    const int64_t laid = left < 0 ? 0 : left < t->n ? left : t->n;
    if (laid > 0)
        weft_read_later(
            c->device,
            weft_slice(c->device, list, t->first * t->numbers, laid * t->numbers),
            comm_shelf(c->shelves, comm->rank));
    if (!comm_laid(comm, c->shelves, c->device, laid * t->bytes))
        return false;
    for (int way = 0; way < (t->back ? 1 : c->ways); ++way) {
        const struct route *route = &c->route[way];
        for (int rank = 0; rank < comm->size; ++rank)
            take(t, rank, way, t->back ? route->to[rank] : route->from[rank], came[way],
                 t->back ? route->to_first[rank] : route->from_first[rank]);
    }
    return true;
}

static bool by_shelves(struct carry *c, bool back, int64_t numbers, weft_array list,
                       const weft_array *came) {
    const int64_t bytes = numbers * (int64_t)WEFT_SIZE(list.type);
    struct trip t = {.carry = c, .back = back, .numbers = numbers, .bytes = bytes};
    bool well = true;
    t.n = (int64_t)c->shelves->bytes / bytes;
    for (; well && t.first < (back ? c->most_back : c->most); t.first += t.n)
        well = go_round(&t, list, came);
    return well;
}

/* Those of one way, by way of the host. */
static bool by_messages(struct carry *c, int way, bool back, int64_t numbers,
                        weft_array list, weft_array came) {
    const size_t bytes = (size_t)numbers * WEFT_SIZE(list.type);
    const struct route *route = &c->route[way];
    const int64_t n = list.length / numbers;
    char *in = comm_allocate(c->comm, came.length / numbers, bytes, "rows to receive");
    char *out = comm_allocate(c->comm, n, bytes, "rows to send");
    if (out)
        weft_read(c->device, list, (void *)out);
    table_well(c->comm, c->device);
    const bool well = back ? route_send_back(c->comm, route, bytes, out, in)
                           : route_send(c->comm, route, bytes, out, in);
    free(out);
    if (well)
        weft_write(c->device, came, (const void *)in);
    free(in);
    return well;
}

bool carry_out(struct carry *c, int64_t numbers, weft_array list, const weft_array *came) {
    bool well = true;
    if (c->shelves)
        return by_shelves(c, false, numbers, list, came);
    int64_t first = 0;
    for (int way = 0; way < c->ways && well; ++way) {
        const int64_t length = c->route[way].n_to * numbers;
        well = by_messages(c, way, false, numbers,
                           weft_slice(c->device, list, first, length), came[way]);
        first += length;
    }
    return well;
}

bool carry_back(struct carry *c, int64_t numbers, weft_array list, weft_array came) {
    return c->shelves ? by_shelves(c, true, numbers, list, &came)
                      : by_messages(c, CARRY_VISITS, true, numbers, list, came);
}
