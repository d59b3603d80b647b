/* Copy, transform, fill, sequence, differences, gather and scatter. Inputs may be lazy
 * (weft_lazy). T is any element type, including structs. If an output is longer than what
 * is written, the rest stays as it was. */
#ifndef WEFT_TRANSFORM_H
#define WEFT_TRANSFORM_H

#include "register.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = in[i].
 *   in      [n] T
 *   out     [>= n] T     may be `in`, else must not overlap it
 * Cost: one pass over both.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping), WEFT_E_TYPE, WEFT_E_SHAPE. */
WEFT_API weft_status weft_copy(weft_device *device, weft_array in, weft_array out);

/* out[i] = the generator's value at i, for i = 0 .. n-1:
 *   weft_transform(device, n, out, saxpy, .a = 2.0f, .x = x, .y = y);
 * `out` may be an array that the generator reads, if only at i. Cost: as weft_copy. Errors:
 * as weft_copy, and those of the generator's arguments as in weft_for_each. */
#define weft_transform(device, n, out, name, ...)                                          \
    weft_copy((device), weft_lazy((n), name, __VA_ARGS__), (out))

/* out[i] = *value.
 *   out     [n] T
 *   value   T, in host memory; may change after the call
 * Cost: one pass over out, for structs one pass per 64 bytes of T.
 * Errors: as weft_copy; WEFT_E_ARGUMENT (value is NULL). */
WEFT_API weft_status weft_fill(weft_device *device, weft_array out, const void *value);

/* out[i] = *start + i * *step. Integers wrap around. For floats i, the product and the sum
 * are rounded, so errors do not grow along the sequence.
 *   out     [n] T, not structs;  start, step   T, in host memory
 * Cost: one pass over out. Errors: as weft_fill. */
WEFT_API weft_status weft_sequence(weft_device *device, weft_array out, const void *start,
                                   const void *step);

/* out[0] = in[0], and out[i] = in[i] - in[i - 1]. Integers wrap around. An inclusive scan
 * with weft_plus is the inverse, for floats up to rounding.
 *   in      [n] T, not structs
 *   out     [>= n] T     must not overlap `in`
 * Cost: one pass over both; scratch for a copy of a lazy input. Errors: as weft_copy. */
WEFT_API weft_status weft_adjacent_difference(weft_device *device, weft_array in,
                                              weft_array out);

/* out[i] = in[map[i]]; weft_gather_if: only if flags[i] is not 0.
 *   in      [m] T
 *   map     [n] i32, u32, i64 or u64, each in 0 .. m-1 (checked by `checking` alone)
 *   flags   [>= n] u32, for example a lazy predicate; map[i] is unused if flags[i] is 0
 *   out     [>= n] T     must not overlap an input, nor what a lazy one reads
 * Cost: O(n); scratch for a copy of a lazy `in`, and for 16 Mi elements of the others.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping), WEFT_E_TYPE, WEFT_E_SHAPE. */
WEFT_API weft_status weft_gather(weft_device *device, weft_array in, weft_array map,
                                 weft_array out);
WEFT_API weft_status weft_gather_if(weft_device *device, weft_array in, weft_array map,
                                    weft_array flags, weft_array out);

/* out[map[i]] = in[i]; weft_scatter_if: only if flags[i] is not 0. Elements of out that no
 * map[i] names stay as they were. If several i name the same element, one of them wins;
 * which one may differ from run to run.
 *   in      [>= n] T
 *   map     [n] i32, u32, i64 or u64, each in 0 .. m-1 (checked by `checking` alone)
 *   flags   [>= n] u32
 *   out     [m] T        must not overlap an input, nor what a lazy one reads
 * Cost, errors: as weft_gather. */
WEFT_API weft_status weft_scatter(weft_device *device, weft_array in, weft_array map,
                                  weft_array out);
WEFT_API weft_status weft_scatter_if(weft_device *device, weft_array in, weft_array map,
                                     weft_array flags, weft_array out);

#ifndef __cplusplus /* see typed.h */
static inline weft_status weft_fill_of(weft_device *device, weft_array out,
                                       const void *value, weft_type pointed) {
    weft_typed(device, "weft_fill: 'value'", pointed, out.type, -1, NULL);
    return weft_fill(device, out, value);
}
static inline weft_status weft_sequence_of(weft_device *device, weft_array out,
                                           const void *start, weft_type start_pointed,
                                           const void *step, weft_type step_pointed) {
    weft_typed(device, "weft_sequence: 'start'", start_pointed, out.type, -1, NULL);
    weft_typed(device, "weft_sequence: 'step'", step_pointed, out.type, -1, NULL);
    return weft_sequence(device, out, start, step);
}
#define weft_fill(device, out, ...)                                                        \
    weft_fill_of((device), (out), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#define weft_sequence(device, out, start, ...)                                             \
    weft_sequence_of((device), (out), (start), WEFT_POINTED(start), (__VA_ARGS__),         \
                     WEFT_POINTED(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif
#endif
