/* The particles around a center, by (squared distance, id). */
#ifndef WEFT_SO_MEMBERS_KERNEL_H
#define WEFT_SO_MEMBERS_KERNEL_H

#include "so.kernel.h"
#include "so_kept.kernel.h"

/* Of consecutive spheres, from center `first` on: r^2 and whose, in the order of the cells,
 * then by shells; `found` is how many there are. */
typedef struct so_members_lists {
    i64 first, spheres;
    GLOBAL const i64 *offset;
    GLOBAL f64 *gathered_r2;
    GLOBAL u32 *gathered_who;
    GLOBAL f64 *r2;
    GLOBAL u32 *who;
    GLOBAL i64 *found;
} so_members_lists;

/* Those around center c, that were kept or are looked for. */
static inline i64 so_members_gather(const so_search *s, const points_coordinates *at,
                                    const grid_view *cells, const so_kept *kept,
                                    GLOBAL const f64 *center, index_t c, f64 reach2,
                                    so_gather_list *list) {
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
static inline void so_members_count(index_t i, so_search s, points_coordinates at,
                                    grid_view cells, so_kept kept, GLOBAL const f64 *center,
                                    GLOBAL const f64 *reach2, GLOBAL i64 *count) {
    so_gather_list list;
    list.room = list.count = 0;
    list.r2 = 0;
    list.who = 0;
    count[i] = so_members_gather(&s, &at, &cells, &kept, center, i, reach2[i], &list);
}

/* Those up to reach2 that were kept, in order, which by shells they nearly are. Returns
 * how many, or -1 where it would take many steps. */
enum { SO_MEMBERS_STEPS = 32 };
static inline i64 so_members_insert(const so_kept *kept, index_t c, f64 reach2, i64 room,
                                    const so_sort_list *to) {
    const so_kept_list list = kept->list[c];
    i64 count = 0, steps = SO_MEMBERS_STEPS * list.count;
    for (i64 k = list.begin; k < list.begin + list.count; k++) {
        const f64 r2 = kept->r2[k];
        const u32 who = kept->who[k];
        if (!(r2 <= reach2) || count++ >= room)
            continue;
        i64 at = count - 1;
        for (; at > 0 && so_sort_before(to, r2, who, to->r2[at - 1], to->who[at - 1]); at--)
            so_sort_put(to, at, to->r2[at - 1], to->who[at - 1]);
        so_sort_put(to, at, r2, who);
        steps -= count - 1 - at;
        if (steps < 0)
            return -1;
    }
    return count;
}

static inline void so_members_sort(i64 count, f64 reach2, const so_sort_list *gathered,
                                   const so_sort_list *sifted) {
    so_shells shells;
    so_sift(&shells, count, 1, reach2 > 0 ? sqrt(reach2) : 1, gathered, sifted);
    for (i32 b = 0; b < shells.shells; b++)
        so_sort_shell(&shells, sifted, b);
}

/* Lists i, i + items, ... */
static inline void so_members_list(index_t i, so_search s, points_coordinates at,
                                   grid_view cells, so_kept kept, GLOBAL const i64 *id,
                                   i64 items, GLOBAL const f64 *center,
                                   GLOBAL const f64 *reach2, so_members_lists lists) {
    for (i64 k = (i64)i; k < lists.spheres; k += items) {
        const i64 c = lists.first + k, begin = lists.offset[k];
        so_sort_list gathered, sifted;
        so_gather_list list;
        list.room = lists.offset[k + 1] - begin;
        list.count = 0;
        gathered.id = id;
        gathered.named = 1;
        sifted = gathered;
        list.r2 = gathered.r2 = lists.gathered_r2 + begin;
        list.who = gathered.who = lists.gathered_who + begin;
        sifted.r2 = lists.r2 + begin;
        sifted.who = lists.who + begin;
        i64 count = -1;
        if (reach2[c] >= 0 && so_kept_has(&kept, (index_t)c, reach2[c]))
            count = so_members_insert(&kept, (index_t)c, reach2[c], list.room, &sifted);
        if (count < 0) {
            count = so_members_gather(&s, &at, &cells, &kept, center, (index_t)c, reach2[c],
                                      &list);
            if (count == list.room && count > 0)
                so_members_sort(count, reach2[c], &gathered, &sifted);
        }
        lists.found[k] = count;
    }
}

#endif
