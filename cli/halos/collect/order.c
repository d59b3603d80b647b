/* The order of the catalogue over ranks: larger halos first, then smaller tags. A sample of
 * all halos tells where the rows of each rank begin. */
#include "collect.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 64 }; /* halos of each rank */

static int by_size(const void *a, const void *b) {
    const struct collect_key *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* The end of the keys from `k` on that are in order already. */
static int64_t end_of_run(const struct collect_key *keys, int64_t k, int64_t n) {
    for (++k; k < n && by_size(&keys[k - 1], &keys[k]) <= 0; ++k)
        ;
    return k < n ? k : n;
}

/* Two runs that follow each other become one; `b` may be empty. */
static void merge(const struct collect_key *a, const struct collect_key *b,
                  const struct collect_key *end, struct collect_key *to) {
    const struct collect_key *end_a = b;
    while (a < end_a || b < end)
        *to++ = b == end || (a < end_a && by_size(a, b) <= 0) ? *a++ : *b++;
}

/* Rows of a part are in order, and so are those that come from a rank: few runs, which are
 * merged (Knuth, The Art of Computer Programming 3, 5.2.4, algorithm N). */
static void merge_runs(struct collect_key *keys, int64_t n, struct collect_key *room) {
    struct collect_key *from = keys, *to = room;
    while (end_of_run(from, 0, n) < n) {
        for (int64_t k = 0, middle, end; k < n; k = end) {
            middle = end_of_run(from, k, n);
            end = middle < n ? end_of_run(from, middle, n) : n;
            merge(from + k, from + middle, from + end, to + k);
        }
        struct collect_key *other = from;
        from = to;
        to = other;
    }
    if (from != keys)
        memcpy(keys, from, (size_t)n * sizeof *keys);
}

struct collect_key *collect_keys(struct comm *comm, const struct halos_columns *columns,
                                 int64_t n) {
    struct collect_key *keys = comm_allocate(comm, n, sizeof *keys, "the order of halos");
    const int64_t *count = n > 0 ? halos_columns_find(columns, "count") : NULL;
    const int64_t *tag = n > 0 ? halos_columns_find(columns, "tag") : NULL;
    for (int64_t h = 0; keys && h < n; ++h)
        keys[h] = (struct collect_key){count[h], tag[h], h};
    struct collect_key *room =
        keys && end_of_run(keys, 0, n) < n
            ? comm_allocate(comm, n, sizeof *room, "the order of halos")
            : NULL;
    if (room)
        merge_runs(keys, n, room);
    free(room);
    if (comm->trouble == 0)
        return keys;
    free(keys);
    return NULL;
}

/* One of a sample, which stands for so many halos. */
struct sampled {
    struct collect_key key;
    int64_t halos;
};

static int by_key(const void *a, const void *b) {
    return by_size(&((const struct sampled *)a)->key, &((const struct sampled *)b)->key);
}

static void take_sample(const struct collect_key *keys, int64_t n,
                        struct sampled sample[SAMPLE]) {
    memset(sample, 0, SAMPLE * sizeof *sample);
    for (int64_t k = 0; k < SAMPLE && k < n; ++k) {
        const int64_t most = n < SAMPLE ? n : SAMPLE;
        const int64_t first = n / most * k + n % most * k / most,
                      end = n / most * (k + 1) + n % most * (k + 1) / most;
        sample[k] = (struct sampled){keys[end - 1], end - first};
    }
}

/* last [ranks - 1]: the last key of each rank but the last; returns how many there are. */
static int64_t cut(struct sampled *all, int64_t n, int ranks, struct collect_key *last) {
    int64_t used = 0, total = 0, before = 0, found = 0;
    for (int64_t k = 0; k < n; ++k) {
        total += all[k].halos;
        if (all[k].halos > 0)
            all[used++] = all[k];
    }
    qsort(all, (size_t)used, sizeof *all, by_key);
    for (int64_t k = 0; k < used && found < ranks - 1; ++k) {
        before += all[k].halos;
        if (before >= total / ranks * (found + 1) + total % ranks * (found + 1) / ranks)
            last[found++] = all[k].key;
    }
    return found;
}

struct rule {
    const struct collect_key *of; /* of each row */
    const struct collect_key *last;
    int64_t n_last;
};

static int to_its_place(const void *context, int64_t row, int *ranks) {
    const struct rule *rule = context;
    int64_t low = 0, high = rule->n_last;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (by_size(&rule->of[row], &rule->last[middle]) <= 0)
            high = middle;
        else
            low = middle + 1;
    }
    ranks[0] = (int)low;
    return 1;
}

