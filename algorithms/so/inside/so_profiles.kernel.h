/* Shells around centers: runs of their particles, nearest first. */
#ifndef WEFT_SO_PROFILES_KERNEL_H
#define WEFT_SO_PROFILES_KERNEL_H

#include "so_properties.kernel.h"

enum { SO_PROFILES_LANES = 16 };

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
    for (i64 ahead = 1; low + ahead < high; ahead *= 2) { /* it is often near */
        if (!(r2[low + ahead - 1] < square))
            high = low + ahead - 1;
        else
            low += ahead;
    }
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (r2[middle] < square)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A particle's velocity along the way from the center, 0 at the center: its distance,
 * place and velocity from there. */
static inline f64 so_profiles_along(f64 r, f64 dx, f64 dy, f64 dz, f64 vx, f64 vy, f64 vz) {
    f64 along = 0;
    along += vx * dx;
    along += vy * dy;
    along += vz * dz;
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

/* That of some particles from `first` on. */
static inline void so_profiles_radial(const so_properties_members *of,
                                      const so_properties_lists *lists, const f64 *from,
                                      i64 first, i32 n, f64 *along) {
    GLOBAL const f64 *x = lists->place + 3 * first, *v = lists->flow + 3 * first;
    for (i32 lane = 0; lane < n; lane++)
        along[lane] = so_profiles_along(
            sqrt(of->r2[first + lane]), x[3 * lane], x[3 * lane + 1], x[3 * lane + 2],
            v[3 * lane] - from[0], v[3 * lane + 1] - from[1], v[3 * lane + 2] - from[2]);
}

/* The motions of particles [begin, end), of shell `to` of center c, whose mass is known. */
static inline void so_profiles_move(const so_search *s, const so_properties_members *of,
                                    const so_profiles_shells *shells,
                                    const so_properties_lists *lists, i64 begin, i64 end,
                                    index_t c, index_t to) {
    f64 v[3], v0[3], from[3], mean[3] = {0.0, 0.0, 0.0}, radial = 0, square = 0;
    f64 along[SO_PROFILES_LANES];
    const f64 mass = shells->mass[to];
    for (i32 a = 0; a < 3; a++) {
        from[a] = shells->velocity ? shells->velocity[3 * c + a] : 0;
        v0[a] = lists->flow[3 * begin + a];
    }
    for (i64 first = begin; first < end; first += SO_PROFILES_LANES) {
        const i32 n = (i32)min(end - first, (i64)SO_PROFILES_LANES);
        so_profiles_radial(of, lists, from, first, n, along);
        for (i32 lane = 0; lane < n; lane++) {
            const f64 m = so_properties_mass(s, of, first + lane);
            for (i32 a = 0; a < 3; a++)
                mean[a] += m * (lists->flow[3 * (first + lane) + a] - v0[a]);
            radial += m * along[lane];
        }
    }
    for (i32 a = 0; a < 3; a++)
        mean[a] = mean[a] / mass;
    for (i64 k = begin; k < end; k++) {
        for (i32 a = 0; a < 3; a++)
            v[a] = lists->flow[3 * k + a];
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
        of->r2, low, of->end[sphere],
        so_profiles_square(shells->edge[b], shells->radius[of->first + sphere]));
}

/* Shell `bin` of center c: particles [begin, end). */
static inline void so_profiles_measure(const so_search *s, const so_properties_members *of,
                                       const so_profiles_shells *shells,
                                       const so_properties_lists *lists, index_t c, i64 bin,
                                       i64 begin, i64 end) {
    f64 mass = (f64)(end - begin) * s->mass;
    if (s->weighted) {
        mass = 0;
        for (i64 k = begin; k < end; k++)
            mass += so_properties_mass(s, of, k);
    }
    so_profiles_note(shells, c, bin, end - begin, mass);
    if (of->moves)
        so_profiles_move(s, of, shells, lists, begin, end, c,
                         c * (index_t)shells->bins + (index_t)bin);
}

/* All shells of a sphere. */
static inline void so_profiles_sphere(index_t sphere, so_search s, so_properties_members of,
                                      so_profiles_shells shells,
                                      so_properties_lists lists) {
    const index_t c = (index_t)of.first + sphere;
    i64 end = so_profiles_edge(&of, &shells, (i64)sphere, 0, of.offset[sphere]);
    for (i64 bin = 0; bin < shells.bins; bin++) {
        const i64 begin = end;
        end = so_profiles_edge(&of, &shells, (i64)sphere, bin + 1, begin);
        if (begin < end)
            so_profiles_measure(&s, &of, &shells, &lists, c, bin, begin, end);
    }
}

#endif
