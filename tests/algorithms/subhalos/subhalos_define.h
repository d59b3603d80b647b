/* Particles in halos, and the definition of their subhalos by brute force. */
#ifndef WEFT_TESTS_SUBHALOS_DEFINE_H
#define WEFT_TESTS_SUBHALOS_DEFINE_H

#include <weft/subhalos.h>
#include "harness.h"

typedef struct scene {
    i64 n;
    f64 *x, *v, *m; /* [3 n], [3 n], [n] */
    u32 *label;     /* [n] the halo of each */
    i64 *id;        /* [n] */
    weft_type type; /* of places and velocities */
    int has_mass;
    f64 particle_mass, box[3];
    weft_subhalos_options o;
} scene;

/* Particles of mass 1 at the origin, in one halo. */
scene scene_new(i64 n);
void scene_free(scene *s);
/* A number in [0, 1). */
f64 scene_uniform(u64 *state);
/* Particles [first, end) around a place with a velocity, denser inside. */
void scene_clump(scene *s, i64 first, i64 end, const f64 at[3], const f64 v[3], f64 width,
                 u64 *seed);
/* Rounds to the scene's type. */
void scene_round(scene *s);

/* Of each particle: how deep the subhalo it is in lies, its peak and that of its parent, as
 * particles, or -1; its energy; whether it is the most bound. */
typedef struct belonging {
    i64 depth, peak, parent;
    f64 energy;
} belonging;

/* By the definition, and what the device finds, with all that must hold for the arrays. */
void scene_define(const scene *s, belonging *to);
void scene_find(const scene *s, belonging *to);
void scene_compare(const scene *s);
/* The particles on the device. */
weft_bodies scene_bodies(const scene *s);
/* That the subhalos that are found are measured as they are defined, up to rounding. */
void scene_expect_inside(const scene *s);
/* How many particles are in subhalos inside others. */
i64 scene_nested(const scene *s, const belonging *b);

#endif
