/* A sphere that may hold a good part of all particles, of equal masses, as those of
 * thresholds near the mean density do. All particles are counted in thin shells, in the
 * order of the input and without a list. The counts decide nearly all shells; particles of
 * the few that they leave open are gathered in a second turn, and sorted. */
#ifndef WEFT_SO_WIDE_KERNEL_H
#define WEFT_SO_WIDE_KERNEL_H

#include "so_dense.kernel.h"
#include "algorithms/so/around/so_sort.kernel.h"

enum { SO_WIDE_SHELLS = 512, SO_WIDE_TILE = 128, SO_WIDE_SHARE = 64, SO_WIDE_LEAST = 1024 };

CONSTANT u32 SO_WIDE_DECIDED = 0xffffffff;

/* Shells of equal areas: the squares of their radii ascend evenly. */
typedef struct so_wide_shells {
    f64 per_area;
    u32 end[SO_WIDE_SHELLS];      /* particles up to each one's end */
    u32 fill[SO_WIDE_SHELLS + 1]; /* in the list, where those of an open one go next */
} so_wide_shells;

/* This is for lists of more particles than that, if all particles there are are known. */
static inline i64 so_wide_above(const so_search *s, i64 points) {
    const i32 may =
        !s->weighted && !s->in_part && points >= SO_WIDE_LEAST && points < ((i64)1 << 32);
    return may ? points / SO_WIDE_SHARE : points;
}

/* Whether it is for a sphere with so many particles, of which more may follow. */
static inline i32 so_wide_suits(const so_search *s, i64 points, i64 count, f64 within) {
    return count > so_wide_above(s, points) && within == (f64)INFINITY;
}

/* Squares of coordinates of a tile along an axis, added to what is there. Returns whether a
 * particle is two boxes away. */
static inline i32 so_wide_add(GLOBAL const u32 *words, index_t first, index_t stride,
                              i32 wide, i32 n, f64 box, f64 center, f64 *r2) {
    i32 far = 0;
    for (i32 k = 0; k < n; k++) {
        const f64 d = points_coordinate(words, first + k * stride, wide) - center;
        const f64 near = box > 0 ? points_remainder_near(d, box) : d;
        far |= box > 0 && !(fabs(d) < 2 * box);
        r2[k] += near * near;
    }
    return far;
}

/* The squared distances of n particles from the center, and their shells; beyond the last
 * one it is SO_WIDE_SHELLS. */
static inline void so_wide_tile(const so_search *s, const points_coordinates *at, i64 first,
                                i32 n, const f64 *center, f64 per_area, f64 *r2,
                                i32 *shell) {
    const index_t stride = (index_t)at->stride, from = (index_t)first * stride;
    for (i32 k = 0; k < n; k++)
        r2[k] = 0;
    i32 far = so_wide_add(at->x, from, stride, at->wide, n, s->box[0], center[0], r2);
    far |= so_wide_add(at->y, from, stride, at->wide, n, s->box[1], center[1], r2);
    far |= so_wide_add(at->z, from, stride, at->wide, n, s->box[2], center[2], r2);
    for (i32 k = 0; far && k < n; k++)
        r2[k] = so_search_r2(s, at, (u32)first + (u32)k, center);
    for (i32 k = 0; k < n; k++) {
        const f64 at_shell = r2[k] * per_area;
        shell[k] = at_shell < (f64)SO_WIDE_SHELLS ? (i32)at_shell : SO_WIDE_SHELLS;
    }
}

/* Counts all particles into shells. */
static inline void so_wide_count(const so_search *s, const points_coordinates *at,
                                 i64 points, const f64 *center, so_wide_shells *shells) {
    f64 r2[SO_WIDE_TILE];
    i32 shell[SO_WIDE_TILE];
    u32 count[SO_WIDE_SHELLS + 1];
    for (i32 b = 0; b <= SO_WIDE_SHELLS; b++)
        count[b] = 0;
    for (i64 first = 0; first < points; first += SO_WIDE_TILE) {
        const i32 n = (i32)min(points - first, (i64)SO_WIDE_TILE);
        so_wide_tile(s, at, first, n, center, shells->per_area, r2, shell);
        for (i32 k = 0; k < n; k++)
            count[shell[k]]++;
    }
    u32 sum = 0;
    for (i32 b = 0; b < SO_WIDE_SHELLS; b++)
        shells->end[b] = sum += count[b];
}

static inline u32 so_wide_begin(const so_wide_shells *shells, i32 b) {
    return b > 0 ? shells->end[b - 1] : 0;
}

/* Whether all spheres that end in a shell are dense, and whether some may be. */
static inline i32 so_wide_all(const so_wide_shells *shells, i32 b, f64 mass, f64 q) {
    return so_dense(((f64)so_wide_begin(shells, b) + 1) * mass, q * (1 - SO_DOUBT),
                    (f64)(b + 1) / shells->per_area);
}

