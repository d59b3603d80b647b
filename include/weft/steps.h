/* Steps of particles that fall in an expanding universe: kicks and drifts of integers,
 * which can be taken back to the last bit. */
#ifndef WEFT_STEPS_H
#define WEFT_STEPS_H

#include "array.h"
#include "cosmology.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Units of momentum in one box per Hubble time 1 / H0. */
#define WEFT_STEPS_MOMENTUM 1099511627776.0 /* 2^40 */

/* Particles of a periodic cube, in comoving coordinates x = 0 .. 1 along each side. Both
 * wrap around: positions as the box does, momenta far beyond what has a meaning. */
typedef struct weft_steps_particles {
    int64_t n;
    weft_array position[3]; /* [n] u32: x times 2^32 */
    weft_array momentum[3]; /* [n] i64: a^2 dx/dt / H0, times WEFT_STEPS_MOMENTUM */
    uint64_t reserved[8];
} weft_steps_particles;

/* What makes up for the expansion between two scale factors: `drift` is the integral of
 * H0 dt / a^2 and `kick` that of H0 dt / a. Either may be NULL. From later to earlier they
 * are below 0, and of the same size to the last bit.
 * Errors: WEFT_E_ARGUMENT (a scale factor that is not above 0; what weft_cosmology_at
 * refuses). Error: 1e-13 of the value.
 * Source: Quinn, Katz, Stadel and Lake 1997 (astro-ph/9710043), section 2. */
WEFT_API weft_status weft_steps_integrals(weft_device *device,
                                          const weft_cosmology *cosmology, double from,
                                          double to, double *drift, double *kick);

/* Moves particles by their momenta times `drift`, rounded to units of position. The same
 * call with -drift moves them back to where they were, bit for bit.
 * Repeats: bit for bit on every backend. Cost: one pass.
 * Errors: WEFT_E_ARGUMENT, WEFT_E_TYPE, WEFT_E_SHAPE. */
WEFT_API weft_status weft_steps_drift(weft_device *device,
                                      const weft_steps_particles *particles, double drift);

/* Adds to momenta `acceleration` times `kick`, rounded to units of momentum. With -kick and
 * the same accelerations it takes that back, bit for bit.
 *   acceleration   [n] f64 along each axis: in boxes and H0, of comoving coordinates,
 *                  which is - grad psi with Laplacian psi = 3/2 Omega_m delta
 * Repeats: bit for bit on every backend. Cost: two passes.
 * Errors: as above; WEFT_E_ARGUMENT where a kick is not finite or above 2^20 boxes per
 * Hubble time, naming the particle. */
WEFT_API weft_status weft_steps_kick(weft_device *device,
                                     const weft_steps_particles *particles,
                                     const weft_array acceleration[3], double kick);

/* Fills acceleration[3], [n] f64 each, from positions alone: the same positions must give
 * the same bits. Errors: the device's; other ones the caller keeps and ends with weft_fail.
 */
typedef weft_status weft_steps_force(void *user, weft_device *device,
                                     const weft_steps_particles *particles,
                                     const weft_array acceleration[3]);

typedef struct weft_steps_options {
    weft_cosmology cosmology;
    double from, to;        /* scale factors */
    int64_t substeps;       /* 1 .. 2^20 of the fast force in a step of the slow one */
    weft_steps_force *slow; /* NULL: none */
    weft_steps_force *fast; /* NULL: none */
    void *user;
    weft_array acceleration[3]; /* [n] f64, for both forces in turn */
    double strength;            /* accelerations times this are as weft_steps_kick takes
                                   them; 0: 1; 3 omega_matter / (8 pi n) for those of
                                   <weft/gravity.h> */
    int32_t known; /* 1: they are those of the slow force where the particles are, as a step
                      before this one left them */
    int32_t reserved1;
    uint64_t reserved[7];
} weft_steps_options;

/* One step: half a kick by the slow force; `substeps` times half a drift, a kick by the
 * fast force, half a drift; and half a kick by the slow force. Halves and substeps are
 * equal in ln a. A step with `from` and `to` exchanged takes it back, bit for bit. After
 * it, `acceleration` is that of the slow force. Cost: of the slow force one call, or two
 * where it is not known, and `substeps` of the fast one. Repeats: bit for bit on every
 * backend, where the forces do. Errors: as above. Source: Quinn, Katz, Stadel and Lake
 * 1997; Habib and others 2016 (New Astronomy 42, 49), section 3, for substeps; Levesque and
 * Verlet 1993 (J. Stat. Phys. 72, 519) for integers. */
WEFT_API weft_status weft_steps_take(weft_device *device,
                                     const weft_steps_particles *particles,
                                     const weft_steps_options *options);

#ifdef __cplusplus
}
#endif
#endif
