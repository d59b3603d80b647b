/* Segments that offsets tell: segment s is elements [offsets[s], offsets[s + 1]), and may
 * be empty. For segments that are runs of equal keys see runs.h, for scans within segments
 * scan.h.
 *   offsets   [s + 1] i64, ascending, from 0 or later to the number of elements or less
 *             (unchecked; others give wrong results, but touch nothing else)
 * Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping, op is NULL, order),
 * WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
#ifndef WEFT_SEGMENTS_H
#define WEFT_SEGMENTS_H

#include "operators.h"
#include "sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[s] = the elements of segment s, combined in their order; the identity of op if there
 * is none.
 *   in        [n] T, may be lazy
 *   op        on T, of at most 4096 bytes; associative
 *   out       [>= s] T; must not overlap an input
 * Cost: numbers on an NVIDIA GPU (two launches) and sums of numbers of 4 or 8 bytes on
 * serial and pthreads: one pass over elements and offsets, next to no scratch, but there
 * for a copy of lazy elements. Else as weft_reduce_by_key, with n / 8 bytes instead of
 * keys; scratch of n / 8 bytes, for 12 bytes and a T per segment, and for that copy. On a
 * backend without reductions by key a scan, with scratch of one T per element.
 * Repeats: integers bit for bit everywhere; floats on one backend. */
WEFT_API weft_status weft_reduce_segments(weft_device *device, weft_array in,
                                          weft_array offsets, const weft_operator *op,
                                          weft_array out);

/* Sorts the keys of each segment, as weft_sort does; what is outside of all segments stays.
 *   keys      [n] K, numbers
 *   values    [>= n] any type, moved with their keys; or (weft_array){0}: none
 * Cost: of three sorts by key, whatever the lengths; scratch of about twice the keys
 * and values, and 12 bytes per element. Waits for the device.
 * Repeats: bit for bit everywhere. */
WEFT_API weft_status weft_sort_segments(weft_device *device, weft_array keys,
                                        weft_array values, weft_array offsets,
                                        weft_order order);

#ifdef __cplusplus
}
#endif
#endif
