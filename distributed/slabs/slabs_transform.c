/* Planes are transformed where they are; then rows go to the ranks whose they are, for the
 * lines along the first axis, some planes of each rank at a time. */
#include "slabs.h"
#include "io/files/numbers.h"
#include "slabs.kernel.h"

#include <stdlib.h>
#include <weft/register.h>
#include <weft/transform.h>

WEFT_GENERATOR(slabs_take, u64, (value, slabs_rows_of, of), (in, u64, planes, 0))
WEFT_KERNEL(slabs_put, (value, slabs_rows_of, of), (in, u64, rows), (out, u64, planes, 0))

enum { WORD = 8 };

static struct slab share(int64_t n, const struct comm *comm, int rank) {
    const int64_t first = io_share(n, rank, comm->size);
    return (struct slab){first, io_share(n, rank + 1, comm->size) - first};
}

struct slab slabs_planes(const struct slabs *slabs, int rank) {
    return share(slabs->n[0], slabs->comm, rank);
}

struct slab slabs_rows(const struct slabs *slabs, int rank) {
    return share(slabs->n[1], slabs->comm, rank);
}

static int64_t most_planes(const struct slabs *slabs) {
    int64_t most = 0;
    for (int rank = 0; rank < slabs->comm->size; ++rank)
        if (slabs_planes(slabs, rank).count > most)
            most = slabs_planes(slabs, rank).count;
    return most;
}

/* Pieces are an eighth of the largest slab's spectrum, but within these bytes. */
enum { LEAST = 4 << 20, MOST = 16 << 20 };

struct slabs slabs_of(struct comm *comm, const int64_t n[3], weft_type type) {
    struct slabs slabs = {comm, {n[0], n[1], n[2]}, 1};
    const int64_t plane = 2 * n[1] * (n[2] / 2 + 1) * (int64_t)WEFT_SIZE(type);
    const int64_t eighth = most_planes(&slabs) * plane / 8;
    const int64_t bytes = eighth < LEAST ? LEAST : eighth > MOST ? MOST : eighth;
    slabs.piece = bytes > plane ? bytes / plane : 1;
    return slabs;
}

bool slabs_check(struct comm *comm, weft_device *device) {
    if (weft_check(device) == WEFT_OK)
        return true;
    io_fail(&comm->error, "%s", weft_error(device));
    return comm_fail(comm, 1);
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The planes of a rank that travel in a round. */
static struct slab planes_of(const struct slabs *slabs, int rank, int64_t round) {
    const struct slab all = slabs_planes(slabs, rank);
    const int64_t before = smaller(round * slabs->piece, all.count);
    return (struct slab){all.first + before, smaller(slabs->piece, all.count - before)};
}

/* One round: spectra of planes here, [planes][n[1]] rows; those for other ranks lie sorted
 * by rank, then plane, then row. What is here as words of 8 bytes. */
struct round {
    const struct slabs *slabs;
    weft_device *device;
    weft_array real, spectrum, words; /* the spectrum as these */
    int64_t number, width;            /* numbers of a row */
    int64_t row;                      /* words of a row */
    struct slab planes, own;
    struct route route; /* rows for and of the others */
    char *out, *in;     /* these on the host */
};

/* Its own rows stay, so that none go to itself. */
static void settle(struct round *r) {
    const struct comm *comm = r->slabs->comm;
    struct route *route = &r->route;
    r->planes = planes_of(r->slabs, comm->rank, r->number);
    route->n_to = route->n_from = 0;
    for (int rank = 0; rank < comm->size; ++rank) {
        const bool other = rank != comm->rank;
        route->to_first[rank] = route->n_to;
        route->from_first[rank] = route->n_from;
        route->to[rank] = other * r->planes.count * slabs_rows(r->slabs, rank).count;
        route->from[rank] =
            other * planes_of(r->slabs, rank, r->number).count * r->own.count;
        route->n_to += route->to[rank];
        route->n_from += route->from[rank];
    }
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
        const struct slab rows = slabs_rows(r->slabs, rank);
        const slabs_rows_of of = {r->slabs->n[1] * r->row, rows.first * r->row,
                                  rows.count * r->row};
        const int64_t n = r->planes.count * of.part;
        const weft_array some =
            rank == comm->rank
                ? part_of(r, rank)
                : weft_slice(r->device, sorted, r->route.to_first[rank] * r->row, n);
        if (back && n > 0)
            weft_for_each(r->device, n, slabs_put, .of = of, .rows = some,
                          .planes = planes);
        else if (n > 0)
            weft_transform(r->device, n, some, slabs_take, .of = of, .planes = planes);
    }
}

