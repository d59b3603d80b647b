/* Halos on the host, and the definition of their most bound particles. */
#ifndef WEFT_TESTS_MBP_SCENE_H
#define WEFT_TESTS_MBP_SCENE_H

#include <weft/mbp.h>
#include "harness.h"

/* Halos of given sizes, of equal masses at the origin. */
typedef struct scene {
    i64 n, count;
    i64 *offset;
    f64 *x, *m; /* [3 n], [n], in the order of the members */
    weft_type type, mass_type;
    int has_mass, separate; /* coordinates in arrays of their own */
    f64 box[3], particle_mass;
    weft_mbp_options options;
    i64 share, shares; /* above 0: only this one looks */
    int verify;        /* whether bounds are compared with all potentials, too */
} scene;

scene scene_new(const i64 *sizes, i64 count);
void scene_free(scene *s);

/* A number in [0, 1). */
f64 scene_uniform(u64 *state);

/* A cuspy halo of members [first, end) around a place, the farther out the fewer, of masses
 * from 1 to 20. */
void scene_scatter(scene *s, i64 first, i64 end, const f64 center[3], f64 width, u64 *seed);

/* All halos, at random places; some members a few boxes away. */
void scene_scatter_all(scene *s, f64 box, f64 width, u64 seed);

/* What the device finds, as members, counted through all halos. */
void scene_find(const scene *s, u32 *particle, f64 *potential);

/* The potential of each member: what the device finds, and by the definition. */
void scene_potential(const scene *s, f64 error, f64 *potential);
void scene_define(const scene *s, f64 *potential);

/* That it is what the definition gives, bit for bit, in every halo of at most `most`
 * members; of larger ones that the potential is that of the particle. And that both ways to
 * bounds find it. */
void scene_compare(const scene *s, i64 most);

#endif
