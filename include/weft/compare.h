/* Whether two arrays are equal, and where they differ. Inputs may be lazy. Numbers are
 * compared as by == in C (-0 equals 0, and NaN does not equal NaN), structs byte by byte.
 */
#ifndef WEFT_COMPARE_H
#define WEFT_COMPARE_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* weft_equal: 1 if the lengths and all elements are equal, else 0. weft_mismatch: the index
 * of the first difference; the length of the shorter array if it is the beginning of the
 * longer; -1 if they are equal. Both give 0 after an error.
 *   a      [n] T, of any type
 *   b      [m] T
 * Cost: one pass over both; waits for the device. Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, result is NULL), WEFT_E_TYPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_equal(weft_device *device, weft_array a, weft_array b,
                                int *result);
WEFT_API weft_status weft_mismatch(weft_device *device, weft_array a, weft_array b,
                                   int64_t *index);

#ifdef __cplusplus
}
#endif
#endif
