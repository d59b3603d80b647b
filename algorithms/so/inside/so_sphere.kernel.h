/* The same sums as so_properties_sum's and so_properties_rest's, to the bit, for devices of
 * few work-items: all blocks of a sphere one after the other, while its particles are near;
 * roots and quotients are found some at a time, and velocities taken from the nearest
 * particle's where they are needed. */
#ifndef WEFT_SO_SPHERE_KERNEL_H
#define WEFT_SO_SPHERE_KERNEL_H

#include "so_measured.kernel.h"

enum { SO_SPHERE_LANES = 16 };

/* Distances of some particles. */
static inline void so_sphere_distances(const so_properties_members *of, i64 first, i32 n,
                                       f64 *r) {
    for (i32 lane = 0; lane < n; lane++)
        r[lane] = sqrt(of->r2[first + lane]);
}

/* The sums of particles [begin, end), of one block. */
static inline so_properties_sums so_sphere_sum(const so_search *s,
                                               const so_properties_members *of,
                                               const so_properties_lists *lists,
                                               const f64 *v0, i64 begin, i64 end) {
    so_properties_sums sum = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0}, {0.0}};
    f64 r[SO_SPHERE_LANES], inverse[SO_SPHERE_LANES];
    for (i64 k = begin; k < end; k += SO_SPHERE_LANES) {
        const i32 n = (i32)min(end - k, (i64)SO_SPHERE_LANES);
        so_sphere_distances(of, k, n, r);
        for (i32 lane = 0; lane < n; lane++)
            inverse[lane] = r[lane] > 0 ? 1 / r[lane] : 0.0;
        for (i32 lane = 0; lane < n; lane++) {
            const f64 m = so_properties_mass(s, of, k + lane);
            so_properties_one(m, r[lane], inverse[lane], lists->place + 3 * (k + lane),
                              &sum);
            for (i32 a = 0; a < 3 && of->moves; a++)
                sum.flow[a] += m * (lists->flow[3 * (k + lane) + a] - v0[a]);
        }
    }
    return sum;
}

/* Masses within each of n particles from `first` on: `inside` is that of the block's
 * before, `before` that of other blocks. */
static inline f64 so_sphere_within(const so_search *s, const so_properties_members *of,
                                   i64 sphere, f64 before, f64 inside, i64 first, i32 n,
                                   f64 *to) {
    const i64 rank = first + 1 - of->offset[sphere];
    for (i32 lane = 0; lane < n; lane++)
        to[lane] = (f64)(rank + lane) * s->mass;
    for (i32 lane = 0; lane < n && s->weighted; lane++) {
        inside += so_properties_mass(s, of, first + lane);
        to[lane] = before + inside;
    }
    return inside;
}

/* Where, of some particles at r with these masses within, the largest M / r and half the
 * mass are first reached. */
static inline void so_sphere_climb(f64 whole, f64 softening, i32 n, const f64 *r,
                                   const f64 *within, so_properties_moments *sum) {
    f64 steep[SO_SPHERE_LANES], most = 0;
    for (i32 lane = 0; lane < n; lane++) {
        const f64 soft = max(r[lane], softening);
        steep[lane] = soft > 0 ? within[lane] / soft : 0.0;
    }
    for (i32 lane = 0; lane < n; lane++)
        most = max(most, steep[lane]);
    if (most > sum->steepest) {
        i32 at = 0;
        while (steep[at] < most)
            at++;
        sum->steepest = most;
        sum->at = r[at];
    }
    for (i32 lane = 0; lane < n && sum->half_at < 0 && 2 * within[n - 1] >= whole; lane++)
        if (2 * within[lane] >= whole)
            sum->half_at = r[lane];
}

/* The moments of particles [begin, end), of one block, whose mass is added to what was
 * `before`. */
static inline so_properties_moments
so_sphere_rest(const so_search *s, const so_properties_members *of,
               const so_properties_spheres *by, const so_properties_lists *lists,
               i64 sphere, const f64 *v0, const f64 *mean, f64 *before, i64 begin,
               i64 end) {
    so_properties_moments sum = {{0.0, 0.0, 0.0}, {0.0, 0.0}, 0.0, 0.0, -1.0, 0.0};
    const f64 whole = by->mass[of->first + sphere];
    f64 r[SO_SPHERE_LANES], within[SO_SPHERE_LANES], inside = 0;
    for (i64 k = begin; k < end; k += SO_SPHERE_LANES) {
        const i32 n = (i32)min(end - k, (i64)SO_SPHERE_LANES);
        so_sphere_distances(of, k, n, r);
        inside = so_sphere_within(s, of, sphere, *before, inside, k, n, within);
        so_sphere_climb(whole, by->softening, n, r, within, &sum);
        for (i32 lane = 0; lane < n && of->moves; lane++) {
            GLOBAL const f64 *v = lists->flow + 3 * (k + lane);
            const f64 d[3] = {v[0] - v0[0] - mean[0], v[1] - v0[1] - mean[1],
                              v[2] - v0[2] - mean[2]};
            so_properties_turn(so_properties_mass(s, of, k + lane),
                               lists->place + 3 * (k + lane), d, &sum);
        }
    }
    *before += inside;
    return sum;
}

/* All of a sphere but its shape. */
static inline void so_sphere_measure(index_t sphere, so_search s, so_properties_members of,
                                     so_properties_spheres by, so_properties_lists lists,
                                     GLOBAL so_properties_sums *total,
                                     so_measured_found found) {
    const i64 begin = of.offset[sphere], end = of.end[sphere];
    so_properties_sums all = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0}, {0.0}};
    so_properties_moments moments = {{0.0, 0.0, 0.0}, {0.0, 0.0}, 0.0, 0.0, -1.0, 0.0};
    f64 v0[3], mean[3], before = 0;
    if (begin == end)
        return;
    so_properties_nearest(&of, lists.flow, (i64)sphere, v0);
    for (i64 k = begin; k < end; k += SO_PROPERTIES_BLOCK) {
        const so_properties_sums sum =
            so_sphere_sum(&s, &of, &lists, v0, k, min(k + SO_PROPERTIES_BLOCK, end));
        so_properties_join(&all, &sum);
    }
    for (i32 a = 0; a < 3; a++)
        mean[a] = all.flow[a] / by.mass[of.first + (i64)sphere];
    for (i64 k = begin; k < end; k += SO_PROPERTIES_BLOCK) {
        const i64 last = min(k + SO_PROPERTIES_BLOCK, end);
        const so_properties_moments sum =
            so_sphere_rest(&s, &of, &by, &lists, (i64)sphere, v0, mean, &before, k, last);
        so_measured_join(&moments, &sum);
    }
    total[sphere] = all;
    so_measured_note((index_t)of.first + sphere, &s, &by, &all, &moments, of.moves, v0,
                     &found);
}

#endif
