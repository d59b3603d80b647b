/* Particles around centers that were gathered once and are kept, for calls that look at the
 * same spheres. */
#ifndef WEFT_SO_KEPT_KERNEL_H
#define WEFT_SO_KEPT_KERNEL_H

#include "so_gather.kernel.h"

/* All particles up to reach2 of a center, of which no one is nearer than one before it by
 * more than `width`, the shells' that they are kept by; infinite: they are in no order.
 * reach2 below 0: none are kept. */
typedef struct so_kept_list {
    f64 reach2, width;
    i64 begin, count;
} so_kept_list;

/* These lists, to be read. */
typedef struct so_kept {
    GLOBAL const so_kept_list *list; /* NULL: nothing was kept */
    GLOBAL const f64 *r2;
    GLOBAL const u32 *who;
} so_kept;

static inline i32 so_kept_has(const so_kept *kept, index_t c, f64 reach2) {
    return kept->list && reach2 <= kept->list[c].reach2;
}

/* Where those end that may be up to reach2: before one past it by more than the width. */
static inline i64 so_kept_end(const so_kept *kept, const so_kept_list *list, f64 reach2) {
    const f64 reach = sqrt(reach2) + list->width, beyond = reach * reach * (1 + 1e-9);
    i64 low = list->begin, high = list->begin + list->count;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (kept->r2[middle] > beyond)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* Those up to reach2 around center c, as so_gather_all finds them. */
static inline void so_kept_take(const so_kept *kept, index_t c, f64 reach2,
                                so_runs_list *to) {
    const so_kept_list list = kept->list[c];
    GLOBAL const f64 *r2 = kept->r2 + list.begin;
    GLOBAL const u32 *who = kept->who + list.begin;
    const i64 some = so_kept_end(kept, &list, reach2) - list.begin;
    i64 count = 0;
    if (to->r2) {
        for (i64 k = 0; k < some; k++) {
            if (count < to->room) { /* the next is written over it unless it is near */
                to->r2[count] = r2[k];
                to->who[count] = who[k];
            }
            count += r2[k] <= reach2;
        }
    } else {
        for (i64 k = 0; k < some; k++)
            count += r2[k] <= reach2;
    }
    to->count = count;
}

/* Those around center c, that were kept or are looked for. */
static inline i64 so_kept_gather(const so_search *s, const points_coordinates *at,
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
static inline void so_kept_count(index_t i, so_search s, points_coordinates at,
                                 grid_view cells, so_kept kept, GLOBAL const f64 *center,
                                 GLOBAL const f64 *reach2, GLOBAL i64 *count) {
    so_runs_list list;
    list.room = list.count = 0;
    list.r2 = 0;
    list.who = 0;
    count[i] = so_kept_gather(&s, &at, &cells, &kept, center, i, reach2[i], &list);
}

/* The same around centers i, i + items, ..., all of which are kept that fit `room` places
 * of its own, one list behind the other. */
static inline void so_kept_keep(index_t i, so_search s, points_coordinates at,
                                grid_view cells, i64 items, i64 room,
                                GLOBAL const f64 *center, GLOBAL const f64 *reach2,
                                GLOBAL so_kept_list *kept, GLOBAL f64 *r2, GLOBAL u32 *who,
                                GLOBAL i64 *count) {
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
        keeps.count = so_kept_gather(&s, &at, &cells, &none, center, c, reach2[c], &list);
        keeps.reach2 = keeps.count <= left ? reach2[c] : -1.0;
        left -= keeps.count <= left ? keeps.count : 0;
        kept[c] = keeps;
        count[c] = keeps.count;
    }
}

#endif
