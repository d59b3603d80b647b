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
    const struct halos_subhalos *more = &run->subhalos;
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

/* Rows of all ranks before this one come before its own. */
static bool shift_to_ranks(struct halos_collection *all, struct comm *comm) {
    const int64_t mine[] = {all->n_halos, all->subhalos.n};
    int64_t before[] = {0, 0};
    int64_t *of = comm_allocate(comm, 2 * (int64_t)comm->size, sizeof *of, "subhalos");
    const bool well = comm_share(comm, mine, sizeof mine, of);
    for (int r = 0; well && r < comm->rank; ++r) {
        before[0] += of[2 * r];
        before[1] += of[2 * r + 1];
    }
    free(of);
    if (well) {
        shift(&all->subhalos.columns, "halo", mine[1], before[0]);
        shift(&all->subhalos.columns, "parent", mine[1], before[1]);
    }
    return well;
}

/* place [n]: where each goes, if those of halo row[k] go to halo k; halos are named anew.
 */
static bool find_places(struct comm *comm, int64_t halos, const int64_t *row, int64_t n,
                        int64_t *halo, int64_t *place) {
    int64_t *now = comm_allocate(comm, halos, sizeof *now, "the order of subhalos");
    int64_t *first = comm_allocate(comm, halos + 1, sizeof *first, "the order of subhalos");
    const bool well = now && first;
    for (int64_t k = 0; well && k < halos; ++k) {
        now[row[k]] = k;
        first[k + 1] = 0;
    }
    for (int64_t s = 0; well && s < n; ++s)
        ++first[(halo[s] = now[halo[s]]) + 1];
    if (well)
        first[0] = 0;
    for (int64_t k = 0; well && k < halos; ++k)
        first[k + 1] += first[k];
    for (int64_t s = 0; well && s < n; ++s)
        place[s] = first[halo[s]]++;
    free(now);
    free(first);
    return well;
}

/* Members in the order of their subhalos, whose places are given, and the offsets of these.
 */
static bool place_members(struct comm *comm, const int64_t *count, const int64_t *place,
                          struct halos_subhalos *s) {
    s->offset = comm_allocate(comm, s->n + 1, sizeof *s->offset, "subhalos");
    if (s->offset == NULL)
        return false;
    s->offset[0] = 0;
    for (int64_t k = 0; k < s->n; ++k)
        s->offset[place[k] + 1] = count[k];
    for (int64_t k = 0; k < s->n; ++k)
        s->offset[k + 1] += s->offset[k];
    if (s->member_id == NULL)
        return true;
    const int64_t *from = s->member_id;
    int64_t *id = comm_allocate(comm, s->offset[s->n], sizeof *id, "members of subhalos");
    for (int64_t k = 0; id && k < s->n; from += count[k++])
        memcpy(id + s->offset[place[k]], from, (size_t)count[k] * sizeof *id);
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

static bool place_all(struct comm *comm, int64_t halos, const int64_t *row,
                      struct halos_subhalos *s) {
    int64_t *place = comm_allocate(comm, s->n, sizeof *place, "the order of subhalos");
    int64_t *halo = (int64_t *)(uintptr_t)halos_columns_find(&s->columns, "halo");
    int64_t *parent = (int64_t *)(uintptr_t)halos_columns_find(&s->columns, "parent");
    bool well = place && find_places(comm, halos, row, s->n, halo, place) &&
                place_members(comm, halos_columns_find(&s->columns, "count"), place, s);
    for (int64_t k = 0; well && k < s->n; ++k)
        parent[k] = parent[k] < 0 ? parent[k] : place[parent[k]];
    well = well && place_rows(comm, &s->columns, s->n, place);
    free(place);
    return well;
}

bool collect_subhalos_of_ranks(struct halos_collection *all, struct halos_run *run,
                               const int64_t *row) {
    struct comm *comm = &run->comm;
    struct halos_subhalos *from = &all->subhalos, *to = &run->subhalos;
    struct mailing mailing;
    bool well = shift_to_ranks(all, comm) &&
                mailing_plan(comm, from->n, collect_to_first, NULL, &mailing);
    if (!well)
        return comm_agree(comm);
    to->n = mailing.route.n_from;
    well = collect_bring(comm, &mailing, &from->columns, &to->columns);
    mailing_free(&mailing);
    if (well && run->options.members) {
        well = mailing_plan(comm, all->n_subhalo_members, collect_to_first, NULL, &mailing);
        to->member_id =
            well ? mailing_send(comm, &mailing, sizeof *to->member_id, from->member_id)
                 : NULL;
        mailing_free(&mailing);
        well = to->member_id != NULL;
    }
    if (well)
        place_all(comm, run->n_halos, row, to);
    return comm_agree(comm);
}
