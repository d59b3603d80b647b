/* What public calls check of the structs that they are given. */
#ifndef WEFT_ALGORITHMS_ARGUMENTS_H
#define WEFT_ALGORITHMS_ARGUMENTS_H

#include "weft/bodies.h"

/* Each returns whether the device is without an error and the argument is good. */

/* That what the call cannot do without is not NULL. */
int arguments_given(weft_device *device, const char *call, const char *name,
                    const void *argument);

/* That the program is not newer than the library: all reserved members are 0. */
int arguments_known(weft_device *device, const char *call, const char *name,
                    const void *reserved, size_t bytes);

/* Both of bodies, whose arrays are checked where they are used. */
int arguments_bodies(weft_device *device, const char *call, const weft_bodies *bodies);

#endif
