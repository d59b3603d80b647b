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
    int64_t area;                 /* numbers of a plane */
    size_t bytes;                 /* of a plane */
    struct route route;           /* planes around here; those here around others */
    char *own, *theirs;           /* these on the host */
    struct comm_shelves *shelves; /* NULL: they travel as messages */
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

/* Nobody waits for what goes by shelves, until all is laid. */
static void read_plane(const struct around *a, int64_t k, char *plane) {
    if (a->shelves)
        weft_read_later(a->device, plane_at(a, k), plane);
    else
        weft_read(a->device, plane_at(a, k), (void *)plane);
}

static void write_plane(const struct around *a, weft_array to, const char *plane) {
    if (a->shelves)
        weft_write_later(a->device, to, plane);
    else
        weft_write(a->device, to, (const void *)plane);
}

static void read_here(const struct around *a, int64_t there, int64_t here, char *plane) {
    (void)there;
    read_plane(a, here, plane);
}

static void write_here(const struct around *a, int64_t there, int64_t here, char *plane) {
    (void)there;
    write_plane(a, plane_at(a, here), plane);
}

static void read_there(const struct around *a, int64_t there, int64_t here, char *plane) {
    (void)here;
    read_plane(a, there, plane);
}

static void add_there(const struct around *a, int64_t there, int64_t here, char *plane) {
    const weft_array sum = plane_at(a, there);
    (void)here;
    weft_scope_open(a->device);
    const weft_array more = weft_scratch(a->device, WEFT_I64, a->area);
    write_plane(a, more, plane);
    weft_transform(a->device, a->area, sum, slabs_sum, .a = sum, .b = more);
    weft_scope_close(a->device);
}

/* Where on the shelf of a rank planes begin that another takes: of those around the first,
 * which lie there by whose they are, or, not `own`, of those that it has around others. */
static char *place_on(const struct around *a, int shelf, int other, bool own) {
    int64_t before = 0;
    for (int rank = 0; rank < other; ++rank)
        before += own ? each(a, shelf, rank, NULL, NULL) : each(a, rank, shelf, NULL, NULL);
    return comm_laid_shelf(a->shelves, shelf) + (size_t)before * a->bytes;
}

/* All planes around this rank, by whose they are; `taken`: from the shelves of those. */
static void each_here(const struct around *a, around_work *work, bool taken) {
    const struct comm *comm = a->slabs->comm;
    const int me = comm->rank;
    for (int rank = 0; rank < comm->size; ++rank)
        each(a, me, rank, work,
             taken && a->shelves ? place_on(a, rank, me, false)
                                 : a->own + (size_t)a->route.to_first[rank] * a->bytes);
}

/* All of this rank that are around others, by those; `taken`: from their shelves. */
static void each_there(const struct around *a, around_work *work, bool taken) {
    const struct comm *comm = a->slabs->comm;
    const int me = comm->rank;
    for (int rank = 0; rank < comm->size; ++rank)
        each(a, rank, me, work,
             taken && a->shelves
                 ? place_on(a, rank, me, true)
                 : a->theirs + (size_t)a->route.from_first[rank] * a->bytes);
}

/* How many there are: a rank's own among them, where it has planes around itself. */
static void settle(struct around *a) {
    const struct comm *comm = a->slabs->comm;
    struct route *route = &a->route;
    for (int rank = 0; rank < comm->size; ++rank) {
        route->to_first[rank] = route->n_to;
        route->from_first[rank] = route->n_from;
        route->n_to += route->to[rank] = each(a, comm->rank, rank, NULL, NULL);
        route->n_from += route->from[rank] = each(a, rank, comm->rank, NULL, NULL);
    }
}

/* Those of the ranks, where what is around any, and what any has around others, fits. */
static struct comm_shelves *shelves_for(const struct around *a) {
    struct comm_shelves *shelves = a->slabs->shelves;
    const int ranks = a->slabs->comm->size;
    int64_t most = SLABS_AROUND;
    for (int whose = 0; shelves && shelves->of && whose < ranks; ++whose) {
        int64_t count = 0;
        for (int rank = 0; rank < ranks; ++rank)
            count += each(a, rank, whose, NULL, NULL);
        most = count > most ? count : most;
    }
    return shelves && shelves->of && (size_t)most * a->bytes <= shelves->bytes ? shelves
                                                                               : NULL;
}

static bool begin(struct around *a) {
    struct comm *comm = a->slabs->comm;
    a->area = a->slabs->n[1] * a->slabs->n[2];
    a->bytes = (size_t)a->area * WEFT_SIZE(a->mesh.type);
    a->route = slabs_route(comm);
    if (!a->route.to)
        return comm_agree(comm);
    settle(a);
    a->shelves = shelves_for(a);
    if (a->shelves) {
        a->own = a->theirs = comm_shelf(a->shelves, comm->rank);
    } else {
        a->own = comm_allocate(comm, a->route.n_to, a->bytes, "planes of a mesh");
        a->theirs = comm_allocate(comm, a->route.n_from, a->bytes, "planes of a mesh");
    }
    return comm_agree(comm);
}

/* Own planes to those whose they are, or, back, theirs to those that they are around. */
static bool send(struct around *a, bool back) {
    struct comm *comm = a->slabs->comm;
    const struct route *route = &a->route;
    if (a->shelves)
        return comm_laid(comm, a->shelves, a->device,
                         (back ? route->n_from : route->n_to) * (int64_t)a->bytes);
    slabs_check(comm, a->device);
    return back ? route_send_back(comm, route, a->bytes, a->theirs, a->own)
                : route_send(comm, route, a->bytes, a->own, a->theirs);
}

static bool end(struct around *a, bool well) {
    free(a->route.to);
    if (!a->shelves)
        free(a->own), free(a->theirs);
    return slabs_check(a->slabs->comm, a->device) && well;
}

bool slabs_add(const struct slabs *slabs, weft_device *device, weft_array mesh) {
    struct around a = {.slabs = slabs, .device = device, .mesh = mesh};
    bool well = begin(&a);
    if (well) {
        each_here(&a, read_here, false);
        well = send(&a, false);
    }
    if (well)
        each_there(&a, add_there, true);
    return end(&a, well);
}

bool slabs_fill(const struct slabs *slabs, weft_device *device, weft_array mesh) {
    struct around a = {.slabs = slabs, .device = device, .mesh = mesh};
    bool well = begin(&a);
    if (well) {
        each_there(&a, read_there, false);
        well = send(&a, true);
    }
    if (well)
        each_here(&a, write_here, true);
    return end(&a, well);
}
