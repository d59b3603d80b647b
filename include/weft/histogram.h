/* How often each number occurs, and how many numbers fall into each range. */
#ifndef WEFT_HISTOGRAM_H
#define WEFT_HISTOGRAM_H

#include "array.h"
#include "typed.h"

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

/* counts[b] = how many of the n numbers x have edges[b] <= x < edges[b + 1], as C compares
 * (-0 is 0). What is below the first edge, not below the last, or NaN is not counted.
 *   in       [n] K, numbers;   edges   [k + 1] K, rising (unchecked; equal ones enclose
 *            nothing); both may be lazy
 *   counts   [k] u32 (for n below 2^32) or i64; must not overlap an input
 * Cost: log2(k) steps an element, then weft_histogram's, and scratch for a copy of lazy
 * inputs. Repeats, errors: as weft_histogram, and WEFT_E_SHAPE. */
WEFT_API weft_status weft_histogram_ranges(weft_device *device, weft_array in,
                                           weft_array edges, weft_array counts);

/* The same for k ranges of one width from *low to *high. Edge b is the least number of K
 * that is not below low + b (high - low) / k: exactly so for integers, of which x is thus
 * in bin floor((x - low) k / (high - low)); for floats this is low (1 - s) + high s in f64,
 * with s = b / k, each operation rounded; edges 0 and k are low and high, and none lies
 * beyond these or below the one before it. All backends use these, which the host computes.
 *   low, high   K, finite, low below high; in host memory
 * Cost: a few steps an element, then weft_histogram's; host memory and scratch for k edges.
 * Errors: also WEFT_E_ARGUMENT unless low is below high and both are finite. */
WEFT_API weft_status weft_histogram_even(weft_device *device, weft_array in,
                                         const void *low, const void *high,
                                         weft_array counts);

#ifndef __cplusplus /* see typed.h */
static inline weft_status weft_histogram_even_of(weft_device *device, weft_array in,
                                                 const void *low, weft_type low_pointed,
                                                 const void *high, weft_type high_pointed,
                                                 weft_array counts) {
    weft_typed(device, "weft_histogram_even: 'low'", low_pointed, in.type, -1, NULL);
    weft_typed(device, "weft_histogram_even: 'high'", high_pointed, in.type, -1, NULL);
    return weft_histogram_even(device, in, low, high, counts);
}
#define weft_histogram_even(device, in, low, high, counts)                                 \
    weft_histogram_even_of((device), (in), (low), WEFT_POINTED(low), (high),               \
                           WEFT_POINTED(high), (counts))
#endif

#ifdef __cplusplus
}
#endif
#endif
