/* One element of an array, from the host and to it. */
#ifndef WEFT_ELEMENT_H
#define WEFT_ELEMENT_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* weft_get: *value = array[i]; the array may be lazy. weft_put: array[i] = *value.
 *   array   T, of any type
 *   value   T, in host memory; 0 after an error of weft_get
 * Cost: waits for the device, as weft_read and weft_write do; for one of few elements, not
 * in a loop over all.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, value is NULL), WEFT_E_TYPE, WEFT_E_SHAPE
 * (no element i), and those of a lazy array's arguments. */
WEFT_API weft_status weft_get(weft_device *device, weft_array array, int64_t i,
                              void *value);
WEFT_API weft_status weft_put(weft_device *device, weft_array array, int64_t i,
                              const void *value);

#ifndef __cplusplus /* see typed.h */
static inline weft_status weft_get_of(weft_device *device, weft_array array, int64_t i,
                                      void *value, weft_type pointed) {
    if (!weft_typed(device, "weft_get: 'value'", pointed, array.type, -1, value))
        return weft_check(device);
    return weft_get(device, array, i, value);
}
static inline weft_status weft_put_of(weft_device *device, weft_array array, int64_t i,
                                      const void *value, weft_type pointed) {
    weft_typed(device, "weft_put: 'value'", pointed, array.type, -1, NULL);
    return weft_put(device, array, i, value);
}
#define weft_get(device, array, i, ...)                                                    \
    weft_get_of((device), (array), (i), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#define weft_put(device, array, i, ...)                                                    \
    weft_put_of((device), (array), (i), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif
#endif
