/* The NFW profile that the particles of a sphere are likeliest from. Of those between s0
 * and 1 of the radius, at s, it has ln p(s) = ln s + 2 ln c - 2 ln(1 + c s) - ln n(c) with
 * n(c) = m(c) - m(c s0). The c with the largest sum m ln p is looked for by Newton's steps
 * in ln c, for all spheres at once: a round is a sum over blocks and a step of each sphere.
 */
#ifndef WEFT_SO_FIT_KERNEL_H
#define WEFT_SO_FIT_KERNEL_H

#include "so_nfw.kernel.h"
#include "so_properties.kernel.h"

/* A fit that moves by less than this part of c is done. */
CONSTANT f64 SO_FIT_CLOSE = 1e-10;

/* Where a fit is; `low` and `high` are the largest and smallest c that are known to be too
 * small and too large, 0 where none is. */
typedef struct so_fit {
    f64 c, low, high, s0, error;
    i64 done;
} so_fit;

/* Of a block: sum m, sum m^2, sum m q and sum m q^2 with q = s / (1 + c s). */
typedef struct so_fit_sums {
    f64 mass, square, first, second;
} so_fit_sums;

static inline void so_fit_begin(index_t sphere, so_properties_members of,
                                so_properties_spheres by, GLOBAL so_fit *fits) {
    const f64 radius = by.radius[of.first + sphere];
    so_fit fit = {5.0, 0.0, 0.0, 0.0, 0.0, 0};
    fit.done = of.offset[sphere] == of.offset[sphere + 1];
    fit.s0 = fit.done ? 0.0 : by.softening / radius;
    if (!(fit.s0 < 1))
        fit.done = 1;
    if (fit.done)
        fit.c = 0;
    fits[sphere] = fit;
}

static inline void so_fit_sum(index_t block, so_search s, so_properties_members of,
                              so_properties_spheres by, GLOBAL const so_fit *fits,
                              GLOBAL so_fit_sums *sums) {
    const i64 sphere = pyramid_owner(block, of.spheres, SO_PROPERTIES_BITS, of.offset);
    const i64 begin = so_properties_begin(&of, sphere, block);
    const i64 end = so_properties_end(&of, sphere, begin);
    so_fit_sums sum = {0.0, 0.0, 0.0, 0.0};
    const f64 c = fits[sphere].c, s0 = fits[sphere].s0;
    if (fits[sphere].done)
        return;
    const f64 per_radius = 1 / by.radius[of.first + sphere];
    for (i64 k = begin; k < end; k++) {
        const f64 at = sqrt(of.r2[k]) * per_radius;
        const f64 m = at > 0 && at >= s0 ? so_properties_mass(&s, &of, k) : 0.0;
        const f64 q = at / (1 + c * at);
        sum.mass += m;
        sum.square += m * m;
        sum.first += m * q;
        sum.second += m * q * q;
    }
    sums[block] = sum;
}

/* n(c), n'(c), n''(c) */
static inline void so_fit_norm(f64 c, f64 s0, f64 *n) {
    const f64 d = c * s0;
    n[0] = so_nfw_log(1 + c) - c / (1 + c) - (so_nfw_log(1 + d) - d / (1 + d));
    n[1] = c / ((1 + c) * (1 + c)) - s0 * d / ((1 + d) * (1 + d));
    n[2] = (1 - c) / ((1 + c) * (1 + c) * (1 + c)) -
           s0 * s0 * (1 - d) / ((1 + d) * (1 + d) * (1 + d));
}

/* Where to look next: a step of Newton's, but no more than four times as far and between
 * what is known. */
static inline f64 so_fit_next(const so_fit *fit, f64 slope, f64 bend) {
    const f64 turn = slope + fit->c * bend;
    f64 by = turn < 0 ? 1 - slope / turn : slope > 0 ? 4.0 : 0.25;
    by = min(max(by, 0.25), 4.0);
    const f64 next = min(max(fit->c * by, 1.0), SO_NFW_MOST);
    if (fit->low > 0 && fit->high > 0 && !(next > fit->low && next < fit->high))
        return sqrt(fit->low * fit->high);
    return next;
}

static inline void so_fit_step(index_t sphere, so_properties_members of,
                               GLOBAL const so_fit_sums *sums, GLOBAL so_fit *fits) {
    so_fit fit = fits[sphere];
    so_fit_sums all = {0.0, 0.0, 0.0, 0.0};
    f64 n[3];
    if (fit.done)
        return;
    for (i64 block = so_properties_first(&of, sphere);
         block < so_properties_first(&of, sphere + 1); block++) {
        all.mass += sums[block].mass;
        all.square += sums[block].square;
        all.first += sums[block].first;
        all.second += sums[block].second;
    }
    so_fit_norm(fit.c, fit.s0, n);
    const f64 slope = 2 * (all.mass / fit.c - all.first) - all.mass * (n[1] / n[0]);
    const f64 bend = 2 * (all.second - all.mass / (fit.c * fit.c)) -
                     all.mass * (n[2] / n[0] - (n[1] / n[0]) * (n[1] / n[0]));
    if (slope > 0)
        fit.low = fit.c;
    else
        fit.high = fit.c;
    const f64 next = so_fit_next(&fit, slope, bend);
    const i32 none = !(all.mass > 0) || (fit.high == 1) || (fit.low == SO_NFW_MOST);
    fit.done = none || fabs(next - fit.c) <= SO_FIT_CLOSE * fit.c;
    fit.c = none ? 0.0 : next;
    if (fit.done && !none && bend < 0)
        fit.error = sqrt(all.square / all.mass / -bend);
    fits[sphere] = fit;
}

/* What has not come to an end, or has no error, is none. */
static inline void so_fit_end(index_t sphere, so_properties_members of,
                              GLOBAL const so_fit *fits, GLOBAL f64 *concentration,
                              GLOBAL f64 *error) {
    const index_t c = (index_t)of.first + sphere;
    const i32 well = fits[sphere].done && fits[sphere].error > 0;
    concentration[c] = well ? fits[sphere].c : 0.0;
    error[c] = well ? fits[sphere].error : 0.0;
}

#endif
