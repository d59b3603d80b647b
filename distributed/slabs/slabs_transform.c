/* Planes are transformed where they are, or with the ranks that share them; then rows go to
 * the ranks whose they are, for the lines along the first axis, some planes of each slab at
 * a time. */
#include "parts.h"
#include "pencils.h"

#include <stdlib.h>
#include <weft/transform.h>

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The planes of a rank's slab that travel in a round. */
static struct slab planes_of(const struct slabs *slabs, int rank, int64_t round) {
    const struct slab all = slabs_shared(slabs, rank);
    const int64_t before = smaller(round * slabs->piece, all.count);
    return (struct slab){all.first + before, smaller(slabs->piece, all.count - before)};
}

/* One round: spectra of planes here, [planes][n[1]] rows; those for other ranks lie sorted
 * by rank, then plane, then row. What is here as words of 8 bytes. */
struct round {
    const struct slabs *slabs;
    weft_device *device;
    weft_array real, spectrum, words; /* the spectrum as these */
    int64_t number;
    int64_t columns, word; /* numbers of a row, words of each */
    int64_t row;           /* words of a row */
    struct slab planes, own;
    struct route route;                 /* numbers of rows for and of the others */
    char *out, *in;                     /* these on the host */
    const struct comm_shelves *shelves; /* NULL: they travel as messages */
    struct slabs_room room;
};

/* Whether two ranks have the same columns. */
static bool are_peers(const struct slabs *slabs, int rank, int other) {
    return rank != other && rank % slabs->each == other % slabs->each;
}

static bool is_peer(const struct slabs *slabs, int rank) {
    return are_peers(slabs, slabs->comm->rank, rank);
}

/* Those that travel lie on this rank's shelf, one way and the other. */
static char *shelf_of(const struct round *r, int rank) {
    return r->shelves->of[rank] + (size_t)(r->number % 2) * r->shelves->bytes;
}

/* Where on its shelf another rank lays what this one takes: forward it lays its planes'
 * rows for all its peers in turn, back its rows of all their planes. */
static char *place_on(const struct round *r, int rank, bool back) {
    const struct slabs *slabs = r->slabs;
    int64_t rows = 0;
    for (int k = 0; k < slabs->comm->rank; ++k) {
        const int whose_planes = back ? k : rank, whose_rows = back ? rank : k;
        if (are_peers(slabs, rank, k))
            rows += planes_of(slabs, whose_planes, r->number).count *
                    slabs_rows(slabs, whose_rows).count;
    }
    return shelf_of(r, rank) + (size_t)(rows * r->row) * PARTS_WORD;
}

/* Its own rows stay, so that none go to itself. */
static void settle(struct round *r) {
    const struct comm *comm = r->slabs->comm;
    struct route *route = &r->route;
    r->planes = planes_of(r->slabs, comm->rank, r->number);
    route->n_to = route->n_from = 0;
    for (int rank = 0; rank < comm->size; ++rank) {
        const int64_t columns = is_peer(r->slabs, rank) ? r->columns : 0;
        route->to_first[rank] = route->n_to;
        route->from_first[rank] = route->n_from;
        route->to[rank] = r->planes.count * slabs_rows(r->slabs, rank).count * columns;
        route->from[rank] =
            planes_of(r->slabs, rank, r->number).count * r->own.count * columns;
        route->n_to += route->to[rank];
        route->n_from += route->from[rank];
    }
    if (r->shelves)
        r->out = r->in = shelf_of(r, comm->rank);
}

/* Rows to the others, or back to those that they are of. */
static bool send(struct round *r, bool back) {
    struct comm *comm = r->slabs->comm;
    const struct route *route = &r->route;
    const size_t bytes = (size_t)r->word * PARTS_WORD;
    slabs_check(comm, r->device);
    if (r->shelves)
        return comm_laid(comm, (back ? route->n_from : route->n_to) * (int64_t)bytes);
    return back ? route_send_back(comm, route, bytes, r->in, r->out)
                : route_send(comm, route, bytes, r->out, r->in);
}

/* This rank's rows of the planes that `from` sends. */
static weft_array part_of(const struct round *r, int from) {
    const struct slab planes = planes_of(r->slabs, from, r->number);
    const int64_t plane = r->own.count * r->row;
    return weft_slice(r->device, r->words, planes.first * plane, planes.count * plane);
}

