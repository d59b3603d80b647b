/* Halos for the tests of Poisson centers, and what a center is by definition, in f64. */
#ifndef POISSON_SCENE_H
#define POISSON_SCENE_H

#include <weft/poisson.h>
#include <weft/short_names.h>

/* Halos one after the other; member k of all is particle k. */
typedef struct scene {
    i64 n, count;
    i64 offset[16];
    f64 *x, *m;
    int has_mass;
    f64 box[3], particle_mass;
    weft_poisson_options options;
} scene;

/* Cuspy halos, whose coordinates are multiples of 2^-20: exact when they are moved. */
scene scene_new(const i64 *sizes, i64 count, u64 seed);
void scene_free(scene *s);

/* That what was found for halo `number` is the most bound member near a point of its grid
 * of n^3 that is the deepest, but for the rounding of transforms in f32.
 *   told   its potential, as found */
void expect_defined(const scene *s, i64 number, i64 n, u32 particle, f64 told);

#endif
