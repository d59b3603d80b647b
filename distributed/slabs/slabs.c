/* Who has what of a grid. */
#include "slabs.h"
#include "io/files/numbers.h"
#include "pencils.h"

#include <string.h>

static struct slab share(int64_t n, int part, int parts) {
    const int64_t first = io_share(n, part, parts);
    return (struct slab){first, io_share(n, part + 1, parts) - first};
}

/* Planes of the ranks that share a slab are together those of the slab: of n planes share r
 * of count x each begins with floor(n r / (count x each)), and slab s, of which the first
 * rank is r = s x each, with floor(n s / count). */
static bool takes_part(const struct slabs *slabs, int rank) {
    return rank < slabs->count * slabs->each;
}

struct slab slabs_planes(const struct slabs *slabs, int rank) {
    return takes_part(slabs, rank) ? share(slabs->n[0], rank, slabs->count * slabs->each)
                                   : (struct slab){0, 0};
}

struct slab slabs_shared(const struct slabs *slabs, int rank) {
    return takes_part(slabs, rank) ? share(slabs->n[0], rank / slabs->each, slabs->count)
                                   : (struct slab){0, 0};
}

struct slab slabs_lines(const struct slabs *slabs, int rank) {
    return takes_part(slabs, rank) ? share(slabs->n[1], rank % slabs->each, slabs->each)
                                   : (struct slab){0, 0};
}

struct slab slabs_columns(const struct slabs *slabs, int rank) {
    return takes_part(slabs, rank)
               ? share(slabs->n[2] / 2 + 1, rank % slabs->each, slabs->each)
               : (struct slab){0, 0};
}

struct slab slabs_rows(const struct slabs *slabs, int rank) {
    return slabs_columns(slabs, rank).count > 0
               ? share(slabs->n[1], rank / slabs->each, slabs->count)
               : (struct slab){0, 0};
}

/* What the largest of equal parts has. */
static int64_t largest(int64_t n, int parts) {
    return (n + parts - 1) / parts;
}

/* Numbers that the rank with the most of them transforms, along each axis in turn. */
static int64_t work_of(const int64_t n[3], int count, int each) {
    const int64_t length = n[2] / 2 + 1, planes = largest(n[0], count);
    const int64_t columns = largest(length, each);
    return planes * largest(n[1], each) * length + planes * n[1] * columns +
           n[0] * largest(n[1], count) * columns;
}

int64_t slabs_most(const struct slabs *slabs) {
    return largest(slabs->n[0], slabs->count);
}

static void share_out(struct slabs *slabs) {
    const int64_t *n = slabs->n;
    const int ranks = slabs->comm->size;
    const int64_t useful = n[0] > n[1] ? n[0] : n[1];
    slabs->count = ranks < useful ? ranks : (int)useful;
    slabs->each = 1;
    if (ranks <= n[0] && ranks <= n[1])
        return;
    for (int count = slabs->count; count > 0; --count) {
        const int some = ranks / count, each = some < n[1] ? some : (int)n[1];
        if (work_of(n, count, each) < work_of(n, slabs->count, slabs->each)) {
            slabs->count = count;
            slabs->each = each;
        }
    }
}

/* Pieces are an eighth of the largest slab's spectrum, but within these bytes. */
enum { LEAST = 4 << 20, MOST = 16 << 20 };

struct slabs slabs_of(struct comm *comm, const int64_t n[3], weft_type type) {
    struct slabs slabs = {.comm = comm, .n = {n[0], n[1], n[2]}};
    share_out(&slabs);
    const int64_t columns = largest(n[2] / 2 + 1, slabs.each);
    const int64_t plane = 2 * n[1] * columns * (int64_t)WEFT_SIZE(type);
    const int64_t eighth = slabs_most(&slabs) * plane / 8;
    const int64_t bytes = eighth < LEAST ? LEAST : eighth > MOST ? MOST : eighth;
    slabs.piece = bytes > plane ? bytes / plane : 1;
    return slabs;
}

void slabs_pin(struct comm *comm, weft_device *device, const struct comm_shelves *shelves) {
    for (int rank = 0; shelves->of && rank < comm->size; ++rank)
        weft_pin(device, shelves->of[rank], 2 * shelves->bytes);
}

bool slabs_find_shelves(struct comm *comm, weft_device *device,
                        struct comm_shelves *shelves) {
    int64_t apart = weft_device_style(device) == WEFT_SIMT;
    if (!comm_reduce_i64(comm, &apart, 1, COMM_MAX))
        return false;
    if (!apart)
        *shelves = (struct comm_shelves){0, NULL, 0};
    if (!apart || shelves->of)
        return slabs_check(comm, device);
    if (!comm_shelves(comm, shelves))
        return comm_agree(comm);
    slabs_pin(comm, device, shelves);
    return slabs_check(comm, device);
}

bool slabs_check(struct comm *comm, weft_device *device) {
    if (weft_check(device) == WEFT_OK)
        return true;
    io_fail(&comm->error, "%s", weft_error(device));
    return comm_fail(comm, 1);
}

struct route slabs_route(struct comm *comm) {
    const int ranks = comm->size;
    int64_t *rows = comm_allocate(comm, ranks, 4 * sizeof *rows, "ranks");
    if (!rows)
        return (struct route){0};
    memset(rows, 0, 4 * (size_t)ranks * sizeof *rows);
    return (struct route){.to = rows,
                          .from = rows + ranks,
                          .to_first = rows + 2 * ranks,
                          .from_first = rows + 3 * ranks};
}
