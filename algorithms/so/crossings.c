#include "crossings.h"
#include "algorithms/pyramid/pyramid.h"
#include "algorithms/so/around/lists.h"
#include "weft/transform.h"

WEFT_BUNDLE(so_crossings_lists, (value, i64, first), (value, i64, spheres),
            (value, i32, shift), (in, u32, list, 0), (in, u64, key, 0),
            (in, i64, offset, 0), (in, f64, r2, 0), (in, u32, who, 0),
            (optional, u32, weight, 0))
WEFT_KERNEL(so_crossings_reach, (in, u32, list), (bundle, so_found, found),
            (inout, f64, reach2, 0))
WEFT_KERNEL(so_crossings_find, (value, so_search, s), (bundle, so_crossings_lists, of),
            (shared, u32, crossing, 0))
WEFT_KERNEL(so_crossings_weigh, (value, so_search, s), (bundle, so_crossings_lists, of),
            (out, f64, mass))
WEFT_KERNEL(so_crossings_add, (bundle, so_crossings_lists, of), (inout, f64, mass, 0),
            (out, f64, whole))
WEFT_KERNEL(so_crossings_cross, (value, so_search, s), (bundle, so_crossings_lists, of),
            (in, f64, before), (shared, u32, crossing, 0))
WEFT_KERNEL(so_crossings_close, (value, so_search, s), (value, i64, points),
            (bundle, so_crossings_lists, of), (in, f64, before, 0), (in, f64, whole, 0),
            (in, u32, crossing, 0), (bundle, so_found, found))

typedef struct context {
    weft_array list;
    so_found_arrays found;
} context;

static void cross(weft_device *device, const so_task *task, const so_lists *lists,
                  void *of_all) {
    const context *c = of_all;
    const so_search s = task->search;
    const i64 spheres = lists->spheres;
    const i64 blocks =
        s.weighted ? pyramid_blocks(lists->members, spheres, SO_CROSSINGS_BITS) : 0;
    const weft_array crossing = weft_scratch(device, WEFT_U32, s.densities * spheres),
                     before = weft_scratch(device, WEFT_F64, blocks),
                     whole = weft_scratch(device, WEFT_F64, s.weighted ? spheres : 0);
    const so_crossings_lists_arrays of = {.first = lists->first,
                                          .spheres = spheres,
                                          .shift = lists->shift,
                                          .list = c->list,
                                          .key = lists->key,
                                          .offset = lists->offset,
                                          .r2 = lists->r2,
                                          .who = lists->who,
                                          .weight = task->weight};
    weft_fill(device, crossing, &(u32){SO_CROSSINGS_NONE});
    if (s.weighted) {
        weft_for_each(device, blocks, so_crossings_weigh, .s = s, .of = of, .mass = before);
        weft_for_each(device, spheres, so_crossings_add, .of = of, .mass = before,
                      .whole = whole);
        weft_for_each(device, blocks, so_crossings_cross, .s = s, .of = of,
                      .before = before, .crossing = crossing);
    } else {
        weft_for_each(device, lists->members, so_crossings_find, .s = s, .of = of,
                      .crossing = crossing);
    }
    weft_for_each(device, spheres, so_crossings_close, .s = s,
                  .points = task->cells->sets.points, .of = of, .before = before,
                  .whole = whole, .crossing = crossing, .found = c->found);
}

void so_crossings_measure(weft_device *device, const so_task *task, weft_array list,
                          const so_found_arrays *found) {
    context c = {list, *found};
    weft_scope_open(device);
    const weft_array reach2 = weft_scratch(device, WEFT_F64, task->search.centers);
    weft_for_each(device, list.length, so_crossings_reach, .list = list, .found = *found,
                  .reach2 = reach2);
    so_lists_each(device, task, list, reach2, cross, &c);
    weft_scope_close(device);
}
