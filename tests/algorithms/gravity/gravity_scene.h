/* Gravity by its definition: sums over all periodic images, after Ewald. */
#ifndef WEFT_TESTS_GRAVITY_SCENE_H
#define WEFT_TESTS_GRAVITY_SCENE_H

#include "harness.h"

typedef struct scene {
    i64 n;
    u32 *at[3];  /* [n] each */
    f64 *got[3]; /* [n] each: accelerations */
} scene;

scene scene_new(i64 n);
void scene_free(scene *s);

/* What leads from particle i to particle j, in sides of the cube, -1/2 to 1/2. */
void scene_away(const scene *s, i64 i, i64 j, f64 d[3]);

/* Particle 1 in a random direction from particle 0, so far away. */
void scene_pair(scene *s, f64 distance, u64 *seed);

/* Adds what a point at d does, all images of it and the mean density. */
void scene_ewald(const f64 d[3], f64 out[3]);

/* |got - wanted| of particle i, where all others pull by scene_ewald, and |wanted|. */
f64 scene_error(const scene *s, i64 i, f64 *size);

/* One of the calls of a plan, from and to the scene's arrays. */
typedef weft_status scene_call(weft_device *device, weft_gravity *plan, weft_array x,
                               weft_array y, weft_array z, weft_array ax, weft_array ay,
                               weft_array az);
void scene_run(scene *s, weft_gravity *plan, scene_call *call);

/* Runs it, and expects the same bytes with particles in the opposite order, and of the
 * serial backend in both styles where that is built in. */
void scene_same(scene *s, const weft_gravity_options *o, scene_call *call);

#endif
