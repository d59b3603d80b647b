/* Sums with any operator, counts, extremes. Inputs may be lazy: with a generator these are
 * transform_reduce and the like. Calls with a result in host memory wait for the device;
 * after an error the result is 0. Scratch does not grow with the input.
 *
 * Errors, if not said otherwise: WEFT_E_ARGUMENT (missing, read-only, result or operator
 * is NULL), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
#ifndef WEFT_REDUCE_H
#define WEFT_REDUCE_H

#include "operators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* *result = in[0] op in[1] op ... op in[n-1], or the identity of op if n = 0.
 *   in       [n] T
 *   op       on T, of at most 4096 bytes; associative and commutative
 *   result   T, in host memory
 *   out      [>= 1] T, must not overlap `in`; weft_reduce_into writes its first element and
 *            does not wait
 * Cost: one pass over in. Repeats: integers bit for bit everywhere; floats on one backend,
 * which has one association for each n. */
WEFT_API weft_status weft_reduce(weft_device *device, weft_array in,
                                 const weft_operator *op, void *result);
WEFT_API weft_status weft_reduce_into(weft_device *device, weft_array in,
                                      const weft_operator *op, weft_array out);

/* *result = the sum of a[i] * b[i]. Integers wrap around; floats are rounded to T.
 *   a        [n] T, numbers;  b   [>= n] T;  result   T, in host memory
 * Cost: one pass over a and b. Repeats: as weft_reduce. */
WEFT_API weft_status weft_inner_product(weft_device *device, weft_array a, weft_array b,
                                        void *result);

/* The index of the first smallest (weft_min_element) or the first greatest element
 * (weft_max_element), in the order of weft_sort: -0 before +0, NaN last. -1 if n = 0.
 *   in       [n] numbers
 * Cost: one pass over in, for weft_minmax_element two. Repeats: bit for bit everywhere. */
WEFT_API weft_status weft_min_element(weft_device *device, weft_array in, int64_t *index);
WEFT_API weft_status weft_max_element(weft_device *device, weft_array in, int64_t *index);
WEFT_API weft_status weft_minmax_element(weft_device *device, weft_array in, int64_t *least,
                                         int64_t *greatest);

/* How many flags are not 0; whether all, any or none of them are not 0 (1 or 0; without
 * flags, weft_all and weft_none give 1).
 *   flags    [n] u32, usually lazy: a predicate
 * Cost: one pass over flags. Repeats: bit for bit everywhere. */
WEFT_API weft_status weft_count_if(weft_device *device, weft_array flags, int64_t *count);
WEFT_API weft_status weft_all(weft_device *device, weft_array flags, int *result);
WEFT_API weft_status weft_any(weft_device *device, weft_array flags, int *result);
WEFT_API weft_status weft_none(weft_device *device, weft_array flags, int *result);

#ifndef __cplusplus /* see typed.h */
static inline weft_status weft_reduce_of(weft_device *device, weft_array in,
                                         const weft_operator *op, void *result,
                                         weft_type pointed) {
    if (!weft_typed(device, "weft_reduce: 'result'", pointed, in.type, -1, result))
        return weft_check(device);
    return weft_reduce(device, in, op, result);
}
static inline weft_status weft_inner_product_of(weft_device *device, weft_array a,
                                                weft_array b, void *result,
                                                weft_type pointed) {
    if (!weft_typed(device, "weft_inner_product: 'result'", pointed, a.type, -1, result))
        return weft_check(device);
    return weft_inner_product(device, a, b, result);
}
#define weft_reduce(device, in, op, ...)                                                   \
    weft_reduce_of((device), (in), (op), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#define weft_inner_product(device, a, b, ...)                                              \
    weft_inner_product_of((device), (a), (b), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif
#endif
