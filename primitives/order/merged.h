/* Two arrays in an order of the caller's, merged. */
#ifndef WEFT_PRIMITIVES_MERGED_H
#define WEFT_PRIMITIVES_MERGED_H

#include "primitives/primitives.h"
#include "weft/order.h"

/* That there is a comparison, of the array's elements. */
weft_status weft_need_order(weft_device *device, const char *call,
                            const weft_comparison *order, const char *name,
                            weft_array array);

/* A call on two arrays: its name, and its arguments; by key those of values, too. */
typedef struct weft_merged_call {
    const char *name;
    const weft_comparison *order;
    int by_key;
    i64 most; /* elements that there may be */
    weft_array a, b, out, a_values, b_values, values_out;
} weft_merged_call;

/* `b_moves`: values of b are looked at. */
weft_status weft_merged_check(weft_device *device, const weft_merged_call *call,
                              int b_moves);

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
