/* Binary searches for many queries at once. Inputs may be lazy. The order is that of
 * weft_sort: -0 before +0, and NaN last, all NaNs being equal. */
#ifndef WEFT_SEARCH_H
#define WEFT_SEARCH_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each query the number of elements that come before it (weft_lower_bound) or that do
 * not come after it (weft_upper_bound): the first and the last position at which it could
 * be inserted in order. weft_equal_range: both.
 *   sorted    [m] K, numbers, ascending (unchecked)
 *   queries   [n] K
 *   out       [>= n] u32 or i64; must not overlap an input; nor may lower overlap upper
 * Cost: O(n log m); scratch for a copy of a lazy `sorted`, and for 16 Mi lazy queries.
 * Random queries into an array larger than the cache are sorted first, 4 Mi at a time (on
 * a GPU 32 Mi), with scratch for about five times that many.
 * Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping), WEFT_E_TYPE (also u32 if m
 * is above 2^32 - 1), WEFT_E_SHAPE.
 * Source: Knuth, "The art of computer programming", volume 3, section 6.2.1. */
WEFT_API weft_status weft_lower_bound(weft_device *device, weft_array sorted,
                                      weft_array queries, weft_array out);
WEFT_API weft_status weft_upper_bound(weft_device *device, weft_array sorted,
                                      weft_array queries, weft_array out);
WEFT_API weft_status weft_equal_range(weft_device *device, weft_array sorted,
                                      weft_array queries, weft_array lower,
                                      weft_array upper);

#ifdef __cplusplus
}
#endif
#endif
