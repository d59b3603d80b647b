/* Selection by order. */
#ifndef WEFT_PRIMITIVES_NTH_H
#define WEFT_PRIMITIVES_NTH_H

#include "primitives/primitives.h"
#include "weft/sort.h"

/* Which element of x, in memory, stands at `rank` once they are sorted (stable); 0 after an
 * error. A scope must be open. */
i64 weft_nth_place(weft_device *device, weft_array x, i64 rank, weft_order order);

/* Elements of x among which the first k in order are, and where they are in x, rising; none
 * (length 0) where they are not few, or no sample shows which they may be. */
typedef struct weft_nth_first {
    weft_array x, places;
} weft_nth_first;
weft_nth_first weft_nth_first_of(weft_device *device, weft_array x, i64 k,
                                 weft_order order);

/* How keys of a type, in an order, are made images of (nth.kernel.h). */
u64 weft_nth_flip(weft_type type, weft_order order);

#endif
