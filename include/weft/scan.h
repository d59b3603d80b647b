/* Running sums with any operator: of a whole array, within segments, or within runs of
 * equal keys. Inputs may be lazy. */
#ifndef WEFT_SCAN_H
#define WEFT_SCAN_H

#include "operators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether sum i includes element i or only those before it (the first sum is then the
 * identity); WEFT_REVERSE: from the last element to the first, so that out[i] is
 * in[n - 1] op ... op in[i], in this order. */
enum { WEFT_INCLUSIVE = 0, WEFT_EXCLUSIVE = 1, WEFT_REVERSE = 2 };

/* out[i] = in[0] op ... op in[i].
 *   in      [n] T        values
 *   op      on T         associative; of at most 4096 bytes
 *   flags   WEFT_INCLUSIVE or WEFT_EXCLUSIVE, optionally | WEFT_REVERSE
 *   out     [>= n] T     may be `in`, else must not overlap it
 * Cost: O(n), one pass over in and out; WEFT_REVERSE two more over out.
 * Repeats: integers bit for bit everywhere; floats on one backend.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, overlapping, op is NULL, unknown flags),
 * WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Blelloch, "Prefix sums and their applications", 1990, section 1.1. */
WEFT_API weft_status weft_scan(weft_device *device, weft_array in, const weft_operator *op,
                               uint32_t flags, weft_array out);

/* The same within segments.
 *   heads   [n] u32      not 0 for the first element of a segment (also with WEFT_REVERSE);
 *                        element 0 always begins one
 *   out     [>= n] T     must not overlap heads
 * Cost: as weft_scan, and a pass over heads; for lazy or reversed heads scratch of 4 bytes
 * per element. Repeats, errors: as weft_scan. Source: Blelloch, as above, section 1.5. */
WEFT_API weft_status weft_scan_segments(weft_device *device, weft_array in,
                                        weft_array heads, const weft_operator *op,
                                        uint32_t flags, weft_array out);

/* The same within runs of equal keys.
 *   keys    [n] any type; equal if neither comes before the other in the order of
 *           weft_sort, structs if their bytes are equal
 *   out     [>= n] T     must not overlap keys
 * Cost: as weft_scan, and a pass over keys; scratch for a copy of lazy keys. Repeats,
 * errors: as weft_scan. */
WEFT_API weft_status weft_scan_by_key(weft_device *device, weft_array keys, weft_array in,
                                      const weft_operator *op, uint32_t flags,
                                      weft_array out);

/* The same with a value that comes before the first element (with WEFT_REVERSE after the
 * last): out[i] = *initial op in[0] op ... op in[i]; exclusive out[0] = *initial.
 *   initial  T, in host memory; may change after the call
 * By key each run begins with it; the scan must be exclusive (else WEFT_E_ARGUMENT).
 * Cost: as above for numbers from the first to the last, on serial, pthreads and NVIDIA
 * GPUs; else also a copy of in, but for exclusive ones of numbers into another array; by
 * key a pass over keys and out; where there is a copy, in place, by key, and of lazy inputs
 * scratch of one T per element. Repeats, errors: as above. */
WEFT_API weft_status weft_scan_from(weft_device *device, weft_array in,
                                    const weft_operator *op, const void *initial,
                                    uint32_t flags, weft_array out);
WEFT_API weft_status weft_scan_by_key_from(weft_device *device, weft_array keys,
                                           weft_array in, const weft_operator *op,
                                           const void *initial, uint32_t flags,
                                           weft_array out);

#ifndef __cplusplus /* see typed.h */
static inline weft_status weft_scan_from_of(weft_device *device, weft_array in,
                                            const weft_operator *op, const void *initial,
                                            weft_type pointed, uint32_t flags,
                                            weft_array out) {
    weft_typed(device, "weft_scan_from: 'initial'", pointed, in.type, -1, NULL);
    return weft_scan_from(device, in, op, initial, flags, out);
}
static inline weft_status weft_scan_by_key_from_of(weft_device *device, weft_array keys,
                                                   weft_array in, const weft_operator *op,
                                                   const void *initial, weft_type pointed,
                                                   uint32_t flags, weft_array out) {
    weft_typed(device, "weft_scan_by_key_from: 'initial'", pointed, in.type, -1, NULL);
    return weft_scan_by_key_from(device, keys, in, op, initial, flags, out);
}
#define weft_scan_from(device, in, op, initial, flags, out)                                \
    weft_scan_from_of((device), (in), (op), (initial), WEFT_POINTED(initial), (flags),     \
                      (out))
#define weft_scan_by_key_from(device, keys, in, op, initial, flags, out)                   \
    weft_scan_by_key_from_of((device), (keys), (in), (op), (initial),                      \
                             WEFT_POINTED(initial), (flags), (out))
#endif

#ifdef __cplusplus
}
#endif
#endif