static inline i32 so_wide_some(const so_wide_shells *shells, i32 b, f64 mass, f64 q) {
    return so_dense((f64)shells->end[b] * mass, q * (1 + SO_DOUBT),
                    (f64)b / shells->per_area);
}

/* Opens the shells in which the first crossing of a threshold may lie. */
static inline void so_wide_open(so_wide_shells *shells, f64 mass, f64 q) {
    i32 was_dense = 0;
    for (i32 b = 0; b < SO_WIDE_SHELLS; b++) {
        if (so_wide_begin(shells, b) == shells->end[b])
            continue;
        const i32 all = so_wide_all(shells, b, mass, q);
        const i32 some = so_wide_some(shells, b, mass, q);
        if (!all && some)
            shells->fill[b] = 0;
        if (!some && was_dense)
            return;
        was_dense |= all;
    }
}

/* Gathers and sorts the particles of open shells. */
static inline void so_wide_gather(const so_search *s, const points_coordinates *at,
                                  i64 points, const f64 *center, so_wide_shells *shells,
                                  GLOBAL f64 *list) {
    f64 r2[SO_WIDE_TILE];
    i32 shell[SO_WIDE_TILE];
    for (i64 first = 0; first < points; first += SO_WIDE_TILE) {
        const i32 n = (i32)min(points - first, (i64)SO_WIDE_TILE);
        so_wide_tile(s, at, first, n, center, shells->per_area, r2, shell);
        for (i32 k = 0; k < n; k++) {
            const i32 b = shell[k];
            if (shells->fill[b] != SO_WIDE_DECIDED)
                list[(index_t)shells->fill[b]++] = r2[k];
        }
    }
    so_sort_list sorted;
    sorted.r2 = list;
    sorted.who = 0;
    sorted.id = 0;
    sorted.named = 0;
    for (i32 b = 0; b < SO_WIDE_SHELLS; b++)
        if (shells->fill[b] != SO_WIDE_DECIDED)
            so_sort(&sorted,
                    (i64)shells->fill[b] - (shells->end[b] - so_wide_begin(shells, b)),
                    (i64)shells->fill[b]);
}

/* How many particles the sphere of a threshold holds. */
static inline i64 so_wide_cross(const so_wide_shells *shells, GLOBAL const f64 *list,
                                f64 mass, f64 q) {
    i32 dense = 0;
    for (i32 b = 0; b < SO_WIDE_SHELLS; b++) {
        const i64 begin = so_wide_begin(shells, b), end = shells->end[b];
        if (begin == end)
            continue;
        const i32 all = so_wide_all(shells, b, mass, q);
        if (!all && so_wide_some(shells, b, mass, q)) {
            const i64 from = (i64)shells->fill[b] - end;
            for (i64 k = begin; k < end; k++) {
                const i32 is = so_dense((f64)(k + 1) * mass, q, list[(index_t)(from + k)]);
                if (dense && !is)
                    return k;
                dense = is;
            }
        } else {
            if (dense && !all)
                return begin;
            dense = all;
        }
    }
    return dense ? (i64)shells->end[SO_WIDE_SHELLS - 1] : 0;
}

/* All thresholds. Returns whether there was room for what had to be gathered; where not,
 * the sphere tells how much that is. */
static inline i32 so_wide(const so_search *s, const points_coordinates *at, i64 points,
                          GLOBAL f64 *list, i64 room, so_sphere *sphere) {
    so_wide_shells shells;
    f64 v = 0;
    for (i32 t = 0; t < s->densities; t++)
        v = max(v, s->v[t]);
    /* Past this no sphere is dense, though it held all there is. */
    const f64 most = so_cube_root(s->all_mass * v) * (1 + 1e-6);
    shells.per_area = (f64)SO_WIDE_SHELLS / (most * most);
    so_wide_count(s, at, points, sphere->center, &shells);
    for (i32 b = 0; b <= SO_WIDE_SHELLS; b++)
        shells.fill[b] = SO_WIDE_DECIDED;
    for (i32 t = 0; t < s->densities; t++)
        so_wide_open(&shells, s->mass, s->q[t]);
    u32 sum = 0;
    for (i32 b = 0; b < SO_WIDE_SHELLS; b++)
        if (shells.fill[b] != SO_WIDE_DECIDED) {
            shells.fill[b] = sum;
            sum += shells.end[b] - so_wide_begin(&shells, b);
        }
    sphere->need = (i64)sum;
    if (sphere->need > room)
        return 0;
    if (sum > 0)
        so_wide_gather(s, at, points, sphere->center, &shells, list);
    for (i32 t = 0; t < s->densities; t++) {
        sphere->count[t] = so_wide_cross(&shells, list, s->mass, s->q[t]);
        sphere->mass[t] = (f64)sphere->count[t] * s->mass;
    }
    return 1;
}

#endif
