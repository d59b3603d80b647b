/* Numbers that belong to the spectrum, from the rows of each rank back to planes. */
#include "parts.h"
#include "pencils.h"

#include <stdlib.h>
#include <string.h>

/* One round: some planes of each rank. What goes to each and comes from each is whole
 * planes of a rank's rows, one after the other. */
struct back {
    const struct slabs *slabs;
    weft_device *device;
    weft_array rows, planes;
    int64_t number;
    struct route route;   /* numbers for and of each rank */
    char *out, *in, *all; /* on the host; planes, put together */
};

static int64_t block_of(const struct slabs *slabs, int rank) {
    return slabs_rows(slabs, rank).count * slabs_columns(slabs, rank).count;
}

/* The planes of a rank in this round. */
static struct slab planes_of(const struct back *b, int rank) {
    const struct slab all = slabs_planes(b->slabs, rank);
    const int64_t before = b->number * b->slabs->piece;
    if (before >= all.count)
        return (struct slab){all.first, 0};
    const int64_t left = all.count - before;
    return (struct slab){all.first + before,
                         left < b->slabs->piece ? left : b->slabs->piece};
}

static void settle(struct back *b) {
    const struct comm *comm = b->slabs->comm;
    struct route *route = &b->route;
    const int64_t mine = block_of(b->slabs, comm->rank);
    const int64_t here = planes_of(b, comm->rank).count;
    route->n_to = route->n_from = 0;
    for (int rank = 0; rank < comm->size; ++rank) {
        route->to_first[rank] = route->n_to;
        route->from_first[rank] = route->n_from;
        route->n_to += route->to[rank] = planes_of(b, rank).count * mine;
        route->n_from += route->from[rank] = here * block_of(b->slabs, rank);
    }
}

static void read_rows(const struct back *b) {
    const struct comm *comm = b->slabs->comm;
    const int64_t mine = block_of(b->slabs, comm->rank);
    for (int rank = 0; rank < comm->size; ++rank)
        weft_read(b->device,
                  weft_slice(b->device, b->rows, planes_of(b, rank).first * mine,
                             b->route.to[rank]),
                  (void *)(b->out + (size_t)b->route.to_first[rank] * PARTS_WORD));
}

/* A rank's rows into the planes. */
static void put(const struct back *b, int rank, int64_t planes) {
    const int64_t *n = b->slabs->n, half = n[2] / 2 + 1;
    const struct slab rows = slabs_rows(b->slabs, rank);
    const struct slab columns = slabs_columns(b->slabs, rank);
    const size_t bytes = (size_t)columns.count * PARTS_WORD;
    const char *from = b->in + (size_t)b->route.from_first[rank] * PARTS_WORD;
    for (int64_t x = 0; x < planes; ++x)
        for (int64_t y = 0; y < rows.count; ++y, from += bytes) {
            const int64_t at = (x * n[1] + rows.first + y) * half + columns.first;
            memcpy(b->all + (size_t)at * PARTS_WORD, from, bytes);
        }
}

static void write_planes(const struct back *b) {
    const struct comm *comm = b->slabs->comm;
    const int64_t area = b->slabs->n[1] * (b->slabs->n[2] / 2 + 1);
    const struct slab here = planes_of(b, comm->rank);
    const int64_t before = here.first - slabs_planes(b->slabs, comm->rank).first;
    for (int rank = 0; rank < comm->size; ++rank)
        put(b, rank, here.count);
    weft_write(b->device,
               weft_slice(b->device, b->planes, before * area, here.count * area),
               (const void *)b->all);
}

static bool go_round(struct back *b) {
    struct comm *comm = b->slabs->comm;
    settle(b);
    read_rows(b);
    slabs_check(comm, b->device);
    if (!route_send(comm, &b->route, PARTS_WORD, b->out, b->in))
        return false;
    write_planes(b);
    return true;
}

/* Memory for all rounds, of which the first is the largest. */
static bool begin(struct back *b) {
    struct comm *comm = b->slabs->comm;
    struct route *route = &b->route;
    const int64_t area = b->slabs->n[1] * (b->slabs->n[2] / 2 + 1);
    *route = slabs_route(comm);
    if (!route->to)
        return comm_agree(comm);
    settle(b);
    b->out = comm_allocate(comm, route->n_to, PARTS_WORD, "rows of a mesh");
    b->in = comm_allocate(comm, route->n_from, PARTS_WORD, "rows of a mesh");
    b->all = comm_allocate(comm, planes_of(b, comm->rank).count * area, PARTS_WORD,
                           "planes of a mesh");
    return comm_agree(comm);
}

bool slabs_to_planes(const struct slabs *slabs, weft_device *device, weft_array rows,
                     weft_array planes) {
    struct back b = {.slabs = slabs, .device = device, .rows = rows, .planes = planes};
    const int64_t rounds = (slabs_most(slabs) + slabs->piece - 1) / slabs->piece;
    bool well = begin(&b);
    for (; well && b.number < rounds; ++b.number)
        well = go_round(&b);
    free(b.route.to), free(b.out), free(b.in), free(b.all);
    return slabs_check(slabs->comm, device) && well;
}
