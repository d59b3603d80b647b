/* How often each number occurs. */
#ifndef WEFT_HISTOGRAM_H
#define WEFT_HISTOGRAM_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* counts[b] = how many of the n bins are b, for b = 0 .. k-1; other bins are ignored.
 *   bins     [n] u32, usually lazy: the bin of element i
 *   counts   [k] u32 (for n below 2^32) or i64; must not overlap bins
 * Cost: one pass over bins; scratch of at most n / 4 bytes and 4 MiB, of 4 bytes per count,
 * and for 16 Mi elements of a lazy input. On GPUs, for up to 4096 counts, 4 bytes per
 * count. Repeats: bit for bit everywhere. Errors: WEFT_E_ARGUMENT (missing, read-only,
 * overlapping), WEFT_E_TYPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_histogram(weft_device *device, weft_array bins,
                                    weft_array counts);

#ifdef __cplusplus
}
#endif
#endif
