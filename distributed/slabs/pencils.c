/* Planes go to the ranks of a slab by lines along the last axis; when these are
 * transformed, to the same ranks by columns, for the lines along the second axis. */
#include "pencils.h"
#include "parts.h"

#include <stdlib.h>

struct pencils {
    const struct slabs *slabs;
    weft_device *device;
    weft_type type;
    int first, end;          /* ranks of the slab */
    struct slab planes, own; /* of the slab; of these the rank's own */
    int64_t lines, columns;  /* of this rank */
    int64_t length, words;   /* of a line, complex; of each number of it */
    struct route route;
};

struct slab pencils_own(const struct slabs *slabs, int rank, struct slab planes) {
    const struct slab all = slabs_planes(slabs, rank);
    const int64_t first = all.first > planes.first ? all.first : planes.first;
    const int64_t end = all.first + all.count, last = planes.first + planes.count;
    const int64_t count = (end < last ? end : last) - first;
    return count > 0 ? (struct slab){first, count} : (struct slab){all.first, 0};
}

/* The part of something that a rank has, which the ranks of the slab share. */
typedef struct slab share_of(const struct slabs *slabs, int rank);

/* Rows of `whole` parts of so many words, which lie as they are in `rows`, and sorted by
 * the ranks whose they are. */
static void arrange(const struct pencils *p, int64_t count, share_of *share, int64_t whole,
                    int64_t words, weft_array rows, weft_array sorted, bool back) {
    for (int rank = p->first; rank < p->end; ++rank) {
        const struct slab part = share(p->slabs, rank);
        const slabs_rows_of of = {whole * words, part.first * words, part.count * words};
        parts_move(p->device, count, of, rows,
                   weft_slice(p->device, sorted, count * of.first, count * of.part), back);
    }
}

/* Sends what is sorted by ranks to these, and gets what lies `here` by those it is from; or
 * back. Of rows, of so many words, there are as many as the route says. */
static bool exchange(const struct pencils *p, int64_t words, weft_array sorted,
                     weft_array here, bool back) {
    struct comm *comm = p->slabs->comm;
    const size_t bytes = (size_t)words * PARTS_WORD;
    char *out = comm_allocate(comm, p->route.n_to, bytes, "rows of a mesh");
    char *in = comm_allocate(comm, p->route.n_from, bytes, "rows of a mesh");
    if (out && in)
        weft_read(p->device, back ? here : sorted, (void *)(back ? in : out));
    slabs_check(comm, p->device);
    const bool well = (back ? route_send_back : route_send)(
        comm, &p->route, bytes, back ? in : out, back ? out : in);
    if (well)
        weft_write(p->device, back ? sorted : here, (const void *)(back ? out : in));
    free(out), free(in);
    return well;
}

/* So many rows go to a rank of the slab, and so many come from there. */
static void add(struct route *route, int rank, int64_t to, int64_t from) {
    route->to[rank] = to;
    route->from[rank] = from;
    route->to_first[rank] = route->n_to;
    route->from_first[rank] = route->n_from;
    route->n_to += to;
    route->n_from += from;
}

/* Between this rank's planes and its lines of all planes. */
static bool move_lines(struct pencils *p, weft_array real, weft_array lines, bool back) {
    const struct slabs *slabs = p->slabs;
    const int64_t *n = slabs->n, words = n[2] / 2 * p->words;
    const weft_array rows = weft_as(p->device, real, WEFT_U64);
    const weft_array sorted =
        weft_scratch(p->device, WEFT_U64, p->own.count * n[1] * words);
    p->route.n_to = p->route.n_from = 0;
    for (int rank = p->first; rank < p->end; ++rank)
        add(&p->route, rank, p->own.count * slabs_lines(slabs, rank).count,
            pencils_own(slabs, rank, p->planes).count * p->lines);
    if (!back)
        arrange(p, p->own.count, slabs_lines, n[1], words, rows, sorted, false);
    const bool well = exchange(p, words, sorted, weft_as(p->device, lines, WEFT_U64), back);
    if (back && well)
        arrange(p, p->own.count, slabs_lines, n[1], words, rows, sorted, true);
    return well;
}

