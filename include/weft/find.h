/* Searches for the first element of a kind, and questions about order. Inputs may be lazy;
 * a predicate is a generator of u32 (flags): of one array, or of several, which makes
 * weft_find_if_not the mismatch of two arrays with a predicate, and weft_all (reduce.h)
 * whether they are equal by it.
 *
 * Blocks of elements are looked at one after the other, each by all processors, and the
 * search ends with the first that has one: what stands near the front is found soon.
 * Cost: one pass over what comes before the one found, and some more (on GPUs over 2^20
 * elements at first, then 2^26 at a time), or over all; scratch for a copy of a lazy `in`
 * (flags take none). The calls wait for the device; after an error the result is 0.
 * Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, result is NULL), WEFT_E_TYPE, WEFT_E_SHAPE,
 * WEFT_E_MEMORY. */
#ifndef WEFT_FIND_H
#define WEFT_FIND_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The index of the first flag that is not 0 (weft_find_if), or is 0 (weft_find_if_not); -1
 * if there is none.
 *   flags   [n] u32 */
WEFT_API weft_status weft_find_if(weft_device *device, weft_array flags, int64_t *index);
WEFT_API weft_status weft_find_if_not(weft_device *device, weft_array flags,
                                      int64_t *index);

/* The index of the first element that equals *value (weft_find), or the next element
 * (weft_adjacent_find); -1 if there is none. Numbers are compared as by == in C, structs
 * byte by byte.
 *   in      [n] T, any type
 *   value   T, in host memory */
WEFT_API weft_status weft_find(weft_device *device, weft_array in, const void *value,
                               int64_t *index);
WEFT_API weft_status weft_adjacent_find(weft_device *device, weft_array in, int64_t *index);

/* Whether no element comes before the one ahead of it in the order of weft_sort (1 or 0);
 * the index of the first that does, or n.
 *   in      [n] numbers */
WEFT_API weft_status weft_is_sorted(weft_device *device, weft_array in, int *result);
WEFT_API weft_status weft_is_sorted_until(weft_device *device, weft_array in,
                                          int64_t *index);

/* Whether all flags that are not 0 come first (1 or 0). weft_partition_point: how many they
 * are, if so (unchecked): the index of the first 0.
 *   flags   [n] u32
 * Cost of weft_partition_point: log2(n) reads of one flag. */
WEFT_API weft_status weft_is_partitioned(weft_device *device, weft_array flags,
                                         int *result);
WEFT_API weft_status weft_partition_point(weft_device *device, weft_array flags,
                                          int64_t *index);

/* out[i] = 1 if queries[i] is among the sorted elements, else 0. Two are equal if neither
 * comes before the other in the order of weft_sort.
 *   sorted    [m] K, numbers, ascending (unchecked)
 *   queries   [n] K
 *   out       [>= n] u32; must not overlap an input
 * Cost: as weft_lower_bound, and a pass over the queries; scratch for 16 Mi positions and
 * lazy queries. Does not wait. */
WEFT_API weft_status weft_binary_search(weft_device *device, weft_array sorted,
                                        weft_array queries, weft_array out);

#ifndef __cplusplus /* see typed.h */
static inline weft_status weft_find_of(weft_device *device, weft_array in,
                                       const void *value, weft_type pointed,
                                       int64_t *index) {
    if (!weft_typed(device, "weft_find: 'value'", pointed, in.type, -1, NULL) && index)
        *index = 0;
    return weft_find(device, in, value, index);
}
#define weft_find(device, in, value, index)                                                \
    weft_find_of((device), (in), (value), WEFT_POINTED(value), (index))
#endif

#ifdef __cplusplus
}
#endif
#endif
