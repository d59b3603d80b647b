/* Cells on their way between ranks: sums of slabs to those who add them up, and from there
 * to the first, which writes the file. */
#include "io/crew/crew.h"
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

static bool bring(struct comm *comm, int from, int64_t rows, size_t row_bytes,
                  const int64_t *sums, int64_t **here) {
    struct route route;
    const bool sends = comm->rank == from;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "what goes where");
    for (int r = 0; to && r < comm->size; ++r)
        to[r] = sends && r == 0 ? rows : 0;
    if (!route_find(comm, to, &route))
        return false;
    if (comm->rank == 0)
        *here = comm_allocate(comm, rows, row_bytes, "the cells of another rank");
    const bool done = route_send(comm, &route, row_bytes, sums, *here);
    route_free(&route);
    return done;
}

bool sheet_bring(struct comm *comm, int from, int64_t cells, const int each[SHEET_SUMS],
                 int64_t *const sums[SHEET_SUMS], int64_t *here[SHEET_SUMS]) {
    bool done = true;
    for (int k = 0; k < SHEET_SUMS && done; ++k)
        if (each[k] && k != SHEET_OFF)
            done = bring(comm, from, cells, (size_t)each[k] * sizeof **sums, sums[k],
                         &here[k]);
    return done;
}

/* Rows to one rank, and those that one has for this. */
static bool pass(struct comm *comm, int to, int64_t n, size_t row_bytes,
                 const int64_t *rows, int64_t *came) {
    struct route route;
    int64_t *counts = comm_allocate(comm, comm->size, sizeof *counts, "what goes where");
    for (int r = 0; counts && r < comm->size; ++r)
        counts[r] = r == to ? n : 0;
    const bool done =
        route_find(comm, counts, &route) && route_send(comm, &route, row_bytes, rows, came);
    route_free(&route);
    return done;
}

/* Planes of rank `from` that its slab touches, and to which of this rank's they are added:
 * in `sums`, or where the rank's own come last in `slab`, if that has them. */
struct more {
    const struct sheet_run *run;
    int from;
    struct sheet_share mine;
    int64_t row;
    const int64_t *came;
    int64_t *sums, *slab; /* slab NULL where its own are in sums */
};

/* Where the next plane of this rank's goes: those of slab are `*there` on. */
static int64_t *next_plane(const struct more *more, int64_t p, int64_t *there) {
    const struct sheet_share plane = {more->mine.first + p, 1};
    if (more->slab == NULL || sheet_touched(more->run, more->run->comm->rank, plane) == 0)
        return more->sums + p * more->row;
    return more->slab + (*there)++ * more->row;
}

static void add_some(void *context, int64_t begin, int64_t end, int part) {
    const struct more *more = context;
    const int64_t row = more->row;
    int64_t at = 0, there = 0; /* of the numbers that came, that of the plane's first */
    (void)part;
    for (int64_t p = 0; p < more->mine.count && at < end; ++p) {
        const struct sheet_share plane = {more->mine.first + p, 1};
        int64_t *to = next_plane(more, p, &there);
        if (sheet_touched(more->run, more->from, plane) == 0)
            continue;
        for (int64_t k = begin > at ? begin - at : 0; k < row && at + k < end; ++k)
            to[k] += more->came[at + k];
        at += row;
    }
}

/* Whether some rank has planes for another in a round, in that piece of shares. */
static bool is_sent(const struct sheet_run *run, int64_t turn, int round, int64_t part) {
    const int size = run->comm->size;
    int64_t planes = 0;
    for (int r = 0; r < size; ++r) {
        const struct sheet_share theirs = sheet_share(run, turn, (r + round) % size);
        planes += sheet_touched(run, r, sheet_part(run, theirs, part));
    }
    return planes > 0;
}

/* What a rank's own slab has of its planes. */
struct own {
    const struct sheet_run *run;
    int64_t turn, row;
    const int64_t *slab;
    int64_t *sums;
};

static void take_own(void *context, int64_t begin, int64_t end, int part) {
    const struct own *own = context;
    const int rank = own->run->comm->rank;
    const int64_t row = own->row, first = sheet_share(own->run, own->turn, rank).first;
    const int64_t before = sheet_touched_before(own->run, rank, own->turn, rank);
    (void)part;
    for (int64_t k = begin; k < end;) {
        const int64_t p = k / row, stop = (p + 1) * row < end ? (p + 1) * row : end;
        const size_t bytes = (size_t)(stop - k) * sizeof *own->sums;
        if (sheet_touched(own->run, rank, (struct sheet_share){first + p, 1}) == 0) {
            memset(own->sums + k, 0, bytes);
        } else {
            const int64_t there =
                before + sheet_touched(own->run, rank, (struct sheet_share){first, p});
            memcpy(own->sums + k, own->slab + there * row + k % row, bytes);
        }
        k = stop;
    }
}

/* One kind of sums: a rank's own, unless they come last, then each round another pair of
 * ranks, piece by piece, so that no rank has more than that of others at once. */
static bool sum(struct sheet_run *run, bool own_last, int64_t turn, int64_t row,
                int64_t *slab, int64_t *sums, int64_t *came) {
    struct comm *comm = run->comm;
    const int size = comm->size, rank = comm->rank;
    const struct sheet_share mine = sheet_share(run, turn, rank);
    struct own own = {run, turn, row, slab, sums};
    bool done = true;
    if (mine.count > 0 && !own_last)
        crew_run(comm->threads, mine.count * row, take_own, &own);
    for (int round = 1; round < size && done; ++round) {
        const int to = (rank + round) % size, from = (rank - round + size) % size;
        const struct sheet_share theirs = sheet_share(run, turn, to);
        const int64_t *rows = slab + sheet_touched_before(run, rank, turn, to) * row;
        for (int64_t part = 0; part < run->pieces && done; ++part) {
            const struct sheet_share here = sheet_part(run, mine, part);
            const int64_t n = sheet_touched(run, rank, sheet_part(run, theirs, part));
            const struct sheet_share past = {mine.first, here.first - mine.first};
            struct more more = {run, from, here, row, came, sums + past.count * row, NULL};
            if (!is_sent(run, turn, round, part)) /* as all ranks know */
                continue;
            if (own_last && here.count > 0)
                more.slab = slab + (sheet_touched_before(run, rank, turn, rank) +
                                    sheet_touched(run, rank, past)) *
                                       row;
            done = pass(comm, to, n, (size_t)row * sizeof *sums, rows, came);
            if (done)
                crew_run(comm->threads, sheet_touched(run, from, here) * row, add_some,
                         &more);
            rows += n * row;
        }
    }
    return done;
}

bool sheet_sum(struct sheet_run *run, int64_t turn, const int each[SHEET_SUMS],
               int64_t *const slab[SHEET_SUMS], int64_t *const sums[SHEET_SUMS],
               int64_t *came) {
    bool done = true;
    for (int k = 0; k < SHEET_SUMS && done; ++k)
        if (each[k])
            done = sum(run, k != SHEET_OFF && sheet_is_far(run), turn,
                       each[k] * sheet_plane(run), slab[k], sums[k], came);
    return done;
}
