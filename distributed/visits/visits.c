/* Out and back. */
#include "visits.h"
#include "visits.kernel.h"
#include "visits_lists.h"

#include <weft/register.h>
#include <weft/transform.h>

enum { AXES = 3 };

WEFT_GENERATOR(visits_packed, u32, (in, u32, row, 0), (in, u32, x, 0), (in, u32, y, 0),
               (in, u32, z, 0))
WEFT_KERNEL(visits_unpack, (in, u32, packed, 0), (out, u32, x), (out, u32, y),
            (out, u32, z))
WEFT_GENERATOR(visits_found, f64, (value, visits_results, r), (in, f64, a, 0),
               (in, f64, b, 0), (in, f64, c, 0))
WEFT_GENERATOR(visits_component, f64, (value, i32, components), (value, i32, which),
               (in, f64, packed, 0))

/* Rows of what came, from the first-th on, to where they are in each axis. */
static void unpack(const struct visits *v, weft_array came, int64_t first, int64_t n,
                   int64_t to) {
    weft_device *device = v->device;
    weft_for_each(device, n, visits_unpack,
                  .packed = weft_slice(device, came, AXES * first, AXES * n),
                  .x = weft_slice(device, v->at[0], to, n),
                  .y = weft_slice(device, v->at[1], to, n),
                  .z = weft_slice(device, v->at[2], to, n));
}

/* Those that stay, visit, and are copied here. */
static bool bring(struct visits *v, const weft_array x[3]) {
    weft_device *device = v->device;
    const int64_t stay = v->stay.length, n = v->row.length;
    const int64_t visitors = v->n - stay, copies = v->carry.route[CARRY_COPIES].n_from;
    for (int axis = 0; axis < AXES; ++axis)
        v->at[axis] = weft_scratch(device, WEFT_U32, v->n + copies);
    weft_scope_open(device);
    const weft_array packed = weft_scratch(device, WEFT_U32, AXES * n);
    const weft_array came[CARRY_WAYS] = {weft_scratch(device, WEFT_U32, AXES * visitors),
                                         weft_scratch(device, WEFT_U32, AXES * copies)};
    weft_transform(device, AXES * n, packed, visits_packed, .row = v->row, .x = x[0],
                   .y = x[1], .z = x[2]);
    const bool well = carry_out(&v->carry, AXES, packed, came);
    if (well) {
        for (int axis = 0; axis < AXES; ++axis)
            weft_gather(device, x[axis], v->stay,
                        weft_slice(device, v->at[axis], v->before, stay));
        unpack(v, came[CARRY_VISITS], 0, v->before, 0);
        unpack(v, came[CARRY_VISITS], v->before, visitors - v->before, v->before + stay);
        unpack(v, came[CARRY_COPIES], 0, copies, v->n);
    }
    weft_scope_close(device);
    return well;
}

bool visits_go(struct visits *v, struct comm *comm, struct comm_shelves *shelves,
               weft_device *device, const struct visits_cells *cells,
               const weft_array x[3]) {
    *v = (struct visits){.comm = comm, .device = device};
    v->carry = (struct carry){.comm = comm,
                              .device = device,
                              .shelves = shelves && shelves->of ? shelves : NULL,
                              .ways = cells->count ? CARRY_WAYS : 1};
    int64_t *count = visits_list(comm, device, cells, x, &v->stay, &v->row);
    table_well(comm, device);
    if (!carry_find(&v->carry, count))
        return false;
    const struct route *visits = &v->carry.route[CARRY_VISITS];
    v->n = v->stay.length + visits->n_from;
    v->before = visits->from_first[comm->rank];
    return bring(v, x);
}

/* What came back of those that were away; and what was found of those that were not. */
static void put(const struct visits *v, int components, weft_array came,
                const weft_array *found, const weft_array *out) {
    weft_device *device = v->device;
    const int64_t away = v->carry.route[CARRY_VISITS].n_to;
    const weft_array rows = weft_slice(device, v->row, 0, away);
    for (int k = 0; k < components; ++k) {
        weft_scatter(device,
                     weft_lazy(away, visits_component, .components = components, .which = k,
                               .packed = came),
                     rows, out[k]);
        weft_scatter(device, weft_slice(device, found[k], v->before, v->stay.length),
                     v->stay, out[k]);
    }
}

bool visits_return(struct visits *v, int components, const weft_array *found,
                   const weft_array *out) {
    weft_device *device = v->device;
    const struct route *route = &v->carry.route[CARRY_VISITS];
    const visits_results results = {v->before, v->stay.length, components};
    const weft_array more[3] = {found[0], found[components > 1 ? 1 : 0],
                                found[components > 2 ? 2 : 0]};
    weft_scope_open(device);
    const weft_array list = weft_scratch(device, WEFT_F64, components * route->n_from);
    const weft_array came = weft_scratch(device, WEFT_F64, components * route->n_to);
    weft_transform(device, list.length, list, visits_found, .r = results, .a = more[0],
                   .b = more[1], .c = more[2]);
    const bool well = carry_back(&v->carry, components, list, came);
    if (well)
        put(v, components, came, found, out);
    weft_scope_close(device);
    return well;
}

void visits_free(struct visits *v) {
    carry_free(&v->carry);
}
