/* The sphere around a center in which the mean density is a given one.
 *
 * Particles are put into shells by their distance. Where masses are equal, a shell can tell
 * by its edges whether all spheres that end in it are dense or none is, so that only shells
 * in which the crossing may lie are sorted. */
#ifndef WEFT_SO_KERNEL_H
#define WEFT_SO_KERNEL_H

#include "so_dense.kernel.h"
#include "algorithms/so/around/so_kept.kernel.h"
#include "algorithms/so/around/so_sort.kernel.h"
#include "so_wide.kernel.h"

enum { SO_BLOCK = 256 };

/* What became of a center. */
enum { SO_CLOSED, SO_CROWDED, SO_OPEN };

/* Places for the particles of each work-item: `room` for those that were gathered, and
 * `sifted` for those by shells.
 * Where it keeps them, those by shells around each center stand behind those around the
 * ones before, and `kept` tells where. */
typedef struct so_places {
    i64 room, sifted;
    i32 keeps;
    GLOBAL so_kept_list *kept;
    GLOBAL f64 *r2, *sifted_r2;
    GLOBAL u32 *who, *sifted_who;
} so_places;

/* Of centers, and of centers for each threshold. */
typedef struct so_found {
    GLOBAL const f64 *within; /* how far all particles are known; NULL: everywhere */
    GLOBAL f64 *reach;
    GLOBAL i64 *need;
    GLOBAL i64 *count;
    GLOBAL f64 *mass, *radius;
} so_found;

/* The first crossing of a threshold, of equal masses; -1: there is none. *dense: whether
 * the last sphere is dense. */
static inline i64 so_cross(so_shells *s, const so_sort_list *list, f64 mass, f64 q,
                           i32 *dense) {
    i64 begin = 0;
    *dense = 0;
    for (i32 b = 0; b < s->shells; b++) {
        const i64 end = s->end[b];
        if (begin == end)
            continue;
        const f64 inner = (f64)b * s->width, outer = (f64)(b + 1) * s->width;
        const f64 least = (f64)(begin + 1) * mass, most = (f64)end * mass;
        const i32 all = so_dense(least, q * (1 - SO_DOUBT), outer * outer);
        const i32 some = so_dense(most, q * (1 + SO_DOUBT), inner * inner);
        if (!all && some) {
            so_sort_shell(s, list, b);
            for (i64 k = begin; k < end; k++) {
                const i32 is = so_dense((f64)(k + 1) * mass, q, list->r2[(index_t)k]);
                if (*dense && !is)
                    return k;
                *dense = is;
            }
        } else {
            if (*dense && !all)
                return begin;
            *dense = all;
        }
        begin = end;
    }
    return -1;
}

/* All thresholds, of equal masses; returns whether all are found. */
static inline i32 so_measure(const so_search *s, i64 points, so_shells *shells,
                             const so_sort_list *list, so_sphere *sphere) {
    for (i32 t = 0; t < s->densities; t++) {
        i32 dense;
        i64 n = so_cross(shells, list, s->mass, s->q[t], &dense);
        if (n < 0 && !so_is_last(s, points, shells->count, (f64)shells->count * s->mass,
                                 dense, s->q[t], sphere->reach))
            return 0;
        n = n >= 0 ? n : dense ? shells->count : 0;
        sphere->count[t] = n;
        sphere->mass[t] = (f64)n * s->mass;
    }
    return 1;
}

/* The same where masses differ. */
static inline i32 so_weigh(const so_search *s, i64 points, so_shells *shells,
                           const so_sort_list *list, GLOBAL const u32 *mass,
                           so_sphere *sphere) {
    f64 blocks = 0, block = 0, before = 0;
    i32 left = s->densities, dense[SO_SEARCH_MOST];
    for (i32 t = 0; t < s->densities; t++) {
        sphere->count[t] = -1;
        dense[t] = 0;
    }
    for (i32 b = 0; b < shells->shells; b++)
        so_sort_shell(shells, list, b);
    for (i64 k = 0; k < shells->count && left > 0; k++) {
        const u32 who = list->who[(index_t)k];
        block += points_coordinate(mass, (index_t)who, s->wide_mass);
        const f64 inside = blocks + block;
        for (i32 t = 0; t < s->densities; t++) {
            if (sphere->count[t] >= 0)
                continue;
            const i32 is = so_dense(inside, s->q[t], list->r2[(index_t)k]);
            if (dense[t] && !is) {
                sphere->count[t] = k;
                sphere->mass[t] = before;
                left--;
            }
            dense[t] = is;
        }
        before = inside;
        if ((k + 1) % SO_BLOCK == 0) {
            blocks = inside;
            block = 0;
        }
    }
    for (i32 t = 0; t < s->densities; t++) {
        if (sphere->count[t] >= 0)
            continue;
        if (!so_is_last(s, points, shells->count, before, dense[t], s->q[t], sphere->reach))
            return 0;
        sphere->count[t] = dense[t] ? shells->count : 0;
        sphere->mass[t] = dense[t] ? before : 0;
    }
    return 1;
}

/* Around one center, from its reach on to how far all are known. Returns what became of it.
 */
