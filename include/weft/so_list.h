/* The particles in spherical overdensities, nearest first. */
#ifndef WEFT_SO_LIST_H
#define WEFT_SO_LIST_H

#include "so.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of center c, elements offset[c] to before offset[c + 1]. */
typedef struct weft_so_members {
    int64_t centers, members;
    weft_array offset;   /* i64 [centers + 1], from 0 */
    weft_array particle; /* u32 [members], input indices */
    weft_array r2;       /* f64 [members], r^2 as in so.h: ascending; where it is equal ids
                            ascend, or without ids the input indices */
    weft_array reserved[4];
} weft_so_members;

/* Lists the particles in the spheres of one threshold around all centers: the `count`
 * nearest ones, whose mass is `mass`. None where there is no sphere, or where it is open
 * (weft_so_part).
 *   bodies, centers, options   those that weft_so had; `guess` is not used
 *   spheres     what weft_so found
 *   threshold   which of the spheres: its place in `density`
 *   out         new arrays, for weft_so_members_free; {0} after an error
 * Cost: O(N log N) of each sphere of N particles; without cells a sort of all particles.
 * 12 bytes for each that is listed, whatever that is in all: spheres overlap. Scratch of 24
 * bytes for each particle of some spheres at a time, which hold at most an eighth of all,
 * 2^18 (on GPUs a quarter, 2^22), or what the largest has; without cells 60 bytes for each
 * of all.
 * Repeats: bit for bit on every backend.
 * Errors: those of weft_so; WEFT_E_SHAPE and WEFT_E_ARGUMENT, naming the center, where the
 * spheres are not of these centers, densities and particles. */
WEFT_API weft_status weft_so_list(weft_device *device, const weft_bodies *bodies,
                                  const weft_points *centers,
                                  const weft_so_options *options,
                                  const weft_so_spheres *spheres, int64_t threshold,
                                  weft_so_members *out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_so_members_free(weft_device *device, weft_so_members *members);

#ifdef __cplusplus
}
#endif
#endif