/* Between planes and the rows of each rank: the own ones, and those of others in turn. */
static void arrange(const struct round *r, weft_array planes, weft_array sorted,
                    bool back) {
    const struct comm *comm = r->slabs->comm;
    for (int rank = 0; rank < comm->size; ++rank) {
        const bool mine = rank == comm->rank;
        const struct slab rows = slabs_rows(r->slabs, rank);
        const slabs_rows_of of = {r->slabs->n[1] * r->row, rows.first * r->row,
                                  rows.count * r->row};
        if (mine || is_peer(r->slabs, rank))
            parts_move(r->device, r->planes.count, of, planes,
                       mine ? part_of(r, rank)
                            : weft_slice(r->device, sorted,
                                         r->route.to_first[rank] * r->word,
                                         r->planes.count * of.part),
                       back);
    }
}

/* Between what is here of others' planes, one rank's behind the other's, and this rank's
 * spectrum: on a device, or on the host. */
static void place(const struct round *r, weft_array here, bool back) {
    const struct comm *comm = r->slabs->comm;
    for (int from = 0; from < comm->size; ++from) {
        const weft_array part = part_of(r, from);
        const int64_t first = r->route.from_first[from] * r->word;
        if (!is_peer(r->slabs, from))
            continue;
        char *at = r->shelves && !back ? place_on(r, from, back)
                                       : r->in + (size_t)first * PARTS_WORD;
        if (here.type) {
            const weft_array its = weft_slice(r->device, here, first, part.length);
            weft_copy(r->device, back ? part : its, back ? its : part);
        } else if (back) {
            weft_read(r->device, part, (void *)at);
        } else {
            weft_write(r->device, part, (const void *)at);
        }
    }
}

/* The same by way of the host. What travels as messages to a device of its own does so at
 * once, which takes several threads where it is large. */
static void place_rows(const struct round *r, bool back) {
    weft_scope_open(r->device);
    const bool apart = weft_device_style(r->device) == WEFT_SIMT && !r->shelves;
    const weft_array here =
        apart ? weft_scratch(r->device, WEFT_U64, r->route.n_from * r->word)
              : (weft_array){0};
    if (apart && !back)
        weft_write(r->device, here, (const void *)r->in);
    place(r, here, back);
    if (apart && back)
        weft_read(r->device, here, (void *)r->in);
    weft_scope_close(r->device);
}

/* The real numbers of the round's planes, to or from their spectra. */
static bool transform_planes(const struct round *r, weft_fourier_direction direction,
                             weft_array piece) {
    const struct slabs *slabs = r->slabs;
    const int64_t *n = slabs->n, area = n[1] * n[2];
    const struct slab own = pencils_own(slabs, slabs->comm->rank, r->planes);
    const int64_t before = own.first - slabs_planes(slabs, slabs->comm->rank).first;
    const int64_t sides[3] = {own.count, n[1], n[2]};
    const weft_array real = weft_slice(r->device, r->real, before * area, own.count * area);
    if (slabs->each > 1)
        return pencils_planes(slabs, r->device, direction, r->planes, real, piece);
    weft_fourier_planes(r->device, sides, direction, real, piece);
    return true;
}

/* What came back from other ranks, sorted by these. */
static void take_back(const struct round *r, weft_array sorted) {
    const struct route *route = &r->route;
    if (!r->shelves)
        weft_write(r->device, sorted, (const void *)r->out);
    for (int rank = 0; r->shelves && rank < r->slabs->comm->size; ++rank)
        if (is_peer(r->slabs, rank))
            weft_write(r->device,
                       weft_slice(r->device, sorted, route->to_first[rank] * r->word,
                                  route->to[rank] * r->word),
                       (const void *)place_on(r, rank, true));
}

/* These spectra, to or from rows. */
static void sort_planes(const struct round *r, weft_array piece, bool back) {
    const weft_array planes = weft_as(r->device, piece, WEFT_U64);
    weft_scope_open(r->device);
    const weft_array sorted = weft_scratch(r->device, WEFT_U64, r->route.n_to * r->word);
    if (back)
        take_back(r, sorted);
    arrange(r, planes, sorted, back);
    if (!back)
        weft_read(r->device, sorted, (void *)r->out);
    weft_scope_close(r->device);
}

