/* Subhalos of halos that were found part by part and rank by rank, as rows of one
 * catalogue. */
#include "collect.h"
#include "distributed/table/table.h"

#include <stdlib.h>
#include <string.h>

/* Adds to the rows that a column names, but for those that are none. */
static void shift(const struct halos_columns *columns, const char *name, int64_t n,
                  int64_t by) {
    int64_t *row = (int64_t *)(uintptr_t)halos_columns_find(columns, name);
    for (int64_t s = 0; s < n; ++s)
        row[s] += row[s] >= 0 ? by : 0;
}

bool collect_subhalos_of_part(struct halos_collection *all, struct halos_run *run) {
    struct halos_subhalos *more = &run->subhalos;
    struct halos_subhalos *to = &all->subhalos;
    if (more->offset == NULL)
        return true;
    const int64_t members = more->offset[more->n];
    shift(&more->columns, "halo", more->n, all->n_halos);
    shift(&more->columns, "parent", more->n, to->n);
    const bool done =
        collect_rows(&to->columns, to->n, &more->columns, more->n) &&
        (more->member_id == NULL ||
         collect_i64(&to->member_id, all->n_subhalo_members, more->member_id, members));
    to->n += more->n;
    all->n_subhalo_members += members;
    halos_subhalos_free(run);
    return done;
}

static int64_t *numbers_of(const struct halos_subhalos *subhalos, const char *name) {
    return (int64_t *)(uintptr_t)halos_columns_find(&subhalos->columns, name);
}

/* A parent becomes its number among the subhalos of its halo, which stay in their order. */
static bool number_parents(struct comm *comm, const struct halos_collection *all) {
    const int64_t *halo = numbers_of(&all->subhalos, "halo"), n = all->subhalos.n;
    int64_t *parent = numbers_of(&all->subhalos, "parent");
    int64_t *count = comm_allocate(comm, all->n_halos, sizeof *count, "subhalos");
    int64_t *number = comm_allocate(comm, n, sizeof *number, "subhalos");
    const bool well = count && number;
    for (int64_t h = 0; well && h < all->n_halos; ++h)
        count[h] = 0;
    for (int64_t s = 0; well && s < n; ++s)
        number[s] = count[halo[s]]++;
    for (int64_t s = 0; well && s < n; ++s)
        parent[s] = parent[s] < 0 ? parent[s] : number[parent[s]];
    free(count);
    free(number);
    return well;
}

/* Halos by their rows in the catalogue: row[h] of those that are here. */
static void name_halos(const struct halos_collection *all, const int64_t *row) {
    int64_t *halo = numbers_of(&all->subhalos, "halo");
    for (int64_t s = 0; s < all->subhalos.n; ++s)
        halo[s] = row[halo[s]];
}

/* Rows of the catalogue and of subhalos by the ranks that have them. */
struct homes {
    const int64_t *first; /* [ranks]: of the rows of each */
    const int64_t *halo;  /* of each subhalo, or of each of their members */
    int ranks;
};

static int to_halo(const void *context, int64_t row, int *ranks) {
    const struct homes *homes = context;
    int low = 0, high = homes->ranks - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (homes->first[middle] <= homes->halo[row])
            low = middle;
        else
            high = middle - 1;
    }
    ranks[0] = low;
    return 1;
}

/* The halo of each member. */
static int64_t *halos_of_members(struct comm *comm, const struct halos_collection *all) {
    const struct halos_subhalos *s = &all->subhalos;
    const int64_t *halo = numbers_of(s, "halo"), *count = numbers_of(s, "count");
    int64_t *of = comm_allocate(comm, all->n_subhalo_members, sizeof *of, "subhalos"),
            k = 0;
    for (int64_t i = 0; of && i < s->n; ++i)
        for (int64_t m = 0; m < count[i]; ++m)
            of[k++] = halo[i];
    return of;
}

/* place [n]: where each of those here goes, behind one another for each halo; parents and
 * halos are rows then. */
static bool find_places(struct halos_run *run, int64_t *place) {
    struct comm *comm = &run->comm;
    struct halos_subhalos *s = &run->subhalos;
    const int64_t halos = run->n_halos, *halo = numbers_of(s, "halo");
    int64_t *parent = numbers_of(s, "parent");
    int64_t *first = comm_allocate(comm, halos + 1, sizeof *first, "the order of subhalos");
    int64_t *next = comm_allocate(comm, halos + 1, sizeof *next, "the order of subhalos");
    const bool well = place && first && next;
    for (int64_t h = 0; well && h <= halos; ++h)
        first[h] = 0;
    for (int64_t i = 0; well && i < s->n; ++i)
        ++first[halo[i] - run->rest.before + 1];
    for (int64_t h = 0; well && h < halos; ++h)
        first[h + 1] += first[h];
    if (well)
        memcpy(next, first, (size_t)(halos + 1) * sizeof *next);
    for (int64_t i = 0; well && i < s->n; ++i) {
        const int64_t h = halo[i] - run->rest.before;
        place[i] = next[h]++;
        parent[i] = parent[i] < 0 ? parent[i] : s->rest.before + first[h] + parent[i];
    }
    free(first);
    free(next);
    return well;
}

