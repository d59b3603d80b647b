/* Profiles around centers: mass, density and motions in shells. */
#ifndef WEFT_PROFILES_H
#define WEFT_PROFILES_H

#include "so_properties.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_PROFILES_MOST = 128 };

typedef struct weft_profiles_options {
    int64_t bins;                        /* at most WEFT_PROFILES_MOST, */
    double edge[WEFT_PROFILES_MOST + 1]; /*   of edge[b] R <= r < edge[b + 1] R; ascending,
                                              from 0 or above */
    weft_array radius;   /* [centers] f64, R of each; where it is 0, all shells are empty */
    weft_array velocity; /* [3 centers] f64: what radial velocities are relative to; {0}:
                            the frame of the input */
    uint64_t reserved[8];
} weft_profiles_options;

/* For center c and shell b, element c * bins + b. All are 0 in an empty shell. */
typedef struct weft_profiles {
    int64_t centers, bins;
    weft_array count;           /* i64 */
    weft_array mass;            /* f64 */
    weft_array density;         /* f64, mass over the volume of the shell */
    weft_array radial_velocity; /* f64, sum m (v - velocity) x / r / sum m, without Hubble
                                   flow; no array without velocities, */
    weft_array velocity_dispersion; /* f64, sqrt(sum m |v - <v>|^2 / (3 sum m)), <v> the
                                       shell's mean; likewise */
    weft_array reserved[4];
} weft_profiles;

/* Measures all shells around all centers, in all particles.
 *   bodies, centers, options   as for weft_so. There must be a density, which chooses
 *                              nothing; `guess` is not used
 *   how      the shells
 *   out      new arrays, for weft_profiles_free; {0} after an error
 * r^2 is that of so.h, and compared with the squares of edge[b] R in f64. Sums run over a
 * shell's particles by (r^2, id); at r = 0 a particle has no radial velocity.
 * Cost and scratch: as of weft_so_measure, of all particles up to the last edge. On CPUs
 * they are kept as they are counted, in 12 bytes each, as far as these are at most half of
 * all or 2^18. A shell is the work of one work-item, on GPUs each of its sums of one,
 * with 40 bytes more for each particle.
 * Repeats: bit for bit on every backend, and by (r^2, id) in any order of the particles.
 * Errors: those of weft_so; WEFT_E_ARGUMENT (shells), WEFT_E_TYPE, WEFT_E_SHAPE. */
WEFT_API weft_status weft_profiles_measure(weft_device *device, const weft_bodies *bodies,
                                           const weft_points *centers,
                                           const weft_so_options *options,
                                           const weft_profiles_options *how,
                                           weft_profiles *out);

/* What weft_so_measure says of the spheres of one threshold, and profiles around the same
 * centers, to the bit, from one search for the particles.
 *   bodies, centers, options, spheres, measures   as for weft_so_measure
 *   shells       whose radius and velocity are {0}: they are radius and <v> of the spheres
 *   properties   new arrays, for weft_so_properties_free; {0} after an error
 *   profiles     new arrays, for weft_profiles_free; likewise
 * Cost: less than both by a list of each sphere, which is found as for profiles. On GPUs
 * scratch of 36 bytes more for each particle of those spheres.
 * Repeats: bit for bit on every backend.
 * Errors: those of both. */
WEFT_API weft_status weft_so_measure_both(
    weft_device *device, const weft_bodies *bodies, const weft_points *centers,
    const weft_so_options *options, const weft_so_spheres *spheres,
    const weft_so_measures *measures, const weft_profiles_options *shells,
    weft_so_properties *properties, weft_profiles *profiles);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_profiles_free(weft_device *device, weft_profiles *profiles);

#ifdef __cplusplus
}
#endif
#endif
