/* Planes are transformed where they are; then rows go to the ranks whose they are, for the
 * lines along the first axis, some planes of each rank at a time. */
#include "slabs.h"
#include "io/files/numbers.h"

#include <stdlib.h>
#include <string.h>

struct slabs slabs_of(struct comm *comm, const int64_t n[3], weft_type type) {
    const int64_t plane = 2 * n[1] * (n[2] / 2 + 1) * (int64_t)WEFT_SIZE(type);
    const int64_t piece = ((int64_t)4 << 20) / plane;
    return (struct slabs){comm, {n[0], n[1], n[2]}, piece > 0 ? piece : 1};
}

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

/* One round: spectra of planes here, [planes][n[1]] rows; rows sorted by the rank whose
 * they are, then plane, then row; and `came`, this rank's rows of all planes that travel,
 * in order. */
struct round {
    const struct slabs *slabs;
    weft_device *device;
    weft_array real, spectrum;
    int64_t number, width; /* numbers of a row */
    size_t bytes;          /* of a row */
    struct slab planes, own;
    struct route route;
    char *rows, *came;
};

/* Rows first .. first + n of those sorted, from where they are in planes or back. */
static void arrange(const struct round *r, int64_t first, int64_t n, char *sorted,
                    bool back) {
    for (int to = 0; to < r->slabs->comm->size; ++to) {
        const struct slab own = slabs_rows(r->slabs, to);
        const int64_t end = r->route.to_first[to] + r->route.to[to];
        while (n > 0 && first < end) {
            const int64_t k = first - r->route.to_first[to], plane = k / own.count;
            const int64_t row = k % own.count, some = smaller(n, own.count - row);
            const int64_t place = plane * r->slabs->n[1] + own.first + row;
            char *at = r->rows + (size_t)place * r->bytes;
            memcpy(back ? at : sorted, back ? sorted : at, (size_t)some * r->bytes);
            sorted += (size_t)some * r->bytes;
            first += some;
            n -= some;
        }
    }
}

static void pack(const void *context, int64_t first, int64_t n, void *out) {
    arrange(context, first, n, out, false);
}

/* Between the rows that came and this rank's spectrum. */
static void place(const struct round *r, bool back) {
    const struct comm *comm = r->slabs->comm;
    char *at = r->came;
    for (int from = 0; from < comm->size; ++from) {
        const struct slab planes = planes_of(r->slabs, from, r->number);
        const int64_t plane = r->own.count * r->width;
        const weft_array part =
            weft_slice(r->device, r->spectrum, planes.first * plane, planes.count * plane);
        if (back)
            weft_read(r->device, part, (void *)at);
        else
            weft_write(r->device, part, (const void *)at);
        at += (size_t)(planes.count * r->own.count) * r->bytes;
    }
}

/* The real numbers of the round's planes, to or from their spectra in `rows`. */
static void transform_planes(const struct round *r, weft_fourier_direction direction) {
    const int64_t *n = r->slabs->n, count = r->planes.count, area = n[1] * n[2];
    const int64_t before =
        r->planes.first - slabs_planes(r->slabs, r->slabs->comm->rank).first;
    weft_scope_open(r->device);
    const weft_array real = weft_slice(r->device, r->real, before * area, count * area);
    const weft_array piece = weft_scratch(r->device, r->real.type, count * n[1] * r->width);
    if (direction == WEFT_FOURIER_INVERSE)
        weft_write(r->device, piece, (const void *)r->rows);
    weft_fourier_planes(r->device, (int64_t[]){count, n[1], n[2]}, direction, real, piece);
    if (direction == WEFT_FOURIER_FORWARD)
        weft_read(r->device, piece, (void *)r->rows);
    weft_scope_close(r->device);
}

static bool find_route(struct round *r) {
    struct comm *comm = r->slabs->comm;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    for (int rank = 0; to && rank < comm->size; ++rank)
        to[rank] = r->planes.count * slabs_rows(r->slabs, rank).count;
    return route_find(comm, to, &r->route);
}

static bool forward(struct round *r) {
    struct comm *comm = r->slabs->comm;
    transform_planes(r, WEFT_FOURIER_FORWARD);
    slabs_check(comm, r->device);
    const bool well = route_send_packed(comm, &r->route, r->bytes, pack, r, r->came);
    if (well)
        place(r, false);
    return well;
}

static bool inverse(struct round *r) {
    struct comm *comm = r->slabs->comm;
    char *sorted = comm_allocate(comm, r->route.n_to, r->bytes, "rows of a mesh");
    place(r, true);
    slabs_check(comm, r->device);
    const bool well = route_send_back(comm, &r->route, r->bytes, r->came, sorted);
    if (well) {
        arrange(r, 0, r->route.n_to, sorted, true);
        transform_planes(r, WEFT_FOURIER_INVERSE);
    }
    free(sorted);
    return well;
}

static bool go_round(struct round *r, weft_fourier_direction direction) {
    struct comm *comm = r->slabs->comm;
    r->planes = planes_of(r->slabs, comm->rank, r->number);
    bool well = find_route(r);
    if (well) {
        r->rows = comm_allocate(comm, r->route.n_to, r->bytes, "rows of a mesh");
        r->came = comm_allocate(comm, r->route.n_from, r->bytes, "rows of a mesh");
        if (!r->rows || !r->came)
            well = comm_agree(comm); /* with those that go on */
        else
            well = direction == WEFT_FOURIER_FORWARD ? forward(r) : inverse(r);
        free(r->rows), free(r->came);
    }
    route_free(&r->route);
    return well;
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
    struct round r = {.slabs = slabs,
                      .device = device,
                      .real = real,
                      .spectrum = spectrum,
                      .width = 2 * (slabs->n[2] / 2 + 1),
                      .own = slabs_rows(slabs, comm->rank)};
    int64_t most = 0;
    bool well = true;
    r.bytes = (size_t)r.width * WEFT_SIZE(real.type);
    for (int rank = 0; rank < comm->size; ++rank)
        if (slabs_planes(slabs, rank).count > most)
            most = slabs_planes(slabs, rank).count;
    if (direction == WEFT_FOURIER_INVERSE)
        transform_lines(&r, direction);
    for (; well && r.number * slabs->piece < most; ++r.number)
        well = go_round(&r, direction);
    if (direction == WEFT_FOURIER_FORWARD && well)
        transform_lines(&r, direction);
    return slabs_check(comm, device) && well;
}
