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

/* The motions of particles [begin, end), of shell `to`, whose mass is known. */
static inline void so_profiles_move(const so_search *s, const points_coordinates *at,
                                    const points_coordinates *flow,
                                    const so_properties_members *of,
                                    const so_profiles_shells *shells, i64 begin, i64 end,
                                    index_t c, index_t to) {
    f64 x[3], v[3], v0[3], mean[3] = {0.0, 0.0, 0.0}, radial = 0, square = 0;
    const f64 mass = shells->mass[to];
    so_properties_read(flow, of->who[begin], v0);
    for (i64 k = begin; k < end; k++) {
        const f64 m = so_properties_mass(s, of, k), r = sqrt(of->r2[k]);
        f64 along = 0;
        so_properties_read(at, of->who[k], x);
        so_properties_read(flow, of->who[k], v);
        for (i32 a = 0; a < 3; a++) {
            const f64 d = x[a] - shells->center[3 * c + a];
            const f64 from = shells->velocity ? shells->velocity[3 * c + a] : 0;
            along += (v[a] - from) * (s->box[a] > 0 ? points_remainder(d, s->box[a]) : d);
            mean[a] += m * (v[a] - v0[a]);
        }
        radial += r > 0 ? m * (along / r) : 0;
    }
    for (i32 a = 0; a < 3; a++)
        mean[a] = mean[a] / mass;
    for (i64 k = begin; k < end; k++) {
        f64 apart = 0;
        so_properties_read(flow, of->who[k], v);
        for (i32 a = 0; a < 3; a++) {
            const f64 d = v[a] - v0[a] - mean[a];
            apart += d * d;
        }
        square += so_properties_mass(s, of, k) * apart;
    }
    shells->radial_velocity[to] = radial / mass;
    shells->dispersion[to] = sqrt(square / (3 * mass));
}

/* Shell i % bins of sphere i / bins. */
static inline void so_profiles_shell(index_t i, so_search s, points_coordinates at,
                                     points_coordinates flow, so_properties_members of,
                                     so_profiles_shells shells) {
    const i64 sphere = (i64)i / shells.bins, bin = (i64)i % shells.bins;
    const index_t c = (index_t)(of.first + sphere);
    const index_t to = c * (index_t)shells.bins + (index_t)bin;
    const f64 radius = shells.radius[c];
    const f64 inner = shells.edge[bin], outer = shells.edge[bin + 1];
    const i64 first = of.offset[sphere], last = of.offset[sphere + 1];
    const i64 begin =
        so_profiles_seek(of.r2, first, last, so_profiles_square(inner, radius));
    const i64 end = so_profiles_seek(of.r2, begin, last, so_profiles_square(outer, radius));
    if (begin == end)
        return;
    f64 mass = (f64)(end - begin) * s.mass;
    if (s.weighted) {
        mass = 0;
        for (i64 k = begin; k < end; k++)
            mass += so_properties_mass(&s, &of, k);
    }
    shells.count[to] = end - begin;
    shells.mass[to] = mass;
    shells.density[to] =
        mass / (4.1887902047863905 * (outer * outer * outer - inner * inner * inner) *
                (radius * radius * radius));
    if (of.moves)
        so_profiles_move(&s, &at, &flow, &of, &shells, begin, end, c, to);
}

#endif
