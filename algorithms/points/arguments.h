/* What public calls check of the structs that they are given. */
#ifndef WEFT_ALGORITHMS_ARGUMENTS_H
#define WEFT_ALGORITHMS_ARGUMENTS_H

#include "weft/bodies.h"
#include "weft/halos.h"

/* Each returns whether the device is without an error and the argument is good. */

/* That what the call cannot do without is not NULL. */
int arguments_given(weft_device *device, const char *call, const char *name,
                    const void *argument);

/* That the program is not newer than the library: all reserved members are 0. */
int arguments_known(weft_device *device, const char *call, const char *name,
                    const void *reserved, size_t bytes);

/* Both of bodies, whose arrays are checked where they are used. */
int arguments_bodies(weft_device *device, const char *call, const weft_bodies *bodies);

/* The type and the least length of an array: u32, i64, f64, or 0 for either of f32
 * and f64. */
void arguments_array(weft_device *device, const char *call, const char *name,
                     weft_array array, weft_type type, int64_t least);

/* The box and the masses of bodies that are there. */
void arguments_scales(weft_device *device, const char *call, const weft_bodies *bodies);

/* The mass of a particle. */
double arguments_mass(weft_device *device, const weft_bodies *bodies, int64_t particle);

/* These, and that members of halos are particles with finite coordinates, and a mass above
 * 0 that is finite, too; else the first that is not is named. One pass over the members. */
void arguments_members(weft_device *device, const char *call, const weft_bodies *bodies,
                       const weft_halos *halos);

/* The same without a look at particles, whose numbers the caller looks at once it has
 * gathered them: members are particles. */
void arguments_numbers(weft_device *device, const char *call, const weft_bodies *bodies,
                       const weft_halos *halos);

#endif
