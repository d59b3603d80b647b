/* Shells around centers: runs of their particles, nearest first. */
#ifndef WEFT_SO_PROFILES_KERNEL_H
#define WEFT_SO_PROFILES_KERNEL_H

#include "so_properties.kernel.h"

/* Shells of all centers, [centers][bins]; velocities only where particles have some. */
typedef struct so_profiles_shells {
    i64 bins;
    GLOBAL const f64 *edge, *radius, *center;
    GLOBAL const f64 *velocity; /* may be NULL */
    GLOBAL i64 *count;
    GLOBAL f64 *mass, *density, *radial_velocity, *dispersion;
} so_profiles_shells;

static inline f64 so_profiles_square(f64 edge, f64 radius) {
    const f64 r = edge * radius;
    return r * r;
}

/* The squared distance up to which particles are in some shell; -1 where there is none. */
static inline void so_profiles_reach(index_t i, f64 last, GLOBAL const f64 *radius,
                                     GLOBAL f64 *reach2) {
    const f64 square = so_profiles_square(last, radius[i]);
    reach2[i] = square > 0 && square - square == 0 ? bits_f64(f64_bits(square) - 1) : -1;
}

/* The first of particles [low, high) that is not nearer than that. */
static inline i64 so_profiles_seek(GLOBAL const f64 *r2, i64 low, i64 high, f64 square) {
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (r2[middle] < square)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A particle's velocity along the way from the center, 0 at the center. */
static inline f64 so_profiles_along(const so_search *s, const points_coordinates *at,
                                    const so_properties_members *of,
                                    const so_profiles_shells *shells, i64 k, index_t c,
                                    const f64 *v) {
    const f64 r = sqrt(of->r2[k]);
    f64 x[3], along = 0;
    so_properties_read(at, of->who[k], x);
    for (i32 a = 0; a < 3; a++) {
        const f64 d = x[a] - shells->center[3 * c + a];
        const f64 from = shells->velocity ? shells->velocity[3 * c + a] : 0;
        along += (v[a] - from) * (s->box[a] > 0 ? points_remainder(d, s->box[a]) : d);
    }
    return r > 0 ? along / r : 0;
}

static inline f64 so_profiles_square_of(const f64 *v, const f64 *v0, const f64 *mean) {
    f64 apart = 0;
    for (i32 a = 0; a < 3; a++) {
        const f64 d = v[a] - v0[a] - mean[a];
        apart += d * d;
    }
    return apart;
}

/* Asks for place and velocity of particle k, unless it is past the end. */
static inline void so_profiles_ask(const points_coordinates *at,
                                   const points_coordinates *flow,
                                   const so_properties_members *of, i64 k, i64 end) {
    if (k >= end)
        return;
    so_properties_ask(at, of->who[k]);
    so_properties_ask(flow, of->who[k]);
}

/* The motions of particles [begin, end), of shell `to`, whose mass is known. */
static inline void so_profiles_move(const so_search *s, const points_coordinates *at,
                                    const points_coordinates *flow,
                                    const so_properties_members *of,
                                    const so_profiles_shells *shells, i64 begin, i64 end,
                                    index_t c, index_t to) {
    f64 v[3], v0[3], mean[3] = {0.0, 0.0, 0.0}, radial = 0, square = 0;
    const f64 mass = shells->mass[to];
    so_properties_read(flow, of->who[begin], v0);
    for (i64 k = begin; k < end; k++) {
        const f64 m = so_properties_mass(s, of, k);
        so_profiles_ask(at, flow, of, k + SO_PROPERTIES_AHEAD, of->offset[of->spheres]);
        so_properties_read(flow, of->who[k], v);
        for (i32 a = 0; a < 3; a++)
            mean[a] += m * (v[a] - v0[a]);
        radial += m * so_profiles_along(s, at, of, shells, k, c, v);
    }
    for (i32 a = 0; a < 3; a++)
        mean[a] = mean[a] / mass;
    for (i64 k = begin; k < end; k++) {
        so_properties_read(flow, of->who[k], v);
        square += so_properties_mass(s, of, k) * so_profiles_square_of(v, v0, mean);
    }
    shells->radial_velocity[to] = radial / mass;
    shells->dispersion[to] = sqrt(square / (3 * mass));
}

/* Notes what is known of bin `bin` around center c. */
static inline void so_profiles_note(const so_profiles_shells *shells, index_t c, i64 bin,
                                    i64 count, f64 mass) {
    const index_t to = c * (index_t)shells->bins + (index_t)bin;
    const f64 radius = shells->radius[c];
    const f64 inner = shells->edge[bin], outer = shells->edge[bin + 1];
    shells->count[to] = count;
    shells->mass[to] = mass;
    shells->density[to] =
        mass / (4.1887902047863905 * (outer * outer * outer - inner * inner * inner) *
                (radius * radius * radius));
}

/* Where edge b of sphere `sphere` lies among its particles from `low` on. */
static inline i64 so_profiles_edge(const so_properties_members *of,
                                   const so_profiles_shells *shells, i64 sphere, i64 b,
                                   i64 low) {
    return so_profiles_seek(
        of->r2, low, of->offset[sphere + 1],
        so_profiles_square(shells->edge[b], shells->radius[of->first + sphere]));
}

/* Shell i % bins of sphere i / bins. */
static inline void so_profiles_shell(index_t i, so_search s, points_coordinates at,
                                     points_coordinates flow, so_properties_members of,
                                     so_profiles_shells shells) {
    const i64 sphere = (i64)i / shells.bins, bin = (i64)i % shells.bins;
    const index_t c = (index_t)(of.first + sphere);
    const i64 begin = so_profiles_edge(&of, &shells, sphere, bin, of.offset[sphere]);
    const i64 end = so_profiles_edge(&of, &shells, sphere, bin + 1, begin);
    if (begin == end)
        return;
    f64 mass = (f64)(end - begin) * s.mass;
    if (s.weighted) {
        mass = 0;
        for (i64 k = begin; k < end; k++)
            mass += so_properties_mass(&s, &of, k);
    }
    so_profiles_note(&shells, c, bin, end - begin, mass);
    if (of.moves)
        so_profiles_move(&s, &at, &flow, &of, &shells, begin, end, c,
                         c * (index_t)shells.bins + (index_t)bin);
}

#endif
