/* Some elements out of many, in the order that they stand in. Inputs may be lazy, flags
 * usually are: a predicate is a generator of u32. T is any element type, structs too.
 *
 * How many elements were written goes to *count, for which the call waits; where `count` is
 * NULL nothing waits. It is 0 after an error. What lies in an output after those elements
 * stays as it was.
 *
 * Cost: one pass over the flags (partitions: two), the input and what is written; scratch
 * for a copy of lazy keys, and on NVIDIA GPUs of 8 bytes for 4096 elements. Elsewhere in
 * OpenCL two passes over the flags; scratch of 8 bytes for 128 elements (for 8 on GPUs),
 * and for 16 Mi elements of each lazy input. Repeats: bit for bit everywhere. Errors:
 * WEFT_E_ARGUMENT (missing, read-only, or an output that overlaps an input or what a lazy
 * one reads), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. Source: Blelloch, "Prefix sums and
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
 *   out     T, of any length: what it has no room for is counted, but not written */
WEFT_API weft_status weft_copy_if(weft_device *device, weft_array in, weft_array flags,
                                  weft_array out, i64 *count);
WEFT_API weft_status weft_remove_if(weft_device *device, weft_array in, weft_array flags,
                                    weft_array out, i64 *count);

/* First the elements whose flag is not 0, then all others, each in order; *count is how
 * many come first.
 *   in      [n] T
 *   flags   [>= n] u32
 *   out     [>= n] T */
WEFT_API weft_status weft_partition(weft_device *device, weft_array in, weft_array flags,
                                    weft_array out, i64 *count);

/* The first element of each run of equal ones: equal where neither comes before the other
 * in weft_sort's order (every NaN is one, -0 is not +0), structs where their bytes are.
 *   in      [n] T
 *   out     [>= n] T */
WEFT_API weft_status weft_unique(weft_device *device, weft_array in, weft_array out,
                                 i64 *count);

/* The first key of each run of equal keys, and its value.
 *   keys    [n] K;  values  [>= n] T;  keys_out  [>= n] K;  values_out  [>= n] T */
WEFT_API weft_status weft_unique_by_key(weft_device *device, weft_array keys,
                                        weft_array values, weft_array keys_out,
                                        weft_array values_out, i64 *count);

#ifdef __cplusplus
}
#endif
#endif
