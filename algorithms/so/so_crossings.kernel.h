/* First crossings in lists of particles that are sorted, all at once. */
#ifndef WEFT_SO_CROSSINGS_KERNEL_H
#define WEFT_SO_CROSSINGS_KERNEL_H

#include "algorithms/pyramid/pyramid.kernel.h"
#include "so.kernel.h"

enum { SO_CROSSINGS_BITS = 8 /* 2^8 is SO_BLOCK */ };

CONSTANT u32 SO_CROSSINGS_NONE = 0xffffffffu;

/* Of listed centers from `first` on. */
typedef struct so_crossings_lists {
    i64 first, spheres;
    i32 shift;
    GLOBAL const u32 *list;
    GLOBAL const u64 *key;
    GLOBAL const i64 *offset;
    GLOBAL const f64 *r2;
    GLOBAL const u32 *who;
    GLOBAL const u32 *weight; /* words; unless masses differ not used */
} so_crossings_lists;

/* How far to look around listed center i. */
static inline void so_crossings_reach(index_t i, GLOBAL const u32 *list, so_found found,
                                      GLOBAL f64 *reach2) {
    const index_t c = (index_t)list[i];
    const f64 within = found.within ? found.within[c] : (f64)INFINITY;
    const f64 reach = min(found.reach[c], within);
    found.reach[c] = reach;
    reach2[c] = within > 0 ? reach * reach : -1.0;
}

/* Notes a crossing for each threshold at which the sphere of particle k is dense and that
 * of the next is not: masses inside them, and squares of their radii. */
static inline void so_crossings_note(const so_search *s, const so_crossings_lists *of,
                                     i64 sphere, i64 k, f64 inside, f64 next,
                                     GLOBAL u32 *crossing) {
    for (i32 t = 0; t < s->densities; t++)
        if (so_dense(inside, s->q[t], of->r2[k]) && !so_dense(next, s->q[t], of->r2[k + 1]))
            atomic_min_u32(crossing + t * of->spheres + sphere,
                           (u32)(k + 1 - of->offset[sphere]));
}

/* Of equal masses, at particle k. */
static inline void so_crossings_find(index_t k, so_search s, so_crossings_lists of,
                                     GLOBAL u32 *crossing) {
    const i64 sphere = (i64)(of.key[k] >> of.shift);
    const i64 rank = (i64)k + 1 - of.offset[sphere];
    if ((i64)k + 1 < of.offset[sphere + 1])
        so_crossings_note(&s, &of, sphere, (i64)k, (f64)rank * s.mass,
                          (f64)(rank + 1) * s.mass, crossing);
}

static inline f64 so_crossings_mass(const so_search *s, const so_crossings_lists *of,
                                    i64 k) {
    return points_coordinate(of->weight, (index_t)of->who[k], s->wide_mass);
}

static inline i64 so_crossings_first(const so_crossings_lists *of, i64 sphere) {
    return pyramid_first(of->offset[sphere], sphere, SO_CROSSINGS_BITS);
}

/* The masses of particles [begin, end), of one block. */
static inline f64 so_crossings_sum(const so_search *s, const so_crossings_lists *of,
                                   i64 begin, i64 end) {
    f64 sum = 0;
    for (i64 k = begin; k < end; k++)
        sum += so_crossings_mass(s, of, k);
    return sum;
}

/* The mass of a block. */
static inline void so_crossings_weigh(index_t block, so_search s, so_crossings_lists of,
                                      GLOBAL f64 *mass) {
    const pyramid_range r =
        pyramid_range_of(block, of.spheres, SO_CROSSINGS_BITS, of.offset);
    mass[block] = so_crossings_sum(&s, &of, r.begin, r.end);
}

/* From the masses of a sphere's blocks those before each, and the whole. */
static inline void so_crossings_add(index_t sphere, so_crossings_lists of, GLOBAL f64 *mass,
                                    GLOBAL f64 *whole) {
    f64 sum = 0;
    for (i64 b = so_crossings_first(&of, (i64)sphere);
         b < so_crossings_first(&of, (i64)sphere + 1); b++) {
        const f64 own = mass[b];
        mass[b] = sum;
        sum += own;
    }
    whole[sphere] = sum;
}

/* Of masses that differ: at the particles of a block, the last of which is compared with
 * the next block's first. */
static inline void so_crossings_cross(index_t block, so_search s, so_crossings_lists of,
                                      GLOBAL const f64 *before, GLOBAL u32 *crossing) {
    const pyramid_range r =
        pyramid_range_of(block, of.spheres, SO_CROSSINGS_BITS, of.offset);
    f64 sum = 0, inside = before[block];
    for (i64 k = r.begin; k < r.end; k++) {
        sum += so_crossings_mass(&s, &of, k);
        const f64 next = before[block] + sum;
        if (k > of.offset[r.segment])
            so_crossings_note(&s, &of, r.segment, k - 1, inside, next, crossing);
        inside = next;
    }
}

/* The mass of the first n particles of a sphere. */
static inline f64 so_crossings_inside(const so_search *s, const so_crossings_lists *of,
                                      i64 sphere, i64 n, GLOBAL const f64 *before) {
    if (!s->weighted || n == 0)
        return (f64)n * s->mass;
    const i64 block = (n - 1) >> SO_CROSSINGS_BITS, first = of->offset[sphere];
    return before[so_crossings_first(of, sphere) + block] +
           so_crossings_sum(s, of, first + block * (i64)SO_BLOCK, first + n);
}

/* What the crossings say of sphere i: notes what was found, or looks farther. */
static inline void so_crossings_close(index_t i, so_search s, i64 points,
                                      so_crossings_lists of, GLOBAL const f64 *before,
                                      GLOBAL const f64 *whole, GLOBAL const u32 *crossing,
                                      so_found found) {
    const index_t c = (index_t)of.list[of.first + (i64)i];
    const i64 begin = of.offset[i], count = of.offset[i + 1] - begin;
    const f64 within = found.within ? found.within[c] : (f64)INFINITY;
    const f64 all = s.weighted ? whole[i] : (f64)count * s.mass;
    const i32 known = within > 0;
    i32 closed = known;
    so_sphere sphere;
    for (i32 t = 0; t < s.densities && closed; t++) {
        const u32 at = crossing[t * of.spheres + (i64)i];
        const i32 dense = count > 0 && so_dense(all, s.q[t], of.r2[begin + count - 1]);
        const i64 n = at != SO_CROSSINGS_NONE ? (i64)at : dense ? count : 0;
        closed = at != SO_CROSSINGS_NONE ||
                 so_is_last(&s, points, count, all, dense, s.q[t], found.reach[c]);
        sphere.count[t] = n;
        sphere.mass[t] = n == count ? all : so_crossings_inside(&s, &of, (i64)i, n, before);
    }
    const i32 open = !closed && (!known || found.reach[c] == within);
    found.need[c] = !closed && !open;
    if (closed || open)
        so_note(&s, &sphere, open, c, &found);
    else
        found.reach[c] *= 1.2599210498948732;
}

#endif