/* Members in the order of their subhalos, whose places are given, and the offsets of these.
 */
static bool place_members(struct comm *comm, const int64_t *count, const int64_t *place,
                          struct halos_subhalos *s) {
    s->offset = comm_allocate(comm, s->n + 1, sizeof *s->offset, "subhalos");
    if (s->offset == NULL)
        return false;
    s->offset[0] = s->members.before;
    for (int64_t k = 0; k < s->n; ++k)
        s->offset[place[k] + 1] = count[k];
    for (int64_t k = 0; k < s->n; ++k)
        s->offset[k + 1] += s->offset[k];
    if (s->member_id == NULL)
        return true;
    const int64_t *from = s->member_id;
    int64_t *id = comm_allocate(comm, s->offset[s->n] - s->offset[0], sizeof *id,
                                "members of subhalos");
    for (int64_t k = 0; id && k < s->n; from += count[k++])
        memcpy(id + (s->offset[place[k]] - s->offset[0]), from,
               (size_t)count[k] * sizeof *id);
    free(s->member_id);
    s->member_id = id;
    return id != NULL;
}

/* Rows into their places. */
static bool place_rows(struct comm *comm, const struct halos_columns *columns, int64_t n,
                       const int64_t *place) {
    bool well = true;
    for (int c = 0; well && c < columns->n; ++c) {
        struct catalogue_column *column = &columns->column[c];
        const size_t bytes = collect_width(column);
        char *placed = comm_allocate(comm, n, bytes, "subhalos");
        for (int64_t s = 0; placed && s < n; ++s)
            memcpy(placed + (size_t)place[s] * bytes,
                   (const char *)column->data + (size_t)s * bytes, bytes);
        free((void *)(uintptr_t)column->data);
        column->data = placed;
        well = placed != NULL;
    }
    return well;
}

/* Those that came, into the order of their halos. */
static bool place_all(struct halos_run *run) {
    struct comm *comm = &run->comm;
    struct halos_subhalos *s = &run->subhalos;
    const int64_t *count = numbers_of(s, "count");
    int64_t members = 0;
    for (int64_t i = 0; i < s->n; ++i)
        members += count[i];
    int64_t *place = comm_allocate(comm, s->n, sizeof *place, "the order of subhalos");
    const bool well = collect_rest(comm, s->n, &s->rest) &&
                      collect_rest(comm, members, &s->members) && find_places(run, place) &&
                      place_members(comm, count, place, s) &&
                      place_rows(comm, &s->columns, s->n, place);
    free(place);
    return well;
}

static bool bring_members(struct halos_run *run, const struct halos_collection *all,
                          const int64_t *first) {
    struct comm *comm = &run->comm;
    int64_t *halo = halos_of_members(comm, all);
    const struct homes homes = {first, halo, comm->size};
    struct mailing mailing;
    if (mailing_plan(comm, all->n_subhalo_members, to_halo, &homes, &mailing))
        run->subhalos.member_id =
            mailing_send(comm, &mailing, sizeof *first, all->subhalos.member_id);
    mailing_free(&mailing);
    free(halo);
    return run->subhalos.member_id != NULL;
}

/* To the ranks that have their halos: the first row of each is first[rank]. */
static bool bring_all(struct halos_run *run, const struct halos_collection *all,
                      const int64_t *first) {
    struct comm *comm = &run->comm;
    const struct halos_subhalos *from = &all->subhalos;
    struct halos_subhalos *to = &run->subhalos;
    const struct homes homes = {first, numbers_of(from, "halo"), comm->size};
    struct mailing mailing;
    bool well = mailing_plan(comm, from->n, to_halo, &homes, &mailing);
    to->n = well ? mailing.route.n_from : 0;
    well = well && collect_bring(comm, &mailing, &from->columns, &to->columns);
    mailing_free(&mailing);
    return well && (!run->options.members || bring_members(run, all, first));
}

bool collect_subhalos_of_ranks(struct halos_collection *all, struct halos_run *run,
                               const struct mailing *mailing,
                               const struct collect_key *order) {
    struct comm *comm = &run->comm;
    int64_t *rows = comm_allocate(comm, run->n_halos, sizeof *rows, "subhalos");
    int64_t *first = comm_allocate(comm, comm->size, sizeof *first, "subhalos");
    for (int64_t h = 0; rows && h < run->n_halos; ++h)
        rows[h] = run->rest.before + h;
    int64_t *row = collect_send_back(comm, mailing, order, run->n_halos, rows);
    bool well = row && first && number_parents(comm, all);
    if (well)
        name_halos(all, row);
    well = comm_share(comm, &run->rest.before, sizeof *first, first) &&
           bring_all(run, all, first) && place_all(run);
    free(rows);
    free(row);
    free(first);
    return comm_agree(comm) && well;
}
