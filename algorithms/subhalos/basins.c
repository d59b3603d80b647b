/* Steps 1 to 4. */
#include "algorithms/neighbours/knn.h"
#include "subhalos.h"
#include "basins.kernel.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/segments.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_KERNEL(basins_ascend, (value, u32, links), (in, u32, rank), (in, u32, neighbour, 0),
            (shared, u32, up))
WEFT_KERNEL(basins_climb, (in, u32, up), (out, u32, above), (shared, u32, is_moving, 0))
WEFT_GENERATOR(basins_crossings, i64, (value, i64, members), (value, u32, links),
               (in, u32, neighbour, 0), (in, u32, of, 0))
WEFT_KERNEL(basins_saddles, (value, u32, links), (in, i64, before, n + 1),
            (in, u32, rank, 0), (in, u32, neighbour, 0), (in, u32, of, 0),
            (inout, u32, level, 0), (inout, u64, pair, 0))

/* The members by (halo, density), and the nearest of each. */
static void sort_members(weft_device *device, const subhalos_task *t, weft_array order,
                         weft_array neighbour) {
    const u32 dense = (u32)t->o.density_neighbours, links = (u32)t->o.link_neighbours;
    const weft_halos *halos = &t->halos;
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_F64, halos->members);
    const int together = dense >= links;
    const knn_wish of_keys = {dense, together ? links : 0, 1}, of_links = {links, links, 0};
    knn_find(device, &t->words, t->bodies->points.count, t->bodies->box, halos, &of_keys,
             together ? neighbour : weft_scratch(device, WEFT_U32, 0), key);
    if (!together)
        knn_find(device, &t->words, t->bodies->points.count, t->bodies->box, halos,
                 &of_links, neighbour, weft_scratch(device, WEFT_F64, 0));
    weft_sequence(device, order, &(u32){0}, &(u32){1});
    weft_sort_segments(device, key, order, halos->offset, WEFT_ASCENDING);
    weft_scope_close(device);
}

/* Follows `up` to its ends. */
static void climb(weft_device *device, weft_array up) {
    weft_scope_open(device);
    const weft_array above = weft_scratch(device, WEFT_U32, up.length);
    const weft_array moving = weft_scratch(device, WEFT_U32, 1);
    u32 is_moving = 1;
    while (is_moving && weft_check(device) == WEFT_OK) {
        weft_fill(device, moving, &(u32){0});
        weft_for_each(device, up.length, basins_climb, .up = up, .above = above,
                      .is_moving = moving);
        weft_copy(device, above, up);
        weft_read(device, moving, &is_moving);
    }
    weft_scope_close(device);
}

subhalos_basins subhalos_find_basins(weft_device *device, const subhalos_task *task,
                                     weft_array neighbour, weft_array rank) {
    const i64 members = task->halos.members;
    const subhalos_basins basins = {weft_scratch(device, WEFT_U32, members),
                                    points_numbers(device, members)};
    sort_members(device, task, basins.member, neighbour);
    weft_scatter(device, basins.peak, basins.member, rank);
    weft_for_each(device, members, basins_ascend, .links = (u32)task->o.link_neighbours,
                  .rank = rank, .neighbour = neighbour, .up = basins.peak);
    climb(device, basins.peak);
    return basins;
}

/* The earliest saddle of each pair of peaks, then all by level. */
static i64 sort_saddles(weft_device *device, weft_array level, weft_array pair) {
    i64 pairs = 0;
    weft_sort_by_key(device, level, pair, WEFT_ASCENDING);
    weft_sort_by_key(device, pair, level, WEFT_ASCENDING);
    weft_unique_by_key(device, pair, level, pair, level, &pairs);
    weft_sort_by_key(device, weft_slice(device, level, 0, pairs),
                     weft_slice(device, pair, 0, pairs), WEFT_ASCENDING);
    return pairs;
}

subhalos_saddles subhalos_find_saddles(weft_device *device, const subhalos_task *task,
                                       const subhalos_basins *basins, weft_array neighbour,
                                       weft_array rank) {
    const u32 links = (u32)task->o.link_neighbours;
    const i64 members = task->halos.members;
    const weft_array of = weft_scratch(device, WEFT_U32, members);
    const weft_array before = weft_scratch(device, WEFT_I64, members + 1);
    i64 count = 0;
    weft_gather(device, basins->peak, rank, of);
    weft_scan(device,
              weft_lazy(members + 1, basins_crossings, .members = members, .links = links,
                        .neighbour = neighbour, .of = of),
              weft_plus(WEFT_I64), WEFT_EXCLUSIVE, before);
    weft_read(device, weft_slice(device, before, members, 1), &count);
    subhalos_saddles s = {.level = weft_scratch(device, WEFT_U32, count),
                          .pair = weft_scratch(device, WEFT_U64, count)};
    weft_for_each(device, members, basins_saddles, .links = links, .before = before,
                  .rank = rank, .neighbour = neighbour, .of = of, .level = s.level,
                  .pair = s.pair);
    s.count = sort_saddles(device, s.level, s.pair);
    return s;
}
