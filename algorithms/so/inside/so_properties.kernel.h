/* Sums over the particles of spheres, nearest first, a block of them a work-item.
 * The blocks are leaves of a pyramid: a sphere's sums depend on nothing but the sphere. */
#ifndef WEFT_SO_PROPERTIES_KERNEL_H
#define WEFT_SO_PROPERTIES_KERNEL_H

#include "algorithms/pyramid/pyramid.kernel.h"
#include "algorithms/so/so.kernel.h"

enum { SO_PROPERTIES_BLOCK = 256, SO_PROPERTIES_BITS = 8 };

/* Over a block or a sphere: mass, and mass times distance, place, velocity, the products of
 * coordinates (xx yy zz xy xz yz) and those of directions. */
typedef struct so_properties_sums {
    f64 mass, distance, place[3], flow[3], inertia[6], reduced[6];
} so_properties_sums;

/* The same of what needs the means: mass times place x velocity, and the products of
 * velocities; the largest M_k / r_k, and r_k there; the half-mass radius, or -1; mass
 * times place . velocity. */
typedef struct so_properties_moments {
    f64 spin[3], spread[6], steepest, at, half_at, outward;
} so_properties_moments;

/* The particles of some spheres, of centers from `first` on, sphere by sphere. */
typedef struct so_properties_members {
    i64 first, spheres;
    i32 moves;                      /* velocities are known */
    GLOBAL const i64 *offset, *end; /* where each begins and ends */
    GLOBAL const f64 *r2;
    GLOBAL const u32 *who;
    GLOBAL const u32 *weight; /* words; unless masses differ not used */
} so_properties_members;

/* Of these particles places from the center, and velocities as they were read. */
typedef struct so_properties_lists {
    GLOBAL const f64 *place, *flow;
} so_properties_lists;

/* The spheres of all centers, and what they are measured by. */
typedef struct so_properties_spheres {
    f64 gravity, softening, hubble;
    GLOBAL const f64 *center, *mass, *radius;
} so_properties_spheres;

static inline i64 so_properties_first(const so_properties_members *of, i64 sphere) {
    return pyramid_first(of->offset[sphere], sphere, SO_PROPERTIES_BITS);
}

/* The particles of a block, up to where its sphere ends. */
static inline pyramid_range so_properties_range(const so_properties_members *of,
                                                i64 block) {
    pyramid_range r = pyramid_range_of(block, of->spheres, SO_PROPERTIES_BITS, of->offset);
    r.end = min(r.end, of->end[r.segment]);
    return r;
}

static inline f64 so_properties_mass(const so_search *s, const so_properties_members *of,
                                     i64 k) {
    return s->weighted ? points_coordinate(of->weight, (index_t)of->who[k], s->wide_mass)
                       : s->mass;
}

/* The velocity of the nearest particle of a sphere; 0 where there is none, or none moves.
 */
static inline void so_properties_nearest(const so_properties_members *of,
                                         GLOBAL const f64 *flow, i64 sphere, f64 *v0) {
    const i32 some = of->moves && of->offset[sphere] < of->end[sphere];
    for (i32 a = 0; a < 3; a++)
        v0[a] = some ? flow[3 * of->offset[sphere] + a] : 0.0;
}

/* What lists tell of each particle, one a work-item. */
static inline void so_properties_place(index_t k, so_search s, points_coordinates at,
                                       points_coordinates flow, so_properties_members of,
                                       GLOBAL const f64 *center, GLOBAL f64 *place,
                                       GLOBAL f64 *velocity) {
    const i64 sphere = pyramid_segment((i64)k, of.spheres, of.offset);
    f64 x[3], v[3];
    points_read(&at, of.who[k], x);
    for (i32 a = 0; a < 3; a++)
        place[3 * k + a] =
            so_search_nearest(x[a] - center[3 * (of.first + sphere) + a], s.box[a]);
    if (!of.moves)
        return;
    points_read(&flow, of.who[k], v);
    for (i32 a = 0; a < 3; a++)
        velocity[3 * k + a] = v[a];
}

/* Adds mass times the products of coordinates. */
static inline void so_properties_spread(f64 m, f64 x, f64 y, f64 z, f64 *sum) {
    sum[0] += m * (x * x);
    sum[1] += m * (y * y);
    sum[2] += m * (z * z);
    sum[3] += m * (x * y);
    sum[4] += m * (x * z);
    sum[5] += m * (y * z);
}

/* Adds a particle at distance r, of which the inverse is 0 where r is. */
static inline void so_properties_one(f64 m, f64 r, f64 inverse, GLOBAL const f64 *at,
                                     so_properties_sums *sum) {
    const f64 x = at[0], y = at[1], z = at[2];
    sum->mass += m;
    sum->distance += m * r;
    sum->place[0] += m * x;
    sum->place[1] += m * y;
    sum->place[2] += m * z;
    so_properties_spread(m, x, y, z, sum->inertia);
    so_properties_spread(m, x * inverse, y * inverse, z * inverse, sum->reduced);
}

