/* What spherical overdensities are like inside: circular velocity, concentration, spin,
 * shape, motions. */
#ifndef WEFT_SO_PROPERTIES_H
#define WEFT_SO_PROPERTIES_H

#include "so.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is measured, and with which constants. */
typedef struct weft_so_measures {
    int64_t threshold; /* inside which of the spheres: its place in `density` */
    double gravity;    /* G, above 0: mass * gravity / length is a velocity^2, in the
                          units of the input. Of comoving lengths: G / a */
    double softening;  /* what r is at least where a mass is divided by it; Plummer's of
                          potentials */
    double hubble;     /* H, at least 0, for energies alone: hubble * length is a velocity.
                          Of comoving lengths: a H */
    uint64_t reserved[7];
} weft_so_measures;

/* A row a center, f64. Vectors are x, y, z of each in turn. All are 0 where there is no
 * sphere.
 *
 * A sphere's particles are the N nearest; M_k is the mass of the first k as in so.h, r_k
 * their distance, x their place from the center (across periodic axes the shorter way), v
 * their velocity, <v> = sum m v / M, M and R mass and radius of the sphere,
 * V = sqrt(gravity M / R).
 *
 * phi_i = - sum over the other particles of the sphere of gravity m / sqrt(r_ij^2 +
 * softening^2), where a pair at one place without softening adds nothing. In spheres of
 * more than 256 particles it is evaluated for 256 of them: all are divided by distance into
 * 256 shares, and the middle particle of each stands for its share. Each term is within
 * 1e-10 of its value. */
typedef struct weft_so_properties {
    weft_array vmax; /* [c] the largest sqrt(gravity M_k / max(r_k, softening)) of an r_k or
                        a softening above 0, */
    weft_array rmax; /* [c]   and the first r_k where it is; both 0 where all r_k are 0 */
    weft_array concentration_vmax; /* [c] c of a profile of Navarro, Frenk and White (NFW)
                                      with that vmax: vmax^2 / V^2 = 0.2162 c / m(c), past
                                      its peak, m(c) = ln(1 + c) - c / (1 + c); */
    weft_array concentration_r1;   /* [c] that of an NFW profile with that mean radius:
                                      sum m r / (M R) = (c - 2 ln(1 + c) + c / (1 + c))
                                      / (c m(c)). 0 where no c of 1 to 10^4 has the value */
    weft_array concentration_nfw;  /* [c] c of the NFW profile that the particles with
                                      r > 0 and softening <= r are likeliest from, the
                                      largest sum m ln p(r). 0 where no c of 1 to 10^4 is */
    weft_array concentration_nfw_error; /* [c] its standard error, by the curvature of that
                                           sum; (sum m)^2 / sum m^2 particles count */
    weft_array half_mass_radius;        /* [c] the smallest r_k with M_k >= M / 2 */
    weft_array shape; /* [3 c] c/a, b/a and (a^2 - b^2) / (a^2 - c^2) or 0 where a = c, with
                         a^2 >= b^2 >= c^2 the eigenvalues of sum m x x^T / M. All are 0 in
                         spheres of fewer than 20 particles */
    weft_array shape_axes;      /* [9 c] unit vectors of a, b and c, whose largest component
                                   is positive; likewise */
    weft_array center_of_mass;  /* [3 c] wrapped into the box */
    weft_array offset_position; /* [c] |center of mass - center| / R */
    weft_array potential_energy; /* [c] sum m phi / 2; beyond 256 particles mostly within
                                    1 % */
    /* No arrays without velocities: */
    weft_array spin_bullock;     /* [c] |J| / (sqrt(2) M V R) */
    weft_array angular_momentum; /* [3 c] J = sum m x cross (v - <v>); a Hubble flow adds
                                    nothing to it */
    weft_array velocity;         /* [3 c] <v> */
    weft_array velocity_dispersion_tensor; /* [6 c] xx yy zz xy xz yz of
                                              sum m (v - <v>) (v - <v>)^T / M, without
                                              Hubble flow */
    weft_array offset_velocity; /* [c] |<v> - v_1| / V, v_1 that of the nearest particle */
    weft_array kinetic_energy;  /* [c] sum m u^2 / 2 with u = v - <v> + hubble x */
    weft_array bound_fraction;  /* [c] sum of m where u^2 / 2 + phi < 0, over M */
    weft_array spin_peebles;    /* [c] |J| sqrt(|kinetic + potential energy|) /
                                   (gravity M^(5/2)) */
    /* Also without velocities: */
    weft_array shape_reduced; /* [3 c] as shape, of sum m x x^T / r^2 / M: all distances
                                 count alike; a particle at r = 0 adds nothing */
    weft_array shape_reduced_axes; /* [9 c] */
    weft_array reserved[6];
} weft_so_properties;

/* Measures the spheres of one threshold around all centers.
 *   bodies    those that weft_so had, now with velocities if they are known
 *   centers, options   those that weft_so had; `guess` is not used
 *   spheres   what weft_so found
 *   out       new arrays, for weft_so_properties_free; {0} after an error
 * Sums run over a sphere's particles by (r^2, id), in f64 and with no operation fused, in
 * blocks of 256, then over the blocks in their order; velocities are relative to v_1.
 * Cost: O(N log N) of each sphere, and min(N, 256) N of its pairs; without cells a sort of
 * all particles. Scratch of 96 bytes for each particle of some spheres at a time, which
 * hold at most an eighth of all, 2^18 (on GPUs a quarter, 2^22), or what the largest has;
 * without cells 60 bytes for each of all.
 * Repeats: bit for bit on every backend, and by (r^2, id) in any order of the particles.
 * Errors: those of weft_so; WEFT_E_SHAPE and WEFT_E_ARGUMENT, naming the center, where the
 * spheres are not of these centers, densities and particles.
 * Source: Bullock et al. 2001 (ApJ 555, 240) for the spin; Klypin, Trujillo-Gomez and
 * Primack 2011 (ApJ 740, 102) and Prada et al. 2012 (MNRAS 423, 3018) for the concentration
 * by vmax; docs/overdensities.md. */
WEFT_API weft_status weft_so_measure(weft_device *device, const weft_bodies *bodies,
                                     const weft_points *centers,
                                     const weft_so_options *options,
                                     const weft_so_spheres *spheres,
                                     const weft_so_measures *measures,
                                     weft_so_properties *out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_so_properties_free(weft_device *device, weft_so_properties *properties);

#ifdef __cplusplus
}
#endif
#endif
