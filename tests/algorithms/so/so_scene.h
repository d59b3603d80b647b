/* Particles and centers, and spherical overdensities by their definition: from all
 * distances. */
#ifndef WEFT_TESTS_SO_SCENE_H
#define WEFT_TESTS_SO_SCENE_H

#include "harness.h"

typedef struct scene {
    i64 n, centers;
    weft_type type; /* of points and masses */
    f64 *x, *m, *c; /* [3 n], [n], [3 centers]; as f32 where they are of that type */
    i64 *id;        /* [n], or NULL */
    int has_mass;   /* m counts, or all have particle_mass */
    f64 length;     /* above 0: with the cells of friends-of-friends */
    f64 box[3], particle_mass;
    weft_so_options options;
} scene;

typedef struct spheres {
    i64 *count;
    f64 *mass, *radius;
} spheres;

/* Zeros, in f64, with one threshold of 1 and masses of 1. */
scene scene_new(i64 n, i64 centers);
/* Particles in a box of 1: a third everywhere, others in clumps that are denser inside, a
 * few boxes outside where it is periodic; centers on particles, in clumps, anywhere. All
 * coordinates are multiples of 2^-24. */
scene scene_clumpy(i64 n, i64 centers, f64 box, u64 seed);
void scene_free(scene *s);

/* Uniform in [0, 1). */
f64 scene_uniform(u64 *state);

/* Rounds all that the scene's type rounds. */
void scene_round(scene *s);

/* What the device finds; what the definition says. */
spheres scene_measure(const scene *s);
spheres scene_define(const scene *s);
void spheres_free(spheres *s);

/* That both are the same. */
void spheres_expect(const scene *s, const spheres *found, const spheres *expected);
void scene_check(const scene *s);

#endif