/* The sums of a block. */
static inline void so_properties_sum(index_t block, so_search s, so_properties_members of,
                                     so_properties_lists lists,
                                     GLOBAL so_properties_sums *sums) {
    const pyramid_range among = so_properties_range(&of, block);
    f64 v0[3];
    so_properties_nearest(&of, lists.flow, among.segment, v0);
    so_properties_sums sum = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0}, {0.0}};
    for (i64 k = among.begin; k < among.end; k++) {
        const f64 m = so_properties_mass(&s, &of, k);
        const f64 r = sqrt(of.r2[k]);
        so_properties_one(m, r, r > 0 ? 1 / r : 0.0, lists.place + 3 * k, &sum);
        for (i32 a = 0; a < 3 && of.moves; a++)
            sum.flow[a] += m * (lists.flow[3 * k + a] - v0[a]);
    }
    sums[block] = sum;
}

static inline void so_properties_join(so_properties_sums *all,
                                      const so_properties_sums *sum) {
    all->mass += sum->mass;
    all->distance += sum->distance;
    for (i32 a = 0; a < 3; a++) {
        all->place[a] += sum->place[a];
        all->flow[a] += sum->flow[a];
    }
    for (i32 a = 0; a < 6; a++) {
        all->inertia[a] += sum->inertia[a];
        all->reduced[a] += sum->reduced[a];
    }
}

/* The sums of a sphere, and the mass before each of its blocks. */
static inline void so_properties_add(index_t sphere, so_properties_members of,
                                     GLOBAL const so_properties_sums *sums,
                                     GLOBAL so_properties_sums *total, GLOBAL f64 *before) {
    const i64 first = so_properties_first(&of, sphere);
    const i64 end = so_properties_first(&of, sphere + 1);
    so_properties_sums all = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0}, {0.0}};
    for (i64 block = first; block < end; block++) {
        const so_properties_sums sum = sums[block];
        before[block] = all.mass;
        so_properties_join(&all, &sum);
    }
    total[sphere] = all;
}

/* What one particle adds to the moments: its place, and its velocity about the mean. */
static inline void so_properties_turn(f64 m, GLOBAL const f64 *x, const f64 *d,
                                      so_properties_moments *sum) {
    for (i32 a = 0; a < 3; a++)
        sum->spread[a] += m * (d[a] * d[a]);
    sum->spread[3] += m * (d[0] * d[1]);
    sum->spread[4] += m * (d[0] * d[2]);
    sum->spread[5] += m * (d[1] * d[2]);
    sum->outward += m * (x[0] * d[0] + x[1] * d[1] + x[2] * d[2]);
    sum->spin[0] += m * (x[1] * d[2] - x[2] * d[1]);
    sum->spin[1] += m * (x[2] * d[0] - x[0] * d[2]);
    sum->spin[2] += m * (x[0] * d[1] - x[1] * d[0]);
}

/* The moments of a block. */
static inline void so_properties_rest(index_t block, so_search s, so_properties_members of,
                                      so_properties_spheres by, so_properties_lists lists,
                                      GLOBAL const so_properties_sums *total,
                                      GLOBAL const f64 *before,
                                      GLOBAL so_properties_moments *moments) {
    const pyramid_range among = so_properties_range(&of, block);
    const f64 whole = by.mass[of.first + among.segment];
    so_properties_moments sum = {{0.0, 0.0, 0.0}, {0.0, 0.0}, 0.0, 0.0, -1.0, 0.0};
    f64 mean[3], v0[3], d[3], inside = 0.0;
    so_properties_nearest(&of, lists.flow, among.segment, v0);
    for (i32 a = 0; a < 3; a++)
        mean[a] = among.begin < among.end ? total[among.segment].flow[a] / whole : 0.0;
    for (i64 k = among.begin; k < among.end; k++) {
        const f64 m = so_properties_mass(&s, &of, k);
        const f64 r = sqrt(of.r2[k]), soft = max(r, by.softening);
        inside += m;
        const f64 to_here = s.weighted ? before[block] + inside
                                       : (f64)(k + 1 - of.offset[among.segment]) * s.mass;
        if (sum.half_at < 0 && 2 * to_here >= whole)
            sum.half_at = r;
        if (soft > 0 && to_here / soft > sum.steepest) {
            sum.steepest = to_here / soft;
            sum.at = r;
        }
        if (!of.moves)
            continue;
        for (i32 a = 0; a < 3; a++)
            d[a] = lists.flow[3 * k + a] - v0[a] - mean[a];
        so_properties_turn(m, lists.place + 3 * k, d, &sum);
    }
    moments[block] = sum;
}

#endif
