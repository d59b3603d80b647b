/* The first elements in order, and the one at a rank, without sorting all. The order is
 * that of weft_sort: -0 before +0, and NaN last; descending, the other way round. Of equal
 * elements those that stand first in the input come first, in either order. Inputs may be
 * lazy.
 *
 * Cost: three passes over the input, where a rank is near either end two, and one more for
 * weft_top_k, which also sorts its k; one pass for those up to a 300th of all; scratch of
 * at most about a fifth of the input's bytes (of 4-byte keys a half), and for a copy of a
 * lazy one. Where many elements are equal to some just before or after the one looked for,
 * at worst a sort and its scratch. The calls wait for the device. Repeats: bit for bit
 * everywhere. Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping, order, nth or k
 * beyond the input), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. Source: Floyd and Rivest,
 * "Expected time bounds for selection", 1975. */
#ifndef WEFT_NTH_H
#define WEFT_NTH_H

#include "sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The index of the element that would stand at position `nth`, 0 .. n-1, once all are
 * sorted; 0 after an error. With nth = 0 this is weft_min_element. (C++'s
 * std::nth_element also moves smaller ones before it: weft_partition does.)
 *   in   [n] numbers */
WEFT_API weft_status weft_nth_element(weft_device *device, weft_array in, int64_t nth,
                                      weft_order order, int64_t *index);

/* The k elements that come first, sorted: the k smallest, or descending the k greatest.
 *   keys        [n] K, numbers
 *   values      [>= n] T, any type, for example ids, or weft_counting(n, (uint32_t)0)
 *   keys_out    [>= k] K, or (weft_array){0}: not asked for
 *   values_out  [>= k] T, or (weft_array){0}: not asked for, nor are `values` looked at
 * Outputs must not overlap an input or each other. */
WEFT_API weft_status weft_top_k(weft_device *device, weft_array keys, weft_array values,
                                int64_t k, weft_order order, weft_array keys_out,
                                weft_array values_out);

#ifdef __cplusplus
}
#endif
#endif
