/* Steps 1 to 4. */
#include "algorithms/neighbours/knn.h"
#include "subhalos.h"
#include "basins.kernel.h"
#include "weft/reduce.h"
#include "weft/segments.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_KERNEL(basins_ascend, (value, u32, links), (in, u32, rank), (in, u32, neighbour, 0),
            (shared, u32, up))
WEFT_KERNEL(basins_climb, (in, u32, up), (out, u32, above), (shared, u32, is_moving, 0))
WEFT_GENERATOR(basins_cross, u32, (value, u32, links), (in, u32, rank, 0),
               (in, u32, neighbour), (in, u32, peak, 0))
WEFT_KERNEL(basins_saddle, (value, u32, links), (in, i64, link), (in, u32, rank, 0),
            (in, u32, neighbour, 0), (in, u32, peak, 0), (out, u32, level),
            (out, u64, pair))

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
    const weft_array crosses =
        weft_lazy(neighbour.length, basins_cross, .links = links, .rank = rank,
                  .neighbour = neighbour, .peak = basins->peak);
    i64 count = 0;
    weft_count_if(device, crosses, &count);
    subhalos_saddles s = {.level = weft_scratch(device, WEFT_U32, count),
                          .pair = weft_scratch(device, WEFT_U64, count)};
    weft_scope_open(device);
    const weft_array link = weft_scratch(device, WEFT_I64, count);
    points_list(device, crosses, link, NULL);
    weft_for_each(device, count, basins_saddle, .links = links, .link = link, .rank = rank,
                  .neighbour = neighbour, .peak = basins->peak, .level = s.level,
                  .pair = s.pair);
    weft_scope_close(device);
    s.count = sort_saddles(device, s.level, s.pair);
    return s;
}
