/* The same shells as so_profiles_shell's, to the bit, for devices of many slow work-items:
 * what each particle adds is found by a work-item of its own, and each sum over a shell is
 * the work of one. */
#ifndef WEFT_SO_SHELLS_KERNEL_H
#define WEFT_SO_SHELLS_KERNEL_H

#include "so_profiles.kernel.h"

/* Sums of a shell: of masses, of masses times velocities from the first particle's, and
 * times those along the way from the center. */
enum { SO_SHELLS_MASS, SO_SHELLS_FLOW, SO_SHELLS_RADIAL = 4, SO_SHELLS_SUMS };

/* Where the shells of each sphere begin, [spheres][bins + 1]; what each particle adds,
 * [SO_SHELLS_SUMS][members]; and the sums, [SO_SHELLS_SUMS][spheres][bins]. */
typedef struct so_shells_parts {
    i64 members;
    GLOBAL i64 *edge;
    GLOBAL f64 *term, *sum;
} so_shells_parts;

/* Edge i % (bins + 1) of sphere i / (bins + 1). */
static inline void so_shells_find(index_t i, so_properties_members of,
                                  so_profiles_shells shells, so_shells_parts parts) {
    const i64 sphere = (i64)i / (shells.bins + 1), b = (i64)i % (shells.bins + 1);
    parts.edge[i] = so_profiles_edge(&of, &shells, sphere, b, of.offset[sphere]);
}

/* The shell of particle k of a sphere; -1 where it is in none. */
static inline i64 so_shells_of(GLOBAL const i64 *edge, i64 bins, i64 k) {
    return k < edge[0] || k >= edge[bins] ? -1 : pyramid_segment(k, bins, edge);
}

/* What particle k adds to its shell. */
static inline void so_shells_add(index_t k, so_search s, points_coordinates at,
                                 points_coordinates flow, so_properties_members of,
                                 so_profiles_shells shells, so_shells_parts parts) {
    const i64 sphere = pyramid_segment((i64)k, of.spheres, of.offset);
    GLOBAL const i64 *edge = parts.edge + sphere * (shells.bins + 1);
    const i64 bin = so_shells_of(edge, shells.bins, (i64)k);
    const f64 m = so_properties_mass(&s, &of, (i64)k);
    f64 x[3], v[3], v0[3], u[3];
    parts.term[k] = m;
    if (bin < 0 || !of.moves)
        return;
    points_read(&flow, of.who[k], v);
    points_read(&flow, of.who[edge[bin]], v0);
    for (i32 a = 0; a < 3; a++)
        parts.term[(SO_SHELLS_FLOW + a) * parts.members + k] = m * (v[a] - v0[a]);
    points_read(&at, of.who[k], x);
    for (i32 a = 0; a < 3; a++) {
        const index_t c = 3 * (index_t)(of.first + sphere) + a;
        const f64 d = x[a] - shells.center[c], box = s.box[a];
        x[a] = box > 0 ? points_remainder(d, box) : d;
        u[a] = v[a] - (shells.velocity ? shells.velocity[c] : 0);
    }
    parts.term[SO_SHELLS_RADIAL * parts.members + k] =
        m * so_profiles_along(sqrt(of.r2[k]), x[0], x[1], x[2], u[0], u[1], u[2]);
}

static inline f64 so_shells_total(GLOBAL const f64 *term, i64 begin, i64 end) {
    f64 sum = 0;
    for (i64 k = begin; k < end; k++)
        sum += term[k];
    return sum;
}

/* Sum i / shells of shell i % shells, which is bin % bins of sphere / bins. */
static inline void so_shells_sum(index_t i, i64 spheres, i64 bins, so_shells_parts parts) {
    const i64 which = (i64)i / (spheres * bins), shell = (i64)i % (spheres * bins);
    GLOBAL const i64 *edge = parts.edge + shell / bins * (bins + 1) + shell % bins;
    parts.sum[i] = so_shells_total(parts.term + which * parts.members, edge[0], edge[1]);
}

/* The mass of a shell of so many particles. */
static inline f64 so_shells_mass(const so_search *s, i64 count, f64 sum) {
    return s->weighted ? sum : (f64)count * s->mass;
}

/* What particle k adds to the dispersion of its shell, in place of its mass. */
static inline void so_shells_spread(index_t k, so_search s, points_coordinates flow,
                                    so_properties_members of, i64 bins,
                                    so_shells_parts parts) {
    const i64 sphere = pyramid_segment((i64)k, of.spheres, of.offset),
              shells = of.spheres * bins;
    GLOBAL const i64 *edge = parts.edge + sphere * (bins + 1);
    const i64 bin = so_shells_of(edge, bins, (i64)k);
    if (bin < 0)
        return;
    const i64 shell = sphere * bins + bin;
    const f64 mass = so_shells_mass(&s, edge[bin + 1] - edge[bin], parts.sum[shell]);
    f64 v[3], v0[3], mean[3];
    points_read(&flow, of.who[k], v);
    points_read(&flow, of.who[edge[bin]], v0);
    for (i32 a = 0; a < 3; a++)
        mean[a] = parts.sum[(SO_SHELLS_FLOW + a) * shells + shell] / mass;
    parts.term[k] =
        so_properties_mass(&s, &of, (i64)k) * so_profiles_square_of(v, v0, mean);
}

/* Notes shell i % bins of sphere i / bins. */
static inline void so_shells_note(index_t i, so_search s, so_properties_members of,
                                  so_profiles_shells shells, so_shells_parts parts) {
    const i64 sphere = (i64)i / shells.bins, bin = (i64)i % shells.bins;
    const index_t c = (index_t)(of.first + sphere);
    const index_t to = c * (index_t)shells.bins + (index_t)bin;
    GLOBAL const i64 *edge = parts.edge + sphere * (shells.bins + 1) + bin;
    if (edge[0] == edge[1])
        return;
    const f64 mass = so_shells_mass(&s, edge[1] - edge[0], parts.sum[i]);
    so_profiles_note(&shells, c, bin, edge[1] - edge[0], mass);
    if (!of.moves)
        return;
    const i64 radial = SO_SHELLS_RADIAL * (of.spheres * shells.bins) + (i64)i;
    shells.radial_velocity[to] = parts.sum[radial] / mass;
    shells.dispersion[to] =
        sqrt(so_shells_total(parts.term, edge[0], edge[1]) / (3 * mass));
}

#endif
