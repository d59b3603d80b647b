/* The same fits as so_fit_step's, to the bit, for devices of few work-items: some spheres
 * take their steps side by side, and what no step changes is found once. */
#ifndef WEFT_SO_FITS_KERNEL_H
#define WEFT_SO_FITS_KERNEL_H

#include "so_fit.kernel.h"

enum { SO_FITS_SPHERES = 8, SO_FITS_LANES = 16 };

/* Fits side by side, and their sums. */
typedef struct so_fits_group {
    f64 c[SO_FITS_SPHERES], low[SO_FITS_SPHERES], high[SO_FITS_SPHERES],
        s0[SO_FITS_SPHERES], error[SO_FITS_SPHERES], going[SO_FITS_SPHERES];
    f64 mass[SO_FITS_SPHERES], square[SO_FITS_SPHERES], first[SO_FITS_SPHERES],
        second[SO_FITS_SPHERES];
} so_fits_group;

static inline so_fit so_fits_of(const so_fits_group *g, i32 lane) {
    const so_fit fit = {g->c[lane],  g->low[lane],   g->high[lane],
                        g->s0[lane], g->error[lane], g->going[lane]};
    return fit;
}

static inline void so_fits_put(so_fits_group *g, i32 lane, so_fit fit) {
    g->c[lane] = fit.c;
    g->low[lane] = fit.low;
    g->high[lane] = fit.high;
    g->s0[lane] = fit.s0;
    g->error[lane] = fit.error;
    g->going[lane] = fit.going;
}

/* Where particles [begin, end) are, in radii; 0 where a fit leaves them out. Adds masses
 * and their squares of the others. */
static inline void so_fits_begin(const so_search *s, const so_properties_members *of,
                                 f64 per_radius, f64 s0, i64 begin, i64 end,
                                 GLOBAL f64 *place, so_fit_sums *sum) {
    for (i64 k = begin; k < end; k++) {
        const f64 at = sqrt(of->r2[k]) * per_radius;
        place[k] = at > 0 && at >= s0 ? at : 0.0;
    }
    for (i64 k = begin; k < end; k++) {
        const f64 m = place[k] > 0 ? so_properties_mass(s, of, k) : 0.0;
        sum->mass += m;
        sum->square += m * m;
    }
}

/* Adds what depends on c. */
static inline void so_fits_add(const so_search *s, const so_properties_members *of, f64 c,
                               i64 begin, i64 end, GLOBAL const f64 *place,
                               so_fit_sums *sum) {
    for (i64 k = begin; k < end; k += SO_FITS_LANES) {
        const i32 some = (i32)min(end - k, (i64)SO_FITS_LANES);
        f64 q[SO_FITS_LANES];
        for (i32 lane = 0; lane < some; lane++)
            q[lane] = place[k + lane] / (1 + c * place[k + lane]);
        for (i32 lane = 0; lane < some; lane++) {
            const f64 m = so_properties_mass(s, of, k + lane);
            sum->first += m * q[lane];
            sum->second += m * q[lane] * q[lane];
        }
    }
}

/* The sums of a sphere, in the place of its fit: those that all rounds share, */
static inline void so_fits_start(so_fits_group *g, i32 lane, const so_search *s,
                                 const so_properties_members *of, f64 per_radius,
                                 i64 sphere, GLOBAL f64 *place) {
    const i64 last = of->end[sphere];
    so_fit_sums all = {0.0, 0.0, 0.0, 0.0};
    for (i64 k = of->offset[sphere]; k < last; k += SO_PROPERTIES_BLOCK) {
        so_fit_sums sum = {0.0, 0.0, 0.0, 0.0};
        so_fits_begin(s, of, per_radius, g->s0[lane], k, min(k + SO_PROPERTIES_BLOCK, last),
                      place, &sum);
        so_fit_join(&all, sum);
    }
    g->mass[lane] = all.mass;
    g->square[lane] = all.square;
}

/* and those of a round. */
static inline void so_fits_round(so_fits_group *g, i32 lane, const so_search *s,
                                 const so_properties_members *of, i64 sphere,
                                 GLOBAL const f64 *place) {
    const i64 last = of->end[sphere];
    so_fit_sums all = {0.0, 0.0, 0.0, 0.0};
    for (i64 k = of->offset[sphere]; k < last; k += SO_PROPERTIES_BLOCK) {
        so_fit_sums sum = {0.0, 0.0, 0.0, 0.0};
        so_fits_add(s, of, g->c[lane], k, min(k + SO_PROPERTIES_BLOCK, last), place, &sum);
        so_fit_join(&all, sum);
    }
    g->first[lane] = all.first;
    g->second[lane] = all.second;
}

/* Steps of all that have not come to an end. Returns how many still have not. */
static inline f64 so_fits_move(so_fits_group *g) {
    f64 going = 0;
    for (i32 lane = 0; lane < SO_FITS_SPHERES; lane++) {
        const so_fit_sums all = {g->mass[lane], g->square[lane], g->first[lane],
                                 g->second[lane]};
        const so_fit next = so_fit_move(so_fits_of(g, lane), all);
        const f64 moves = g->going[lane];
        g->c[lane] = moves > 0 ? next.c : g->c[lane];
        g->low[lane] = moves > 0 ? next.low : g->low[lane];
        g->high[lane] = moves > 0 ? next.high : g->high[lane];
        g->error[lane] = moves > 0 ? next.error : g->error[lane];
        g->going[lane] = moves > 0 ? next.going : 0.0;
    }
    for (i32 lane = 0; lane < SO_FITS_SPHERES; lane++)
        going += g->going[lane];
    return going;
}

/* All of that for a few spheres: to the bit what the others find. */
static inline void so_fits_spheres(index_t i, so_search s, so_properties_members of,
                                   so_properties_spheres by, GLOBAL f64 *place,
                                   GLOBAL f64 *concentration, GLOBAL f64 *error) {
    const i64 first = (i64)i * SO_FITS_SPHERES;
    const i32 n = (i32)min(of.spheres - first, (i64)SO_FITS_SPHERES);
    so_fits_group g;
    f64 going = 0;
    for (i32 lane = 0; lane < SO_FITS_SPHERES; lane++) {
        const so_fit none = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        so_fits_put(&g, lane, lane < n ? so_fit_first(&of, &by, first + lane) : none);
        g.mass[lane] = g.square[lane] = g.first[lane] = g.second[lane] = 1;
        going += g.going[lane];
        if (g.going[lane] > 0)
            so_fits_start(&g, lane, &s, &of, 1 / by.radius[of.first + first + lane],
                          first + lane, place);
    }
    for (i32 round = 0; round < SO_FIT_ROUNDS && going > 0; round++) {
        for (i32 lane = 0; lane < n; lane++)
            if (g.going[lane] > 0)
                so_fits_round(&g, lane, &s, &of, first + lane, place);
        going = so_fits_move(&g);
    }
    for (i32 lane = 0; lane < n; lane++)
        so_fit_note((index_t)(of.first + first) + lane, so_fits_of(&g, lane), concentration,
                    error);
}

#endif