static inline i32 so_grow(const so_search *s, const points_coordinates *at,
                          const grid_view *cells, GLOBAL const u32 *mass,
                          const so_sort_list *gathered, const so_sort_list *sifted,
                          i64 room, f64 within, so_sphere *sphere) {
    so_shells shells;
    sphere->need = 0;
    if (!(within > 0))
        return SO_OPEN;
    for (;; sphere->reach *= 1.2599210498948732) {
        sphere->listed = 0;
        so_runs_list list;
        sphere->reach = min(sphere->reach, within);
        list.room = room;
        list.count = 0;
        list.r2 = gathered->r2;
        list.who = gathered->who;
        so_gather_all(s, at, cells, sphere->center, sphere->reach,
                      sphere->reach * sphere->reach, &list);
        sphere->need = list.count;
        if (so_wide_suits(s, cells->points, list.count, within))
            return so_wide(s, at, cells->points, gathered->r2, room, sphere) ? SO_CLOSED
                                                                             : SO_CROWDED;
        if (sphere->need > room)
            return SO_CROWDED;
        sphere->listed = sphere->need;
        so_sift(&shells, list.count, 4, sphere->reach, gathered, sifted);
        sphere->width = shells.width;
        if (s->weighted ? so_weigh(s, cells->points, &shells, sifted, mass, sphere)
                        : so_measure(s, cells->points, &shells, sifted, sphere))
            return SO_CLOSED;
        if (sphere->reach == within)
            return SO_OPEN;
    }
}

/* The reach of a center from its guess: somewhat more than the radius of that mass. */
static inline void so_reach(index_t i, f64 least, f64 v, f64 factor, i32 kind,
                            GLOBAL const u32 *guess, GLOBAL f64 *reach) {
    f64 mass = least;
    if (kind == 1 || kind == 2)
        mass = factor * points_coordinate(guess, i, kind == 2);
    if (kind == 3)
        mass = factor * (f64)(i64)((u64)guess[2 * i] | (u64)guess[2 * i + 1] << 32);
    reach[i] = so_cube_root((mass > least && mass - mass == 0 ? mass : least) * v);
}

/* Notes what was found around center c, or that it is open. */
static inline void so_note(const so_search *s, const so_sphere *sphere, i32 open, index_t c,
                           const so_found *found) {
    for (i32 t = 0; t < s->densities; t++) {
        const index_t to = (index_t)t * (index_t)s->centers + c;
        const i64 count = open ? -1 : sphere->count[t];
        const f64 mass = open ? 0 : sphere->mass[t];
        found->count[to] = count;
        found->mass[to] = mass;
        found->radius[to] = count > 0 ? so_cube_root(mass * s->v[t]) : 0;
    }
}

/* Keeps what is listed around center c, if there is some, from place `begin` on. */
static inline void so_keep(const so_places *places, index_t c, const so_sphere *sphere,
                           i64 begin) {
    so_kept_list list;
    list.reach2 = sphere->listed > 0 ? sphere->reach * sphere->reach : -1.0;
    list.width = sphere->width;
    list.begin = begin;
    list.count = sphere->listed;
    places->kept[c] = list;
}

/* Centers i, i + items, ... of those that are listed, in places of its own. Where lists are
 * kept, `s` has whose distances they are. */
static inline void so_spheres(index_t i, so_search s, points_coordinates at,
                              grid_view cells, GLOBAL const u32 *weight,
                              GLOBAL const i64 *id, i64 items, i64 listed,
                              GLOBAL const u32 *list, GLOBAL const f64 *center,
                              so_places places, so_found found) {
    const index_t place = i * (index_t)places.room, other = i * (index_t)places.sifted;
    i64 kept = 0;
    so_sort_list stays, goes;
    stays.id = goes.id = id;
    stays.named = goes.named = s.named;
    goes.r2 = places.sifted_r2 + other;
    goes.who = places.sifted_who + (s.named ? other : 0);
    for (index_t k = i; k < listed; k += (index_t)items) {
        const index_t c = (index_t)list[k];
        so_sphere sphere;
        for (i32 axis = 0; axis < 3; axis++)
            sphere.center[axis] = center[3 * c + axis];
        sphere.reach = found.reach[c];
        sphere.listed = 0;
        sphere.width = INFINITY;
        stays.r2 = places.r2 + place + kept;
        stays.who = places.who + (s.named ? place + kept : 0);
        const i64 left = places.room - kept;
        if (k + (index_t)items < listed) {
            const index_t next = (index_t)list[k + (index_t)items];
            f64 around[3];
            for (i32 axis = 0; axis < 3; axis++)
                around[axis] = center[3 * next + axis];
            so_gather_ask_lines(&s, &cells, around, found.reach[next]);
        }
        const i32 became = so_grow(&s, &at, &cells, weight, places.keeps ? &goes : &stays,
                                   places.keeps ? &stays : &goes,
                                   places.keeps ? min(left, places.sifted) : left,
                                   found.within ? found.within[c] : (f64)INFINITY, &sphere);
        if (became != SO_CROWDED)
            so_note(&s, &sphere, became == SO_OPEN, c, &found);
        if (places.keeps) {
            sphere.listed = became == SO_CLOSED ? sphere.listed : 0;
            so_keep(&places, c, &sphere, place + kept);
            kept += sphere.listed;
        }
        found.reach[c] = sphere.reach;
        found.need[c] = became == SO_CROWDED ? sphere.need : 0;
    }
}

/* Whether center i needs more room. */
static inline u32 so_is_crowded(index_t i, GLOBAL const i64 *need) {
    return need[i] > 0;
}

#endif
