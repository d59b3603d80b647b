#include "members.h"
#include "so_kept.kernel.h"
#include "weft/transform.h"

WEFT_KERNEL(so_kept_count, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, grid_view, cells), (bundle, so_kept, kept), (in, f64, center, 3 * n),
            (in, f64, reach2), (out, i64, count))
WEFT_KERNEL(so_kept_keep, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, grid_view, cells), (value, i64, items), (value, i64, room),
            (in, f64, center, 0), (in, f64, reach2, 0), (inout, so_kept_list, kept, 0),
            (inout, f64, r2, 0), (inout, u32, who, 0), (inout, i64, count, 0))

/* Places for so many particles at least; lists for each that runs at once. */
enum { LEAST_PLACES = 1 << 18, ITEMS = 16 };

so_search so_kept_named(const so_task *task) {
    so_search search = task->search;
    search.named = 1;
    return search;
}

/* Places for all lists of work-items that look around all centers, one after the other. */
static so_kept_arrays keep_all(weft_device *device, const so_task *task, weft_array reach2,
                               weft_array count) {
    const i64 centers = task->search.centers, half = task->cells->sets.points / 2;
    const i64 threads = weft_concurrency(device), most = threads > 1 ? ITEMS * threads : 1;
    const i64 items = centers < most ? centers : most,
              room = (half > LEAST_PLACES ? half : LEAST_PLACES) / items;
    const so_kept_arrays kept = {weft_scratch(device, WEFT_STRUCT(so_kept_list), centers),
                                 weft_scratch(device, WEFT_F64, items * room),
                                 weft_scratch(device, WEFT_U32, items * room)};
    weft_for_each(device, items, so_kept_keep, .s = so_kept_named(task), .at = task->words,
                  .cells = task->cells->sets, .items = items, .room = room,
                  .center = task->center, .reach2 = reach2, .kept = kept.list,
                  .r2 = kept.r2, .who = kept.who, .count = count);
    return kept;
}

/* Of those that were not kept all are looked for. */
static void count_all(weft_device *device, const so_task *task, weft_array reach2,
                      weft_array count) {
    weft_for_each(device, task->search.centers, so_kept_count, .s = so_kept_named(task),
                  .at = task->words, .cells = task->cells->sets, .kept = task->kept,
                  .center = task->center, .reach2 = reach2, .count = count);
}

void so_kept_count_all(weft_device *device, so_task *task, weft_array reach2,
                       weft_array count) {
    if (task->kept.list.type == 0 && weft_device_style(device) == WEFT_SIMD)
        task->kept = keep_all(device, task, reach2, count);
    else
        count_all(device, task, reach2, count);
}
