/* The search that all others are. */
#ifndef WEFT_PRIMITIVES_FIND_H
#define WEFT_PRIMITIVES_FIND_H

#include "primitives/primitives.h"

/* The first flag that is set (not 0) or, with `wanted` 0, that is not; -1: there is none.
 * The flags are checked; without an error, *index is set. */
weft_status weft_find_flag(weft_device *device, weft_array flags, int wanted, i64 *index);

/* The arguments of a call that finds something in an array of `type` (0: any). */
weft_status weft_find_check(weft_device *device, const char *what, weft_array in,
                            weft_type type, const char *name, const void *result);

#endif
