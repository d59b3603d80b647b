/* Shapes of halos by iterated ellipsoids. */
#ifndef WEFT_SO_SHAPES_H
#define WEFT_SO_SHAPES_H

#include "so.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row a center, f64: c/a, b/a and (a^2 - b^2) / (a^2 - c^2) or 0 where a = c; and the
 * unit vectors of a, b and c in turn, whose largest component is positive. All are 0 where
 * there is no shape: radius 0, fewer than 20 particles in an ellipsoid, all of them in a
 * plane. */
typedef struct weft_so_shapes {
    weft_array shape;        /* [3 c] of sum m x x^T */
    weft_array axes;         /* [9 c] */
    weft_array reduced;      /* [3 c] of sum m x x^T / r_ell^2, to which a particle at the
                                center adds nothing */
    weft_array reduced_axes; /* [9 c] */
    weft_array reserved[4];
} weft_so_shapes;

/* Finds the shapes of what lies around centers, of all particles.
 *   bodies, centers, options   as for weft_so. There must be a density, which chooses
 *                              nothing; `guess` is not used
 *   radius   [centers] f64, R of each
 *   out      new arrays, for weft_so_shapes_free; {0} after an error
 * The first ellipsoid is the sphere of radius R. The eigenvalues a^2 >= b^2 >= c^2 and the
 * eigenvectors of what is in an ellipsoid make the next one, of the same volume: with the
 * place x of a particle from the center along them, r_ell^2 = g^2 (x_a^2 + x_b^2 (a/b)^2 +
 * x_c^2 (a/c)^2), g = (bc / a^2)^(1/3), and it is inside where r_ell <= R and r <= 2 R.
 * That ends when b/a and c/a move by less than 1e-4, or after 20 rounds. Sums run over the
 * particles within 2 R by (r^2, id), in f64 with no operation fused, in blocks of 256, then
 * over the blocks in their order. Cost and scratch: as of weft_profiles_measure for shells
 * up to 2 R, and 24 bytes more for each particle; 40 sums over them at most. Repeats: bit
 * for bit on every backend, and by (r^2, id) in any order of the particles. Errors: those
 * of weft_so; WEFT_E_TYPE, WEFT_E_SHAPE. Source: Katz 1991 (ApJ 368, 325); Zemp et al. 2011
 * (ApJS 197, 30), who show what weights and iterations do to shapes. */
WEFT_API weft_status weft_so_shapes_measure(weft_device *device, const weft_bodies *bodies,
                                            const weft_points *centers,
                                            const weft_so_options *options,
                                            weft_array radius, weft_so_shapes *out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_so_shapes_free(weft_device *device, weft_so_shapes *shapes);

#ifdef __cplusplus
}
#endif
#endif