static bool forward(struct round *r, weft_array piece) {
    if (!transform_planes(r, WEFT_FOURIER_FORWARD, piece))
        return false;
    sort_planes(r, piece, false);
    if (!send(r, false))
        return false;
    place_rows(r, false);
    return true;
}

static bool inverse(struct round *r, weft_array piece) {
    place_rows(r, true);
    if (!send(r, true))
        return false;
    sort_planes(r, piece, true);
    return transform_planes(r, WEFT_FOURIER_INVERSE, piece);
}

static bool go_round(struct round *r, weft_fourier_direction direction) {
    settle(r);
    weft_scope_open(r->device);
    const weft_array piece = weft_scratch(
        r->device, r->real.type, 2 * r->planes.count * r->slabs->n[1] * r->columns);
    const bool well =
        direction == WEFT_FOURIER_INVERSE ? inverse(r, piece) : forward(r, piece);
    weft_scope_close(r->device);
    return well;
}

/* Those of the ranks where what a rank lays at a time fits; the same for all ranks. */
static const struct comm_shelves *shelves_for(const struct slabs *slabs, weft_type type) {
    const struct comm_shelves *shelves = slabs->shelves;
    const int64_t planes = smaller(slabs->piece, slabs_most(slabs)), n = slabs->n[1];
    const int64_t columns = (slabs->n[2] / 2 + slabs->each) / slabs->each;
    const int64_t others = slabs->count - 1, all = (n + others) / slabs->count;
    const int64_t rows = n - smaller(n / slabs->count, n - all * others);
    const int64_t bytes = planes * rows * columns * 2 * (int64_t)WEFT_SIZE(type);
    return shelves && shelves->of && bytes <= (int64_t)shelves->bytes ? shelves : NULL;
}

/* Memory for all rounds, of which the first is the largest. */
static bool begin(struct round *r) {
    struct comm *comm = r->slabs->comm;
    struct route *route = &r->route;
    *route = slabs_route(comm);
    if (!route->to)
        return comm_agree(comm);
    settle(r);
    if (r->shelves)
        return comm_agree(comm);
    const size_t out = (size_t)(route->n_to * r->word) * PARTS_WORD;
    const size_t in = (size_t)(route->n_from * r->word) * PARTS_WORD;
    r->room = parts_take_room(r->slabs, out + in);
    r->out = r->room.memory;
    r->in = r->out ? r->out + out : NULL;
    return comm_agree(comm);
}

static bool end(struct round *r, bool well) {
    free(r->route.to);
    if (!r->shelves)
        parts_leave_room(r->slabs, r->room);
    return slabs_check(r->slabs->comm, r->device) && well;
}

/* This rank's lines along the first axis. */
static void transform_lines(const struct round *r, weft_fourier_direction direction) {
    weft_fourier_lines(r->device, r->slabs->n[0], r->own.count * r->columns, direction,
                       r->spectrum);
}

bool slabs_transform(const struct slabs *slabs, weft_device *device,
                     weft_fourier_direction direction, weft_array real,
                     weft_array spectrum) {
    struct comm *comm = slabs->comm;
    const int64_t columns = slabs_columns(slabs, comm->rank).count;
    const int64_t word = 2 * (int64_t)WEFT_SIZE(real.type) / PARTS_WORD;
    struct round r = {.slabs = slabs,
                      .device = device,
                      .real = real,
                      .spectrum = spectrum,
                      .words = weft_as(device, spectrum, WEFT_U64),
                      .columns = columns,
                      .word = word,
                      .row = columns * word,
                      .own = slabs_rows(slabs, comm->rank),
                      .shelves = shelves_for(slabs, real.type)};
    const int64_t rounds = (slabs_most(slabs) + slabs->piece - 1) / slabs->piece;
    bool well = begin(&r);
    if (direction == WEFT_FOURIER_INVERSE)
        transform_lines(&r, direction);
    for (; well && r.number < rounds; ++r.number)
        well = go_round(&r, direction);
    if (direction == WEFT_FOURIER_FORWARD && well)
        transform_lines(&r, direction);
    return end(&r, well);
}
