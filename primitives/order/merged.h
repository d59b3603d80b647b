/* Two arrays in an order of the caller's, merged. */
#ifndef WEFT_PRIMITIVES_MERGED_H
#define WEFT_PRIMITIVES_MERGED_H

#include "primitives/set_call.h"

/* In scratch: the elements in order, and their numbers (u32), those of b from a's length
 * on. a and b lie in memory. */
typedef struct weft_merged {
    weft_array x, number;
} weft_merged;

weft_merged weft_merged_of(weft_device *device, const weft_comparison *order, weft_array a,
                           weft_array b);

/* Those numbers as weft_join takes them. */
weft_array weft_merged_sources(weft_device *device, weft_array number);

#endif
