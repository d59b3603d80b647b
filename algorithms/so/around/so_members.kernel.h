/* The particles around a center, by (squared distance, id). */
#ifndef WEFT_SO_MEMBERS_KERNEL_H
#define WEFT_SO_MEMBERS_KERNEL_H

#include "so_kept.kernel.h"
#include "so_sort.kernel.h"

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

/* What lists tell beside that: of 1 or more arrays the first is of places from the center,
 * the second of velocities, which lie in memory as `flow`. */
typedef struct so_members_told {
    i64 arrays;
    GLOBAL f64 *place, *velocity;
} so_members_told;

typedef struct so_members_telling {
    const so_search *s;
    const points_coordinates *at, *flow;
    const so_members_told *told;
} so_members_telling;

/* Tells of the particles of list k. */
static inline void so_members_tell(const so_members_telling *by,
                                   const so_members_lists *lists, GLOBAL const f64 *around,
                                   i64 list) {
    const points_coordinates *at = by->at, *flow = by->flow;
    GLOBAL f64 *place = by->told->place, *velocity = by->told->velocity;
    const i64 begin = lists->offset[list], end = lists->offset[list + 1];
    const f64 *box = by->s->box;
    f64 center[3];
    for (i32 axis = 0; axis < 3; axis++)
        center[axis] = around[3 * (index_t)(lists->first + list) + axis];
    for (i64 k = begin; k < end && by->told->arrays > 0; k++) {
        const index_t from = (index_t)lists->who[k] * (index_t)at->stride;
        place[3 * k] = so_search_apart(at->x, from, at->wide, box[0], center[0]);
        place[3 * k + 1] = so_search_apart(at->y, from, at->wide, box[1], center[1]);
        place[3 * k + 2] = so_search_apart(at->z, from, at->wide, box[2], center[2]);
    }
    for (i64 k = begin; k < end && by->told->arrays > 1; k++) {
        const index_t from = (index_t)lists->who[k] * (index_t)flow->stride;
        velocity[3 * k] = points_coordinate(flow->x, from, flow->wide);
        velocity[3 * k + 1] = points_coordinate(flow->y, from, flow->wide);
        velocity[3 * k + 2] = points_coordinate(flow->z, from, flow->wide);
    }
}

/* Those up to reach2 that were kept by shells, in order, which they nearly are. Returns
 * how many, or -1 where it would take many steps. */
enum { SO_MEMBERS_STEPS = 32 };
static inline i64 so_members_insert(const so_kept *kept, index_t c, f64 reach2, i64 room,
                                    const so_members_telling *by, const so_sort_list *to) {
    const so_kept_list list = kept->list[c];
    const i64 end = so_kept_end(kept, &list, reach2);
    i64 count = 0, steps = SO_MEMBERS_STEPS * list.count;
    for (i64 k = list.begin; k < end; k++) {
        const f64 r2 = kept->r2[k];
        const u32 who = kept->who[k];
        if (!(r2 <= reach2) || count++ >= room)
            continue;
        if (by->told->arrays > 0)
            points_ask(by->at, who);
        if (by->told->arrays > 1)
            points_ask(by->flow, who);
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

static inline void so_members_sort(i64 count, f64 reach2, const so_members_telling *by,
                                   const so_sort_list *gathered,
                                   const so_sort_list *sifted) {
    so_shells shells;
    for (i64 k = 0; k < count && by->told->arrays > 0; k++)
        points_ask(by->at, gathered->who[k]);
    for (i64 k = 0; k < count && by->told->arrays > 1; k++)
        points_ask(by->flow, gathered->who[k]);
    so_sift(&shells, count, 1, reach2 > 0 ? sqrt(reach2) : 1, gathered, sifted);
    for (i32 b = 0; b < shells.shells; b++)
        so_sort_shell(&shells, sifted, b);
}

/* The list around center c, into [begin, begin + room). Returns how many it holds. */
static inline i64 so_members_of(const so_members_telling *by, const grid_view *cells,
                                const so_kept *kept, GLOBAL const i64 *id,
                                GLOBAL const f64 *center, f64 reach2,
                                const so_members_lists *lists, index_t c, i64 begin,
                                i64 room) {
    so_sort_list gathered, sifted;
    so_runs_list list;
    i64 count = -1;
    gathered.id = id;
    gathered.named = 1;
    sifted = gathered;
    list.room = room;
    list.count = 0;
    list.r2 = gathered.r2 = lists->gathered_r2 + begin;
    list.who = gathered.who = lists->gathered_who + begin;
    sifted.r2 = lists->r2 + begin;
    sifted.who = lists->who + begin;
    if (reach2 >= 0 && so_kept_has(kept, c, reach2) && kept->list[c].width < INFINITY)
        count = so_members_insert(kept, c, reach2, room, by, &sifted);
    if (count >= 0)
        return count;
    count = so_kept_gather(by->s, by->at, cells, kept, center, c, reach2, &list);
    if (count == room && count > 0)
        so_members_sort(count, reach2, by, &gathered, &sifted);
    return count;
}

/* Lists i, i + items, ..., each of which is told of once the next one was found, by when
 * what was asked for has come. */
static inline void so_members_list(index_t i, so_search s, points_coordinates at,
                                   points_coordinates flow, grid_view cells, so_kept kept,
                                   GLOBAL const i64 *id, i64 items,
                                   GLOBAL const f64 *center, GLOBAL const f64 *reach2,
                                   so_members_lists lists, so_members_told told) {
    const so_members_telling by = {&s, &at, &flow, &told};
    i64 before = -1;
    for (i64 k = (i64)i; k < lists.spheres; k += items) {
        const i64 begin = lists.offset[k], room = lists.offset[k + 1] - begin;
        const index_t c = (index_t)(lists.first + k);
        lists.found[k] = so_members_of(&by, &cells, &kept, id, center, reach2[c], &lists, c,
                                       begin, room);
        if (before >= 0)
            so_members_tell(&by, &lists, center, before);
        before = lists.found[k] == room ? k : -1;
    }
    if (before >= 0)
        so_members_tell(&by, &lists, center, before);
}

#endif
