/* Particles around centers by many work-items: rows of cells, then the particles in them,
 * each with a key by which all are sorted at once: its sphere's number, and below that its
 * squared distance, rounded down. Those of equal keys are sorted one by one. */
#ifndef WEFT_SO_LISTS_KERNEL_H
#define WEFT_SO_LISTS_KERNEL_H

#include "so_search.kernel.h"
#include "so_sort.kernel.h"

enum { SO_LISTS_BITS = 40 /* of keys */ };

/* Listed centers from `first` on. */
typedef struct so_lists_centers {
    i64 first;
    GLOBAL const u32 *list;
    GLOBAL const f64 *center, *reach2;
} so_lists_centers;

/* Of each row its sphere, and which row of the sphere's it is; the particles in its cells,
 * which are those of one range, and where it crosses the box's edge of one more. */
typedef struct so_lists_rows {
    GLOBAL const u32 *sphere, *place;
    GLOBAL u32 *begin, *count, *next, *all;
} so_lists_rows;

/* Of each particle in a row. */
typedef struct so_lists_found {
    i32 shift;
    GLOBAL u64 *key; /* SO_LISTS_FAR beyond reach */
    GLOBAL u32 *who;
} so_lists_found;

CONSTANT u64 SO_LISTS_FAR = ~(u64)0;

static inline so_search_axis so_lists_axis(const so_search *s, const f64 *center, i32 axis,
                                           f64 reach) {
    return so_search_along(center[axis], s->g.low[axis], s->g.side[axis], s->g.cells[axis],
                           s->g.box[axis], reach);
}

static inline index_t so_lists_center(const so_lists_centers *of, i64 sphere, f64 *center) {
    const index_t c = (index_t)of->list[of->first + sphere];
    for (i32 axis = 0; axis < 3; axis++)
        center[axis] = of->center[3 * c + axis];
    return c;
}

/* How many rows of cells the box around listed sphere i touches. */
static inline void so_lists_count(index_t i, so_search s, so_lists_centers of,
                                  GLOBAL u32 *count) {
    f64 center[3];
    const index_t c = so_lists_center(&of, (i64)i, center);
    const f64 reach2 = of.reach2[c], reach = sqrt(max(reach2, 0.0));
    const so_search_axis y = so_lists_axis(&s, center, 1, reach);
    const so_search_axis z = so_lists_axis(&s, center, 2, reach);
    count[i] = reach2 < 0 ? 0 : (u32)(y.count * z.count);
}

/* Finds the particles of a row. */
static inline void so_lists_look(index_t row, so_search s, grid_view cells,
                                 so_lists_centers of, so_lists_rows rows) {
    f64 center[3];
    const index_t c = so_lists_center(&of, (i64)rows.sphere[row], center);
    const f64 reach = sqrt(of.reach2[c]), far = reach * (1 + 1e-9);
    const so_search_axis y = so_lists_axis(&s, center, 1, reach);
    const so_search_axis z = so_lists_axis(&s, center, 2, reach);
    const i64 cy = y.first + (i64)(rows.place[row] % (u32)y.count);
    const i64 cz = z.first + (i64)(rows.place[row] / (u32)y.count);
    const f64 gap_y = so_search_gap(&y, cy, s.g.side[1]);
    const f64 gap_z = so_search_gap(&z, cz, s.g.side[2]);
    const f64 left = far * far - gap_y * gap_y - gap_z * gap_z;
    u32 begin = 0, count = 0, next = 0, more = 0;
    if (left >= 0) {
        const u64 line = so_search_line(&s.g, cy, cz);
        const so_search_axis x = so_lists_axis(&s, center, 0, sqrt(left));
        for (i64 image = -1; image < 2; image++) {
            u32 from, to;
            so_search_range(&s, &cells, &x, line, image, &from, &to);
            if (from < to) {
                from = cells.cell_start[from];
                to = cells.cell_start[to];
            }
            next = count > 0 && from < to ? from : next;
            more = count > 0 ? more + (to - from) : more;
            begin = count > 0 ? begin : from;
            count = count > 0 ? count : to - from;
        }
    }
    rows.begin[row] = begin;
    rows.count[row] = count;
    rows.next[row] = next;
    rows.all[row] = count + more;
}

/* Particle i of all in rows: number place[i] of row[i]. */
static inline void so_lists_key(index_t i, so_search s, points_coordinates at,
                                grid_view cells, so_lists_centers of, so_lists_rows rows,
                                GLOBAL const u32 *row, GLOBAL const u32 *place,
                                so_lists_found found) {
    f64 center[3];
    const u32 r = row[i], sphere = rows.sphere[r], k = place[i], count = rows.count[r];
    const u32 p = k < count ? rows.begin[r] + k : rows.next[r] + (k - count);
    const index_t c = so_lists_center(&of, (i64)sphere, center);
    const u32 who = cells.point[p].index;
    const f64 reach2 = of.reach2[c], r2 = so_search_r2(&s, &at, who, center);
    const f64 part = reach2 > 0 ? r2 / reach2 : 0.0;
    const u64 most = ((u64)1 << found.shift) - 1;
    found.key[i] = r2 <= reach2
                       ? (u64)sphere << found.shift | min((u64)(part * (f64)most), most)
                       : SO_LISTS_FAR;
    found.who[i] = who;
}

static inline u32 so_lists_is_near(index_t i, GLOBAL const u64 *key) {
    return key[i] != SO_LISTS_FAR;
}

/* Where the members of sphere i begin. */
static inline void so_lists_begin(index_t i, i32 shift, i64 members, GLOBAL const u64 *key,
                                  GLOBAL i64 *offset) {
    i64 low = 0, high = members;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (key[middle] >> shift < (u64)i)
            low = middle + 1;
        else
            high = middle;
    }
    offset[i] = low;
}

static inline void so_lists_measure(index_t k, so_search s, points_coordinates at,
                                    so_lists_centers of, i32 shift, GLOBAL const u64 *key,
                                    GLOBAL const u32 *who, GLOBAL f64 *r2) {
    f64 center[3];
    so_lists_center(&of, (i64)(key[k] >> shift), center);
    r2[k] = so_search_r2(&s, &at, who[k], center);
}

/* Sorts the run of equal keys that begins at k. */
static inline void so_lists_order(index_t k, i64 members, GLOBAL const i64 *id,
                                  GLOBAL const u64 *key, GLOBAL f64 *r2, GLOBAL u32 *who) {
    i64 end = (i64)k + 1;
    if (k > 0 && key[k - 1] == key[k])
        return;
    while (end < members && key[end] == key[k])
        end++;
    so_sort_list list;
    list.r2 = r2;
    list.who = who;
    list.id = id;
    list.named = 1;
    so_sort(&list, (i64)k, end);
}

#endif
