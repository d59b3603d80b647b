/* The NFW profile that the particles of a sphere are likeliest from. Of those between s0
 * and 1 of the radius, at s, it has ln p(s) = ln s + 2 ln c - 2 ln(1 + c s) - ln n(c) with
 * n(c) = m(c) - m(c s0). The c with the largest sum m ln p is looked for by Newton's steps
 * in ln c: for some spheres side by side, or for all at once, where a round is a sum over
 * blocks and a step of each sphere. */
#ifndef WEFT_SO_FIT_KERNEL_H
#define WEFT_SO_FIT_KERNEL_H

#include "so_nfw.kernel.h"
#include "so_properties.kernel.h"

enum { SO_FIT_ROUNDS = 32 /* most fits end after 5 to 7 */, SO_FIT_LANES = 16 };

/* A fit that moves by less than this part of c is done. */
CONSTANT f64 SO_FIT_CLOSE = 1e-10;

/* Where a fit is; `low` and `high` are the largest and smallest c that are known to be too
 * small and too large, 0 where none is. */
typedef struct so_fit {
    f64 c, low, high, s0, error;
    f64 going; /* 1, or 0 */
} so_fit;

/* Of a block: sum m, sum m^2, sum m q and sum m q^2 with q = s / (1 + c s). */
typedef struct so_fit_sums {
    f64 mass, square, first, second;
} so_fit_sums;

static inline so_fit so_fit_first(const so_properties_members *of,
                                  const so_properties_spheres *by, i64 sphere) {
    const f64 radius = by->radius[of->first + sphere];
    so_fit fit = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (of->offset[sphere] == of->end[sphere])
        return fit;
    fit.s0 = by->softening / radius;
    fit.going = fit.s0 < 1 ? 1.0 : 0.0;
    fit.c = fit.s0 < 1 ? 5.0 : 0.0;
    return fit;
}

static inline void so_fit_begin(index_t sphere, so_properties_members of,
                                so_properties_spheres by, GLOBAL so_fit *fits) {
    fits[sphere] = so_fit_first(&of, &by, (i64)sphere);
}

/* The sums of particles [begin, end), whose q are found some at a time. */
static inline so_fit_sums so_fit_add(const so_search *s, const so_properties_members *of,
                                     f64 per_radius, f64 c, f64 s0, i64 begin, i64 end) {
    so_fit_sums sum = {0.0, 0.0, 0.0, 0.0};
    for (i64 k = begin; k < end; k += SO_FIT_LANES) {
        const i32 some = (i32)min(end - k, (i64)SO_FIT_LANES);
        f64 mass[SO_FIT_LANES], q[SO_FIT_LANES];
        for (i32 lane = 0; lane < some; lane++) {
            const f64 at = sqrt(of->r2[k + lane]) * per_radius;
            const f64 m = so_properties_mass(s, of, k + lane);
            mass[lane] = at > 0 && at >= s0 ? m : 0.0;
            q[lane] = at / (1 + c * at);
        }
        for (i32 lane = 0; lane < some; lane++) {
            const f64 m = mass[lane];
            sum.mass += m;
            sum.square += m * m;
            sum.first += m * q[lane];
            sum.second += m * q[lane] * q[lane];
        }
    }
    return sum;
}

static inline void so_fit_sum(index_t block, so_search s, so_properties_members of,
                              so_properties_spheres by, GLOBAL const so_fit *fits,
                              GLOBAL so_fit_sums *sums) {
    const pyramid_range r = so_properties_range(&of, block);
    const so_fit fit = fits[r.segment];
    if (fit.going > 0)
        sums[block] = so_fit_add(&s, &of, 1 / by.radius[of.first + r.segment], fit.c,
                                 fit.s0, r.begin, r.end);
}

static inline void so_fit_join(so_fit_sums *all, so_fit_sums sum) {
    all->mass += sum.mass;
    all->square += sum.square;
    all->first += sum.first;
    all->second += sum.second;
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
    const f64 far = slope > 0 ? 4.0 : 0.25;
    const f64 by = min(max(turn < 0 ? 1 - slope / turn : far, 0.25), 4.0);
    const f64 next = min(max(fit->c * by, 1.0), SO_NFW_MOST);
    const f64 inside = next > fit->low && next < fit->high ? next : 0.0;
    const f64 known = min(fit->low, fit->high);
    const f64 between = inside > 0 ? next : sqrt(fit->low * fit->high);
    return known > 0 ? between : next;
}

/* A step, by the sums over all blocks, without a branch. */
static inline so_fit so_fit_move(so_fit fit, so_fit_sums all) {
    f64 n[3];
    so_fit_norm(fit.c, fit.s0, n);
    const f64 slope = 2 * (all.mass / fit.c - all.first) - all.mass * (n[1] / n[0]);
    const f64 bend = 2 * (all.second - all.mass / (fit.c * fit.c)) -
                     all.mass * (n[2] / n[0] - (n[1] / n[0]) * (n[1] / n[0]));
    fit.low = slope > 0 ? fit.c : fit.low;
    fit.high = slope > 0 ? fit.high : fit.c;
    const f64 next = so_fit_next(&fit, slope, bend);
    const f64 some = all.mass > 0 ? 1.0 : 0.0;
    const f64 within = fit.high == 1 || fit.low == SO_NFW_MOST ? 0.0 : some;
    const f64 near = fabs(next - fit.c) <= SO_FIT_CLOSE * fit.c ? within : 0.0;
    const f64 error = sqrt(all.square / all.mass / -bend);
    fit.going = near > 0 ? 0.0 : within;
    fit.c = within > 0 ? next : 0.0;
    fit.error = near > 0 && bend < 0 ? error : fit.error;
    return fit;
}

static inline void so_fit_step(index_t sphere, so_properties_members of,
                               GLOBAL const so_fit_sums *sums, GLOBAL so_fit *fits) {
    so_fit fit = fits[sphere];
    so_fit_sums all = {0.0, 0.0, 0.0, 0.0};
    if (!(fit.going > 0))
        return;
    for (i64 block = so_properties_first(&of, sphere);
         block < so_properties_first(&of, sphere + 1); block++)
        so_fit_join(&all, sums[block]);
    fits[sphere] = so_fit_move(fit, all);
}

/* What has not come to an end, or has no error, is none. */
static inline void so_fit_note(index_t c, so_fit fit, GLOBAL f64 *concentration,
                               GLOBAL f64 *error) {
    const i32 well = !(fit.going > 0) && fit.error > 0;
    concentration[c] = well ? fit.c : 0.0;
    error[c] = well ? fit.error : 0.0;
}

static inline void so_fit_end(index_t sphere, so_properties_members of,
                              GLOBAL const so_fit *fits, GLOBAL f64 *concentration,
                              GLOBAL f64 *error) {
    so_fit_note((index_t)of.first + sphere, fits[sphere], concentration, error);
}

#endif
