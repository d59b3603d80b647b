/* Selections: some of the elements, in their order. Inputs may be lazy; flags usually are,
 * because a predicate is a generator of u32. T is any element type, including structs.
 *
 * *count is the number of elements written, or 0 after an error. The call waits for it; if
 * `count` is NULL it does not wait. The rest of an output stays as it was.
 *
 * In place: `out` may be `in`, if it begins where that does; lazy flags may then read the
 * array, if only at i. Else no output overlaps an input, or what a lazy one reads.
 *
 * Cost: one pass over the flags (partitions: two, but for those in place on serial and
 * pthreads), the input and what is written; scratch for a copy of lazy keys. On OpenCL
 * devices other than NVIDIA GPUs two passes over the flags; scratch of 8 bytes per 128
 * elements (per 8 on GPUs), and for 16 Mi elements of each lazy input. In place also
 * scratch of a copy and a pass over it (partitions on serial and pthreads: over what they
 * put behind), and the call waits in any case; but for selections there and on NVIDIA GPUs.
 * Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, or an output that overlaps an input
 * otherwise), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. Source: Blelloch, "Prefix sums and
 * their applications", 1990, section 1.3. */
#ifndef WEFT_SELECT_H
#define WEFT_SELECT_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The elements whose flag is not 0 (weft_copy_if), or is 0 (weft_remove_if).
 *   in      [n] T
 *   flags   [>= n] u32
 *   out     T, of any length; elements that do not fit are counted, but not written */
WEFT_API weft_status weft_copy_if(weft_device *device, weft_array in, weft_array flags,
                                  weft_array out, int64_t *count);
WEFT_API weft_status weft_remove_if(weft_device *device, weft_array in, weft_array flags,
                                    weft_array out, int64_t *count);

/* First the elements whose flag is not 0, then all others, each in their order; *count is
 * the number of the former. (The number alone is weft_count_if's, in reduce.h.)
 *   in      [n] T
 *   flags   [>= n] u32
 *   out     [>= n] T */
WEFT_API weft_status weft_partition(weft_device *device, weft_array in, weft_array flags,
                                    weft_array out, int64_t *count);

/* The first element of each run of equal ones. Two are equal if neither comes before the
 * other in the order of weft_sort (all NaNs are equal, -0 is not +0), structs if their
 * bytes are equal.
 *   in      [n] T
 *   out     [>= n] T */
WEFT_API weft_status weft_unique(weft_device *device, weft_array in, weft_array out,
                                 int64_t *count);

/* The first key of each run of equal keys, and its value. An output that is not wanted is
 * (weft_array){0}; inputs must be there all the same.
 *   keys    [n] K;  values  [>= n] T;  keys_out  [>= n] K;  values_out  [>= n] T */
WEFT_API weft_status weft_unique_by_key(weft_device *device, weft_array keys,
                                        weft_array values, weft_array keys_out,
                                        weft_array values_out, int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
