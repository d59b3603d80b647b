/* Quantities of spheres that weft_so_measure finds in passes of their own, for one batch of
 * spheres and with scratch of the open scope. */
#ifndef WEFT_SO_INSIDE_H
#define WEFT_SO_INSIDE_H

#include "algorithms/so/members.h"
#include "so_energy.kernel.h"
#include "so_fit.kernel.h"

/* Particles by sphere, as weft_so_measure has listed them: `place` and `velocity` are
 * relative to the center and to the nearest particle's, `total` the sums of each sphere. */
typedef struct so_inside {
    const so_task *task;
    const so_members *members;
    i32 moves;
    f64 gravity, softening, hubble;
    weft_array center, mass, radius; /* of all centers */
    weft_array place, velocity, total;
} so_inside;

/* Kinetic energies and angular momenta must have been found. Arrays that only moving
 * particles have are not used of others. */
void so_inside_energies(weft_device *device, const so_inside *of, weft_array potential,
                        weft_array kinetic, weft_array angular_momentum, weft_array bound,
                        weft_array spin);

/* The likeliest NFW concentration, and its error. */
void so_inside_fit(weft_device *device, const so_inside *of, weft_array concentration,
                   weft_array error);

#endif
