/* Sorting and merging. Keys are numbers of any of the ten types. The order is the same
 * everywhere: -0 comes before +0, and NaN last, all NaNs being equal. */
#ifndef WEFT_SORT_H
#define WEFT_SORT_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_order { WEFT_ASCENDING = 0, WEFT_DESCENDING = 1 } weft_order;

/* Sorts keys in place. The sort is stable, descending, too: equal keys keep their order.
 *   keys     [n] K, numbers
 * Cost: O(n) per digit of the key (a byte or more); scratch of about a copy of keys and
 * values.
 * Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, lazy, read-only, overlapping, order), WEFT_E_TYPE,
 * WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Knuth, "The art of computer programming", volume 3, section 5.2.5. */
WEFT_API weft_status weft_sort(weft_device *device, weft_array keys, weft_order order);

/* The same; values[i] moves with keys[i].
 *   values   [>= n] any type; must not overlap keys
 * Cost: for values of other sizes than 4 or 8 bytes a gather more. */
WEFT_API weft_status weft_sort_by_key(weft_device *device, weft_array keys,
                                      weft_array values, weft_order order);

/* The same, by bits [begin_bit, end_bit) of the keys alone, counted from the lowest: faster
 * for keys that are known to be below 2^end_bit. Signed numbers and floats are first mapped
 * to unsigned ones in the same order, by flipping the sign bit, and for negative floats all
 * other bits, too; NaNs to the one with all bits set.
 *   values   as above, or (weft_array){0}: none
 * Errors: as above; WEFT_E_ARGUMENT unless 0 <= begin_bit <= end_bit <= bits of K. */
WEFT_API weft_status weft_sort_bits(weft_device *device, weft_array keys, weft_array values,
                                    weft_order order, int32_t begin_bit, int32_t end_bit);

/* Merges two arrays in ascending order (unchecked) into one. Of equal keys those of `a`
 * come first. By key: values move with their keys, and an output that is not wanted is
 * (weft_array){0}. Inputs may be lazy.
 *   a, a_keys    [n] K, numbers;   a_values  [>= n] T
 *   b, b_keys    [m] K;            b_values  [>= m] T
 *   out, keys_out  [>= n + m] K;   values_out  [>= n + m] T; must not overlap an input
 * Cost: O(n + m + (n + m) / 128 log n); by key scratch of 8 bytes per element; scratch for
 * a copy of each lazy input. Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping), WEFT_E_TYPE, WEFT_E_SHAPE,
 * WEFT_E_MEMORY.
 * Source: Odeh, Green, Mwassi, Shmueli and Birk, "Merge path", 2012. */
WEFT_API weft_status weft_merge(weft_device *device, weft_array a, weft_array b,
                                weft_array out);
WEFT_API weft_status weft_merge_by_key(weft_device *device, weft_array a_keys,
                                       weft_array a_values, weft_array b_keys,
                                       weft_array b_values, weft_array keys_out,
                                       weft_array values_out);

#ifdef __cplusplus
}
#endif
#endif
