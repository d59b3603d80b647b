/* What changes arrays where they lie: replacing, reversing, rotating, swapping. T is any
 * type, including structs. Nothing waits for the device.
 * Errors: WEFT_E_ARGUMENT (missing, lazy, read-only, overlapping), WEFT_E_TYPE,
 * WEFT_E_SHAPE, WEFT_E_MEMORY. Repeats: bit for bit everywhere. */
#ifndef WEFT_IN_PLACE_H
#define WEFT_IN_PLACE_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* array[i] = *value where flags[i] is not 0.
 *   array   [n] T
 *   flags   [>= n] u32; a lazy one may read the array, if only at i
 *   value   T, in host memory; may change after the call
 * Cost: one pass over the flags and the array; scratch for 16 Mi lazy flags at most. */
WEFT_API weft_status weft_replace_if(weft_device *device, weft_array array,
                                     weft_array flags, const void *value);

/* array[i] = what array[n - 1 - i] was. Cost: one pass. */
WEFT_API weft_status weft_reverse(weft_device *device, weft_array array);

/* array[i] = what array[i + first] was, and the first so many elements come last.
 *   first   in 0 .. n, else WEFT_E_SHAPE
 * Cost: two passes, without scratch.
 * Source: Gries and Mills, "Swapping sections", 1981. */
WEFT_API weft_status weft_rotate(weft_device *device, weft_array array, int64_t first);

/* Exchanges the elements of two arrays.
 *   a, b   [n] T; b must not overlap a
 * Cost: one pass over both. */
WEFT_API weft_status weft_swap(weft_device *device, weft_array a, weft_array b);

#ifndef __cplusplus /* see typed.h */
static inline weft_status weft_replace_if_of(weft_device *device, weft_array array,
                                             weft_array flags, const void *value,
                                             weft_type pointed) {
    weft_typed(device, "weft_replace_if: 'value'", pointed, array.type, -1, NULL);
    return weft_replace_if(device, array, flags, value);
}
#define weft_replace_if(device, array, flags, ...)                                         \
    weft_replace_if_of((device), (array), (flags), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif
#endif
