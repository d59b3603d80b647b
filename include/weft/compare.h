/* Whether two arrays are the same, and where they differ. Inputs may be lazy. Elements are
 * the same where C says so: -0 is 0, and NaN is not NaN; structs where their bytes are. */
#ifndef WEFT_COMPARE_H
#define WEFT_COMPARE_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether all elements are the same, and the lengths (1 or 0; 0 after an error); the index
 * of the first that is not: where one array ends before any differs, its length; -1 where
 * there is none; 0 after an error.
 *   a      [n] T, of any type
 *   b      [m] T
 * Cost: one pass over both; waits for the device. Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, result is NULL), WEFT_E_TYPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_equal(weft_device *device, weft_array a, weft_array b,
                                int *result);
WEFT_API weft_status weft_mismatch(weft_device *device, weft_array a, weft_array b,
                                   i64 *index);

#ifdef __cplusplus
}
#endif
#endif