/* Nobody has rows but the first rank where the file is written by one alone. */
static bool find_last(struct halos_run *run, const struct collect_key *keys, int64_t n,
                      struct rule *rule, struct collect_key *last) {
    struct comm *comm = &run->comm;
    struct sampled mine[SAMPLE], *all = NULL;
    rule->n_last = 0;
    rule->last = last;
    if (comm->size == 1)
        return true;
    if (!run->shared) {
        if (last)
            last[0] = (struct collect_key){-1, INT64_MAX, 0};
        rule->n_last = 1;
        return true;
    }
    all =
        comm_allocate(comm, (int64_t)SAMPLE * comm->size, sizeof *all, "a sample of halos");
    take_sample(keys, keys ? n : 0, mine);
    const bool well = comm_share(comm, mine, sizeof mine, all);
    if (well)
        rule->n_last = cut(all, (int64_t)SAMPLE * comm->size, comm->size, last);
    free(all);
    return well;
}

bool collect_plan(struct halos_run *run, const struct halos_columns *columns, int64_t n,
                  struct mailing *mailing) {
    struct comm *comm = &run->comm;
    const bool alone = comm->size == 1;
    struct collect_key *keys = alone ? NULL : collect_keys(comm, columns, n), *last, *of;
    struct rule rule = {0};
    last = comm_allocate(comm, comm->size, sizeof *last, "the order of halos");
    of = comm_allocate(comm, alone ? 0 : n, sizeof *of, "the order of halos");
    for (int64_t k = 0; keys && of && k < n; ++k)
        of[keys[k].row] = keys[k];
    rule.of = of;
    *mailing = (struct mailing){0};
    const bool well = find_last(run, keys, n, &rule, last) &&
                      mailing_plan(comm, n, to_its_place, &rule, mailing);
    free(keys);
    free(last);
    free(of);
    return well;
}

bool collect_sort(struct comm *comm, const struct halos_columns *columns,
                  const struct collect_key *order, int64_t n) {
    uint32_t *row = comm_allocate(comm, n, sizeof *row, "the order of halos");
    for (int64_t h = 0; row && h < n; ++h)
        row[h] = (uint32_t)order[h].row;
    for (int c = 0; row && c < columns->n; ++c) {
        struct catalogue_column *column = &columns->column[c];
        const size_t bytes = collect_width(column);
        char *sorted = comm_allocate(comm, n, bytes, "the catalogue");
        if (sorted)
            table_gather(comm->threads, column->data, bytes, row, n, sorted);
        free((void *)(uintptr_t)column->data);
        column->data = sorted;
    }
    free(row);
    return comm->trouble == 0;
}

bool collect_rest(struct comm *comm, int64_t n, struct catalogue_rest *rest) {
    int64_t *of = comm_allocate(comm, comm->size, sizeof *of, "rows of ranks");
    const bool well = comm_share(comm, &n, sizeof n, of);
    *rest = (struct catalogue_rest){0};
    for (int r = 0; well && r < comm->size; ++r) {
        rest->before += r < comm->rank ? of[r] : 0;
        rest->after += r > comm->rank ? of[r] : 0;
    }
    free(of);
    return well;
}

int64_t *collect_send_back(struct comm *comm, const struct mailing *mailing,
                           const struct collect_key *order, int64_t n,
                           const int64_t *values) {
    const struct route *route = &mailing->route;
    int64_t *came = comm_allocate(comm, n, sizeof *came, "the order of halos"),
            *sent = comm_allocate(comm, route->n_to, sizeof *sent, "the order of halos"),
            *back = comm_allocate(comm, route->n_to, sizeof *back, "the order of halos");
    for (int64_t h = 0; came && h < n; ++h)
        came[order[h].row] = values[h];
    const bool well = route_send_back(comm, route, sizeof *came, came, sent);
    for (int64_t k = 0; well && k < route->n_to; ++k)
        back[mailing->row[k]] = sent[k];
    free(came);
    free(sent);
    return back;
}
