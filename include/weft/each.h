/* Several arrays treated alike: what a zip iterator is for. The map or the flags are
 * evaluated once, and read from the cache for all arrays but the first.
 *   count    how many arrays there are, at least 1
 *   in, out  [count] arrays in host memory: in[k] and out[k] are of one type, which may
 *            differ from k to k, and are as the call for one array says. No out[k] may
 *            overlap another array; it may be in[k] where the call for one array allows it.
 * The results are those of the calls for one array. Cost: as those; for lazy flags scratch
 * of 4 bytes per element. Errors: as those, with the number of the array.
 *
 * For an output that nobody wants, here or of a reduction by key, there is weft_scratch. */
#ifndef WEFT_EACH_H
#define WEFT_EACH_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* See weft_gather and weft_scatter (transform.h). */
WEFT_API weft_status weft_gather_each(weft_device *device, int32_t count,
                                      const weft_array *in, weft_array map,
                                      const weft_array *out);
WEFT_API weft_status weft_scatter_each(weft_device *device, int32_t count,
                                       const weft_array *in, weft_array map,
                                       const weft_array *out);

/* See weft_copy_if and weft_partition (select.h): *selected is the number of elements that
 * have a flag, or 0 after an error; NULL: the call does not wait for it. Arrays longer than
 * in[0] are taken as long as that. */
WEFT_API weft_status weft_copy_if_each(weft_device *device, int32_t count,
                                       const weft_array *in, weft_array flags,
                                       const weft_array *out, int64_t *selected);
WEFT_API weft_status weft_partition_each(weft_device *device, int32_t count,
                                         const weft_array *in, weft_array flags,
                                         const weft_array *out, int64_t *selected);

#ifdef __cplusplus
}
#endif
#endif
