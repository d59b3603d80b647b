/* What spheres are like inside: as the device measures it, and by its definition. */
#ifndef WEFT_TESTS_SO_INSIDE_H
#define WEFT_TESTS_SO_INSIDE_H

#include "so_scene.h"

/* Of one center; the first group is compared bit for bit. */
typedef struct inside {
    f64 vmax, rmax, half_mass_radius, center_of_mass[3], offset_position;
    f64 spin_bullock, angular_momentum[3], velocity[3], dispersion[6], offset_velocity;
    f64 concentration_vmax, concentration_r1;
    f64 concentration_nfw, concentration_nfw_error;
    f64 kinetic_energy, potential_energy, bound_fraction, spin_peebles;
    f64 shape[3], axes[9], reduced[3], reduced_axes[9];
} inside;

enum { INSIDE_EXACT = 21 };

typedef struct motion {
    f64 *v; /* [3 n], or NULL */
    f64 gravity, softening, hubble;
    i64 threshold;
} motion;

/* Each [centers], for free(). */
inside *inside_measure(const scene *s, const motion *how);
inside *inside_define(const scene *s, const motion *how);

/* That both are the same, and axes and ratios those of a symmetric matrix. */
void inside_check(const scene *s, const motion *how);

/* ln(1 + c) - c / (1 + c). */
f64 inside_nfw(f64 c);

#endif
