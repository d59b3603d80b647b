/* How many particles there are around centers, and all of them as far as there is room. */
#ifndef WEFT_SO_AROUND_KERNEL_H
#define WEFT_SO_AROUND_KERNEL_H

#include "so.kernel.h"

/* Those around center c, that were kept or are looked for. */
static inline i64 so_around_gather(const so_search *s, const points_coordinates *at,
                                   const grid_view *cells, const so_kept *kept,
                                   GLOBAL const f64 *center, index_t c, f64 reach2,
                                   so_runs_list *list) {
    f64 around[3];
    for (i32 axis = 0; axis < 3; axis++)
        around[axis] = center[3 * c + axis];
    if (reach2 >= 0 && so_kept_has(kept, c, reach2))
        so_kept_take(kept, c, reach2, list);
    else if (reach2 >= 0)
        so_gather_all(s, at, cells, around, sqrt(reach2), reach2, list);
    return list->count;
}

/* How many there are around center i. */
static inline void so_around_count(index_t i, so_search s, points_coordinates at,
                                   grid_view cells, so_kept kept, GLOBAL const f64 *center,
                                   GLOBAL const f64 *reach2, GLOBAL i64 *count) {
    so_runs_list list;
    list.room = list.count = 0;
    list.r2 = 0;
    list.who = 0;
    count[i] = so_around_gather(&s, &at, &cells, &kept, center, i, reach2[i], &list);
}

/* The same around centers i, i + items, ..., all of which are kept that fit `room` places
 * of its own, one list behind the other. */
static inline void so_around_keep(index_t i, so_search s, points_coordinates at,
                                  grid_view cells, i64 items, i64 room,
                                  GLOBAL const f64 *center, GLOBAL const f64 *reach2,
                                  GLOBAL so_kept_list *kept, GLOBAL f64 *r2,
                                  GLOBAL u32 *who, GLOBAL i64 *count) {
    const so_kept none = {0, 0, 0};
    i64 left = room;
    for (index_t c = i; c < s.centers; c += (index_t)items) {
        so_kept_list keeps;
        so_runs_list list;
        keeps.width = INFINITY;
        keeps.begin = (i64)(i + 1) * room - left;
        list.room = left;
        list.count = 0;
        list.r2 = r2 + keeps.begin;
        list.who = who + keeps.begin;
        keeps.count = so_around_gather(&s, &at, &cells, &none, center, c, reach2[c], &list);
        keeps.reach2 = keeps.count <= left ? reach2[c] : -1.0;
        left -= keeps.count <= left ? keeps.count : 0;
        kept[c] = keeps;
        count[c] = keeps.count;
    }
}

#endif