/* Between what is here of others' planes and this rank's spectrum. */
static void place(const struct round *r, bool back) {
    const struct comm *comm = r->slabs->comm;
    for (int from = 0; from < comm->size; ++from) {
        char *at = r->in + (size_t)(r->route.from_first[from] * r->row) * WORD;
        if (from != comm->rank && back)
            weft_read(r->device, part_of(r, from), (void *)at);
        else if (from != comm->rank)
            weft_write(r->device, part_of(r, from), (const void *)at);
    }
}

/* The real numbers of the round's planes, to or from their spectra and these to or from
 * rows. */
static void transform_planes(const struct round *r, weft_fourier_direction direction) {
    const int64_t *n = r->slabs->n, count = r->planes.count, area = n[1] * n[2];
    const int64_t before =
        r->planes.first - slabs_planes(r->slabs, r->slabs->comm->rank).first;
    const int64_t sides[3] = {count, n[1], n[2]};
    weft_scope_open(r->device);
    const weft_array real = weft_slice(r->device, r->real, before * area, count * area);
    const weft_array piece = weft_scratch(r->device, r->real.type, count * n[1] * r->width);
    const weft_array planes = weft_as(r->device, piece, WEFT_U64);
    if (direction == WEFT_FOURIER_FORWARD)
        weft_fourier_planes(r->device, sides, direction, real, piece);
    weft_scope_open(r->device);
    const weft_array sorted = weft_scratch(r->device, WEFT_U64, r->route.n_to * r->row);
    if (direction == WEFT_FOURIER_FORWARD) {
        arrange(r, planes, sorted, false);
        weft_read(r->device, sorted, (void *)r->out);
    } else {
        weft_write(r->device, sorted, (const void *)r->out);
        arrange(r, planes, sorted, true);
    }
    weft_scope_close(r->device);
    if (direction == WEFT_FOURIER_INVERSE)
        weft_fourier_planes(r->device, sides, direction, real, piece);
    weft_scope_close(r->device);
}

static bool go_round(struct round *r, weft_fourier_direction direction) {
    struct comm *comm = r->slabs->comm;
    const size_t bytes = (size_t)r->row * WORD;
    const bool back = direction == WEFT_FOURIER_INVERSE;
    settle(r);
    if (back)
        place(r, true);
    else
        transform_planes(r, direction);
    slabs_check(comm, r->device);
    if (!(back ? route_send_back : route_send)(
            comm, &r->route, bytes, back ? r->in : r->out, back ? r->out : r->in))
        return false;
    if (back)
        transform_planes(r, direction);
    else
        place(r, false);
    return true;
}

/* Memory for all rounds, of which the first is the largest. */
static bool begin(struct round *r) {
    struct comm *comm = r->slabs->comm;
    struct route *route = &r->route;
    route->to = comm_allocate(comm, comm->size, 4 * sizeof *route->to, "ranks");
    if (!route->to)
        return comm_agree(comm);
    route->from = route->to + comm->size;
    route->to_first = route->from + comm->size;
    route->from_first = route->to_first + comm->size;
    settle(r);
    r->out = comm_allocate(comm, route->n_to, (size_t)r->row * WORD, "rows of a mesh");
    r->in = comm_allocate(comm, route->n_from, (size_t)r->row * WORD, "rows of a mesh");
    return comm_agree(comm);
}

static bool end(struct round *r, bool well) {
    free(r->route.to), free(r->out), free(r->in);
    return slabs_check(r->slabs->comm, r->device) && well;
}

/* This rank's lines along the first axis. */
static void transform_lines(const struct round *r, weft_fourier_direction direction) {
    weft_fourier_lines(r->device, r->slabs->n[0], r->own.count * r->width / 2, direction,
                       r->spectrum);
}

bool slabs_transform(const struct slabs *slabs, weft_device *device,
                     weft_fourier_direction direction, weft_array real,
                     weft_array spectrum) {
    struct comm *comm = slabs->comm;
    const int64_t width = 2 * (slabs->n[2] / 2 + 1);
    struct round r = {.slabs = slabs,
                      .device = device,
                      .real = real,
                      .spectrum = spectrum,
                      .words = weft_as(device, spectrum, WEFT_U64),
                      .width = width,
                      .row = width * (int64_t)(WEFT_SIZE(real.type)) / WORD,
                      .own = slabs_rows(slabs, comm->rank)};
    const int64_t most = most_planes(slabs);
    bool well = begin(&r);
    if (direction == WEFT_FOURIER_INVERSE)
        transform_lines(&r, direction);
    for (; well && r.number * slabs->piece < most; ++r.number)
        well = go_round(&r, direction);
    if (direction == WEFT_FOURIER_FORWARD && well)
        transform_lines(&r, direction);
    return end(&r, well);
}