/* Between its lines along the last axis and its columns, of all planes. */
static bool move_columns(struct pencils *p, weft_array lines, weft_array columns,
                         bool back) {
    const struct slabs *slabs = p->slabs;
    const int64_t n = slabs->n[1], count = p->planes.count, rows = count * p->lines;
    const weft_array from = weft_as(p->device, lines, WEFT_U64);
    const weft_array to = weft_as(p->device, columns, WEFT_U64);
    const weft_array sorted = weft_scratch(p->device, WEFT_U64, from.length);
    const weft_array here = weft_scratch(p->device, WEFT_U64, to.length);
    p->route.n_to = p->route.n_from = 0;
    for (int rank = p->first; rank < p->end; ++rank)
        add(&p->route, rank, rows * slabs_columns(slabs, rank).count,
            count * slabs_lines(slabs, rank).count * p->columns);
    if (back)
        arrange(p, count, slabs_lines, n, p->columns * p->words, to, here, false);
    else
        arrange(p, rows, slabs_columns, p->length, p->words, from, sorted, false);
    const bool well = exchange(p, p->words, sorted, here, back);
    if (back && well)
        arrange(p, rows, slabs_columns, p->length, p->words, from, sorted, true);
    else if (well)
        arrange(p, count, slabs_lines, n, p->columns * p->words, to, here, true);
    return well;
}

/* Lines along the second axis, plane by plane. */
static void transform_columns(const struct pencils *p, weft_fourier_direction direction,
                              weft_array columns) {
    const int64_t n = p->slabs->n[1], plane = 2 * n * p->columns;
    for (int64_t k = 0; k < p->planes.count; ++k)
        weft_fourier_lines(p->device, n, p->columns, direction,
                           weft_slice(p->device, columns, k * plane, plane));
}

static bool transform(struct pencils *p, weft_fourier_direction direction, weft_array real,
                      weft_array columns) {
    const int64_t *n = p->slabs->n, rows = p->planes.count * p->lines;
    const int64_t sides[3] = {rows, 1, n[2]};
    const weft_array numbers = weft_scratch(p->device, real.type, rows * n[2]);
    const weft_array waves = weft_scratch(p->device, real.type, 2 * rows * p->length);
    if (direction == WEFT_FOURIER_FORWARD) {
        bool well = move_lines(p, real, numbers, false);
        weft_fourier_planes(p->device, sides, direction, numbers, waves);
        well = well && move_columns(p, waves, columns, false);
        transform_columns(p, direction, columns);
        return well;
    }
    transform_columns(p, direction, columns);
    const bool well = move_columns(p, waves, columns, true);
    weft_fourier_planes(p->device, sides, direction, numbers, waves);
    return well && move_lines(p, real, numbers, true);
}

bool pencils_planes(const struct slabs *slabs, weft_device *device,
                    weft_fourier_direction direction, struct slab planes, weft_array real,
                    weft_array columns) {
    struct comm *comm = slabs->comm;
    const int first = comm->rank / slabs->each * slabs->each;
    const int end = first + slabs->each;
    struct pencils p = {
        .slabs = slabs,
        .device = device,
        .first = first,
        .end = end < comm->size ? end : comm->size,
        .planes = planes,
        .own = pencils_own(slabs, comm->rank, planes),
        .lines = slabs_lines(slabs, comm->rank).count,
        .columns = slabs_columns(slabs, comm->rank).count,
        .length = slabs->n[2] / 2 + 1,
        .words = 2 * (int64_t)WEFT_SIZE(real.type) / PARTS_WORD,
    };
    p.route = slabs_route(comm);
    if (!p.route.to)
        return comm_agree(comm);
    weft_scope_open(device);
    const bool well = transform(&p, direction, real, columns);
    weft_scope_close(device);
    free(p.route.to);
    return well;
}
