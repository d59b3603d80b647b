/* Particles with mass: what center finders and measures of halos take. */
#ifndef WEFT_BODIES_H
#define WEFT_BODIES_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All particles of a space, as they lie in memory; calls say which of this they use. */
typedef struct weft_bodies {
    weft_points points;   /* positions, f32 or f64; may lie outside a periodic box */
    weft_array velocity;  /* [3 n] f32 or f64, x y z of each in turn; {0}: unknown */
    weft_array mass;      /* [n] f32 or f64, above 0; {0}: each has particle_mass */
    double particle_mass; /* above 0; unused where masses are given */
    double box[3];        /* the size of each periodic axis, 0 for other axes */
    weft_array reserved[4];
} weft_bodies;

#ifdef __cplusplus
}
#endif
#endif
