/* The Poisson center of each halo: the most bound of the members near the minimum of a
 * potential on a grid. */
#ifndef WEFT_POISSON_H
#define WEFT_POISSON_H

#include "bodies.h"
#include "halos.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_POISSON_LEAST_GRID = 3, WEFT_POISSON_MOST_GRID = 255 };

/* The boundary of the grid: a surface on which the potential is zero, or empty space. */
typedef enum weft_poisson_boundary {
    WEFT_POISSON_ZERO,
    WEFT_POISSON_OPEN
} weft_poisson_boundary;

typedef struct weft_poisson_options {
    double softening; /* Plummer's, at least 0; in the exact potentials alone */
    int64_t grid;     /* points along an axis, WEFT_POISSON_LEAST_GRID to
                         WEFT_POISSON_MOST_GRID; 0: by the halo's members, 7 below 1,000,
                         15 below 10,000, 31 below 100,000, else 63 */
    weft_poisson_boundary boundary;
    uint64_t reserved[6];
} weft_poisson_options;

/* Finds the Poisson center of every halo:
 *   1. Each halo lies in the middle of a cubic grid as wide as its widest side; each member
 *      is shared among the 8 grid points around it (cloud in cell), in integers.
 *   2. Two sine transforms give the potential. WEFT_POISSON_ZERO: that of the 7-point
 *      Laplacian, zero one grid cell beyond the outermost points. WEFT_POISSON_OPEN: the
 *      sum of -m / r over the masses of the grid, with the mean of 1 / r over a cell for a
 *      point's own mass; computed on 2 n + 1 points, so that no image contributes.
 *   3. Candidates are the members within two grid cells, along each axis, of the grid point
 *      with the smallest potential among those with mass (the first of several).
 *   4. The center is the candidate with the smallest phi_i, as weft_mbp defines it; of
 *      equal ones that with the smallest id.
 * It need not be the most bound particle, which <weft/mbp.h> finds in less time, and which
 * weft_poisson_prove tells of each halo. A finer
 * grid has fewer candidates and is wrong more often.
 *   bodies      those that the halos were found among; velocities are not used
 *   options     NULL: all 0
 *   halos       of weft_halos_group: members of each ascend by id
 *   particle    [halos] u32: its input index; 2^32 - 1 of a halo without members
 *   potential   [halos] f64: its phi_i, exactly
 * Cost: two sine transforms per halo (weft_sine_transform), batched for halos with grids of
 * one size, with eight times the points for open boundaries; bounds on the potentials of
 * the candidates, as in weft_mbp, also where these crowd within the softening, and n in f64
 * for each candidate that they leave in a halo of n members. Scratch of some 160 bytes per
 * member, and of 100 MiB; of 2 GiB for 255 points along an axis and open boundaries.
 * Repeats: on one backend, with any number of threads.
 * Transforms are rounded differently on different backends, which matters if two grid
 * points have nearly the same potential.
 * Errors: WEFT_E_ARGUMENT (as weft_mbp), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Sewell et al. 2015 (LDAV 2015, 65), section 5.3; Hockney and Eastwood, "Computer
 * simulation using particles", 1988, section 5-6, on the cloud in cell, and section 6-5,
 * on open boundaries. */
WEFT_API weft_status weft_poisson(weft_device *device, const weft_bodies *bodies,
                                  const weft_poisson_options *options,
                                  const weft_halos *halos, weft_array particle,
                                  weft_array potential);

/* The same with a proof, and the most bound particle in any case: once the most bound
 * candidate is known, members that are no candidates are bounded from both sides, as by
 * weft_mbp, and where one of them may be more bound all that may be are evaluated.
 *   particle, potential   what weft_mbp finds
 *   proven                [halos] u32, needed: 1 where the bounds alone tell that no member
 *                         but a candidate is the most bound, so that weft_poisson finds the
 *                         same; 0 where they leave others. 1 of a halo without members
 * Cost: that of both.
 * Repeats: particle and potential bit for bit everywhere, proven on one backend. */
WEFT_API weft_status weft_poisson_prove(weft_device *device, const weft_bodies *bodies,
                                        const weft_poisson_options *options,
                                        const weft_halos *halos, weft_array particle,
                                        weft_array potential, weft_array proven);

#ifdef __cplusplus
}
#endif
#endif
