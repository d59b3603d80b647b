/* Power spectra: of particles in a periodic box, and of densities on a grid. */
#ifndef WEFT_POWER_H
#define WEFT_POWER_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_power_options {
    int64_t n[3];            /* points of the mesh, as weft_fourier_transform takes them */
    double box[3];           /* the period of each axis, above 0 */
    weft_mesh_window window; /* of particles; of a density that with which its points were
                                averaged, 1 for means over cells, or 0 for none */
    int32_t plain;           /* 1: particles on one mesh alone, not interlaced */
    uint64_t reserved[8];
} weft_power_options;

/* Shell s = 1, 2, ... has the modes whose wave number is s - 1/2 to s + 1/2 times 2 pi over
 * the longest side of the box. How many shells are whole: that lie below the Nyquist wave
 * number of each axis. 0 where there is none. */
WEFT_API int64_t weft_power_shells(const weft_power_options *options);

/* The power spectrum of particles: P(k) = V |sum of m exp(-i k x) / sum of m|^2.
 *   mass    [count] f32 or f64, at least 0 and not all 0; {0}: all are equal
 *   k       [shells] host memory: the mean wave number of the shell's modes, in the inverse
 *           of the box's unit (2 pi is in it)
 *   power   [shells] host memory: the mean of P, in the cube of that unit
 *   modes   [shells] host memory: how many modes that is; k and -k are two
 *   shot_noise   NULL, or V sum of m^2 / (sum of m)^2, which is part of `power`
 * The mesh's window is divided out. Two meshes half a point apart are combined, so that
 * images of an odd sum of shifts, the largest ones, do not alias. What is left is, of an
 * amplitude, of order (k / (4 k_Nyquist - k))^window.
 * Cost: two deposits and two transforms, or one of each. Scratch of 32 bytes a point of the
 * mesh, or 24.
 * Repeats: bit for bit on every backend.
 * Errors: WEFT_E_ARGUMENT (an option; no particles; a bad one, named), WEFT_E_TYPE,
 * WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Sefusatti, Crocce, Scoccimarro and Couchman 2016 (MNRAS 460, 3624); Hockney and
 * Eastwood 1988, section 7-8, for interlacing. */
WEFT_API weft_status weft_power_particles(weft_device *device, const weft_points *points,
                                          weft_array mass,
                                          const weft_power_options *options, double *k,
                                          double *power, int64_t *modes,
                                          double *shot_noise);

/* The same of a density, in any unit: of its ratio to the mean.
 *   density   [n[0] n[1] n[2]] f64 or i64, the last axis fastest; its sum is not 0
 * Errors: as above. */
WEFT_API weft_status weft_power_density(weft_device *device, weft_array density,
                                        const weft_power_options *options, double *k,
                                        double *power, int64_t *modes);

#ifdef __cplusplus
}
#endif
#endif
