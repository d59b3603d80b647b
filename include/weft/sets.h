/* Set operations on arrays in ascending order (unchecked: results of others are wrong, but
 * nothing else is touched; on NVIDIA GPUs they are undefined), as multisets: a key that is
 * p times in `a` and q times in `b` is in the
 *   union                  max(p, q) times: all those of a, then the last q - p of b,
 *   intersection           min(p, q) times: the first of a,
 *   difference             max(p - q, 0) times: the last of a,
 *   symmetric difference   |p - q| times: the last of the one that has more.
 * Results are in ascending order. The order is that of weft_sort: -0 before +0, and NaN
 * last, all NaNs being equal. Inputs may be lazy.
 *
 * *count is the number of elements written, or 0 after an error. The call waits for it; if
 * `count` is NULL it does not wait, but by key. The rest of an output stays as it was.
 *
 * Cost: one pass over both inputs, side by side, and what is written; by key one pass more,
 * and scratch of 8 bytes for each element that the output has room for; scratch for a copy
 * of each lazy input, of 8 bytes per 4400 elements (per 16 on GPUs) and of some 300 KiB a
 * thread. On OpenCL devices but NVIDIA GPUs also for all elements, which are moved once
 * more. On NVIDIA GPUs 12 bytes per 3,000 elements or more, up to 2^30 in all.
 * Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping), WEFT_E_TYPE, WEFT_E_SHAPE,
 * WEFT_E_MEMORY.
 * Source: the counts are those of C++'s std::set_union and its kin; Baxter, "Modern GPU",
 * 2013, chapter "Multisets" (balanced paths). */
#ifndef WEFT_SETS_H
#define WEFT_SETS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/*   a      [n] K, numbers;   b   [m] K
 *   out    K; must not overlap an input; of at least as many elements as there may be:
 *          n + m (union, symmetric difference), the smaller of them (intersection), n
 *          (difference) */
WEFT_API weft_status weft_set_union(weft_device *device, weft_array a, weft_array b,
                                    weft_array out, int64_t *count);
WEFT_API weft_status weft_set_intersection(weft_device *device, weft_array a, weft_array b,
                                           weft_array out, int64_t *count);
WEFT_API weft_status weft_set_difference(weft_device *device, weft_array a, weft_array b,
                                         weft_array out, int64_t *count);
WEFT_API weft_status weft_set_symmetric_difference(weft_device *device, weft_array a,
                                                   weft_array b, weft_array out,
                                                   int64_t *count);

/* The same; values move with their keys.
 *   a_values   [>= n] T;   b_values   [>= m] T
 *   values_out T; as long as keys_out must be; must not overlap an input or keys_out
 * An output that is not wanted is (weft_array){0}; inputs must be there all the same. */
WEFT_API weft_status weft_set_union_by_key(weft_device *device, weft_array a_keys,
                                           weft_array a_values, weft_array b_keys,
                                           weft_array b_values, weft_array keys_out,
                                           weft_array values_out, int64_t *count);
WEFT_API weft_status weft_set_intersection_by_key(weft_device *device, weft_array a_keys,
                                                  weft_array a_values, weft_array b_keys,
                                                  weft_array keys_out,
                                                  weft_array values_out, int64_t *count);
WEFT_API weft_status weft_set_difference_by_key(weft_device *device, weft_array a_keys,
                                                weft_array a_values, weft_array b_keys,
                                                weft_array keys_out, weft_array values_out,
                                                int64_t *count);
WEFT_API weft_status weft_set_symmetric_difference_by_key(
    weft_device *device, weft_array a_keys, weft_array a_values, weft_array b_keys,
    weft_array b_values, weft_array keys_out, weft_array values_out, int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
