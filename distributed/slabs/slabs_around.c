/* Planes around those of a rank, to and from the ranks whose they are. */
#include "slabs.h"
#include "slabs.kernel.h"

#include <stdlib.h>
#include <weft/register.h>
#include <weft/transform.h>

WEFT_GENERATOR(slabs_sum, i64, (in, i64, a), (in, i64, b))

struct around {
    const struct slabs *slabs;
    weft_device *device;
    weft_array mesh;
    int64_t area; /* numbers of a plane */
    size_t bytes; /* of a plane */
    struct route route;
    char *own, *theirs; /* what is around here; what is here and around others */
};

/* Plane k of those around a rank: where it is in the grid and in the rank's array. */
static int64_t place_of(const struct slabs *slabs, int rank, int k, int64_t *local) {
    const struct slab own = slabs_planes(slabs, rank);
    const int64_t n = slabs->n[0];
    *local = k < SLABS_BELOW ? k : own.count + k;
    return ((own.first + *local - SLABS_BELOW) % n + n) % n;
}

static bool is_in(struct slab slab, int64_t plane) {
    return plane >= slab.first && plane < slab.first + slab.count;
}

/* Called for each plane around `here` that is rank `whose`'s: its place there and here. */
typedef void around_work(const struct around *a, int64_t there, int64_t here, char *plane);

/* Returns how many there are; `planes` of them lie one after the other, NULL: not asked. */
static int64_t each(const struct around *a, int here, int whose, around_work *work,
                    char *planes) {
    const struct slab theirs = slabs_planes(a->slabs, whose);
    int64_t count = 0;
    for (int k = 0; k < SLABS_AROUND && slabs_planes(a->slabs, here).count > 0; ++k) {
        int64_t local;
        const int64_t plane = place_of(a->slabs, here, k, &local);
        if (!is_in(theirs, plane))
            continue;
        if (work)
            work(a, SLABS_BELOW + plane - theirs.first, local,
                 planes + (size_t)count * a->bytes);
        ++count;
    }
    return count;
}

static weft_array plane_at(const struct around *a, int64_t k) {
    return weft_slice(a->device, a->mesh, k * a->area, a->area);
}

static void read_here(const struct around *a, int64_t there, int64_t here, char *plane) {
    (void)there;
    weft_read(a->device, plane_at(a, here), (void *)plane);
}

static void write_here(const struct around *a, int64_t there, int64_t here, char *plane) {
    (void)there;
    weft_write(a->device, plane_at(a, here), (const void *)plane);
}

static void read_there(const struct around *a, int64_t there, int64_t here, char *plane) {
    (void)here;
    weft_read(a->device, plane_at(a, there), (void *)plane);
}

static void add_there(const struct around *a, int64_t there, int64_t here, char *plane) {
    const weft_array sum = plane_at(a, there);
    (void)here;
    weft_scope_open(a->device);
    const weft_array more = weft_scratch(a->device, WEFT_I64, a->area);
    weft_write(a->device, more, (const void *)plane);
    weft_transform(a->device, a->area, sum, slabs_sum, .a = sum, .b = more);
    weft_scope_close(a->device);
}

/* All planes around this rank, by whose they are. */
static void each_here(const struct around *a, around_work *work) {
    const struct comm *comm = a->slabs->comm;
    for (int rank = 0; rank < comm->size; ++rank)
        each(a, comm->rank, rank, work,
             a->own + (size_t)a->route.to_first[rank] * a->bytes);
}

/* All of this rank that are around others, by those. */
static void each_there(const struct around *a, around_work *work) {
    const struct comm *comm = a->slabs->comm;
    for (int rank = 0; rank < comm->size; ++rank)
        each(a, rank, comm->rank, work,
             a->theirs + (size_t)a->route.from_first[rank] * a->bytes);
}

static bool begin(struct around *a) {
    struct comm *comm = a->slabs->comm;
    a->area = a->slabs->n[1] * a->slabs->n[2];
    a->bytes = (size_t)a->area * WEFT_SIZE(a->mesh.type);
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    for (int rank = 0; to && rank < comm->size; ++rank)
        to[rank] = each(a, comm->rank, rank, NULL, NULL);
    if (!route_find(comm, to, &a->route))
        return false;
    a->own = comm_allocate(comm, a->route.n_to, a->bytes, "planes of a mesh");
    a->theirs = comm_allocate(comm, a->route.n_from, a->bytes, "planes of a mesh");
    return a->own && a->theirs ? true : comm_agree(comm);
}

static bool end(struct around *a, bool well) {
    route_free(&a->route);
    free(a->own), free(a->theirs);
    return slabs_check(a->slabs->comm, a->device) && well;
}

bool slabs_add(const struct slabs *slabs, weft_device *device, weft_array mesh) {
    struct comm *comm = slabs->comm;
    struct around a = {.slabs = slabs, .device = device, .mesh = mesh};
    bool well = begin(&a);
    if (well) {
        each_here(&a, read_here);
        slabs_check(comm, device);
        well = route_send(comm, &a.route, a.bytes, a.own, a.theirs);
    }
    if (well)
        each_there(&a, add_there);
    return end(&a, well);
}

bool slabs_fill(const struct slabs *slabs, weft_device *device, weft_array mesh) {
    struct comm *comm = slabs->comm;
    struct around a = {.slabs = slabs, .device = device, .mesh = mesh};
    bool well = begin(&a);
    if (well) {
        each_there(&a, read_there);
        slabs_check(comm, device);
        well = route_send_back(comm, &a.route, a.bytes, a.theirs, a.own);
    }
    if (well)
        each_here(&a, write_here);
    return end(&a, well);
}
