#include "weft/neighbours.h"
#include "algorithms/points/arguments.h"
#include "knn.h"
#include "weft/listener.h"
#include "weft/transform.h"

#include <float.h>

static const char name[] = "weft_neighbours";

static void check(weft_device *device, const weft_neighbours_options *o) {
    if (o->count < 1 || o->count > KNN_MOST)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: count is %lld, not 1 to %d", name,
                  (long long)o->count, KNN_MOST);
    for (int k = 0; k < 3; k++)
        if (!(o->box[k] == 0 || (o->box[k] >= 0x1p-960 && o->box[k] <= DBL_MAX)))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not 0 or a size", name,
                      k, o->box[k]);
}

/* All points as one halo, its arrays in scratch; no members: {0}. */
static weft_halos one_halo(weft_device *device, i64 points) {
    const i64 offset[] = {0, points};
    weft_halos all = {.count = 1, .members = points};
    all.offset = weft_scratch(device, WEFT_I64, 2);
    weft_write(device, all.offset, offset);
    return all;
}

weft_status weft_neighbours(weft_device *device, const weft_points *points,
                            const weft_neighbours_options *options, const weft_halos *halos,
                            weft_array neighbour, weft_array distance2) {
    if (!arguments_given(device, name, "options", options) ||
        !arguments_known(device, name, "options", options->reserved,
                         sizeof options->reserved))
        return weft_check(device);
    check(device, options);
    weft_task_begin(device, name);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    const i64 n = weft_check(device) == WEFT_OK ? points->count : 0;
    const weft_halos of = halos ? *halos : one_halo(device, n);
    const i64 k = options->count, members = weft_check(device) == WEFT_OK ? of.members : 0;
    if (neighbour.type != 0)
        arguments_array(device, name, "neighbour", neighbour, WEFT_U32, members * k);
    if (distance2.type != 0)
        arguments_array(device, name, "distance2", distance2, WEFT_F64, members * k);
    if (weft_check(device) == WEFT_OK && members > 0) {
        const knn_wish wish = {(u32)k, neighbour.type != 0 ? (u32)k : 0,
                               distance2.type != 0 ? 2 : 0};
        points_bounds(device, name, &words, n);
        if (neighbour.type == 0)
            neighbour = weft_scratch(device, WEFT_U32, 0);
        if (distance2.type == 0)
            distance2 = weft_scratch(device, WEFT_F64, 0);
        weft_task_until(device, 1);
        knn_find(device, &words, n, options->box, &of, &wish, neighbour, distance2);
    }
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
