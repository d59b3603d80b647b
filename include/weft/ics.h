/* Initial conditions: Gaussian modes that a seed makes, and the displacements that they
 * have in first and second order (Zel'dovich's approximation, 2LPT). */
#ifndef WEFT_ICS_H
#define WEFT_ICS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cube of n^3 points of side `box`; point (i, j, k) lies at (i, j, k) box / n. Spectra
 * are those of <weft/fourier.h>, [weft_fourier_length] f64, as coefficients of a Fourier
 * series: the inverse transform gives the field itself. Modes of wave number n / 2 along an
 * axis, and the mean, are left out everywhere. Errors of all: WEFT_E_ARGUMENT (n: even, a
 * product of 2, 3, 5 and 7, at most 2^20), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Repeats: bit for bit on every backend. */

/* The largest square of a wave number, in units of (2 pi / box)^2: 3 (n / 2)^2. */
WEFT_API int64_t weft_ics_most(int64_t n);

/* Random modes delta_k = amplitude (g + I h) / sqrt 2, where g and h are normal numbers
 * that depend on the seed and the three wave numbers alone: modes that two values of n
 * share are the same.
 *   amplitude  [weft_ics_most(n) + 1] f64: by the square of the wave number the root mean
 *              square of |delta_k|, which is sqrt(P(k) / box^3)
 *   fixed      1: (g + I h) / |g + I h| in place of (g + I h) / sqrt 2: random phases alone
 * Cost: one pass.
 * Source: Angulo and Pontzen 2016 (MNRAS 462, L1) for `fixed`. */
WEFT_API weft_status weft_ics_modes(weft_device *device, int64_t n, uint64_t seed,
                                    int fixed, weft_array amplitude, weft_array spectrum);

/* The source of second order, of phi with Laplacian delta: the sum over i < j of
 * phi_ii phi_jj - phi_ij^2. Cost: seven transforms; scratch of 40 bytes a point. */
WEFT_API weft_status weft_ics_second(weft_device *device, int64_t n, weft_array spectrum,
                                     weft_array second);

/* The displacement along axis 0, 1 or 2 whose divergence is minus the field: modes times
 * I k / k^2. Of `second`, 3/7 of it (times Omega_m(a)^(-1/143) where Omega_m(a) is not 1)
 * is what second order adds.
 *   displacement   [n^3] f64, in the unit of `box`
 * Cost: one transform; scratch of 16 bytes a point.
 * Source: Bouchet, Colombi, Hivon and Juszkiewicz 1995 (A&A 296, 575). */
WEFT_API weft_status weft_ics_displacement(weft_device *device, int64_t n, double box,
                                           int axis, weft_array spectrum,
                                           weft_array displacement);

#ifdef __cplusplus
}
#endif
#endif
