/* One element, from the host and to it. */
#include "weft/element.h"
#include "primitives/primitives.h"
#include "weft/transform.h"

#include <string.h>

static weft_status check(weft_device *device, const char *call, weft_array array, i64 i,
                         const void *value) {
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (i < 0 || i >= array.length)
        return weft_fail(device, WEFT_E_SHAPE,
                         "%s: array 'array' has %lld elements, no %lld", call,
                         (long long)array.length, (long long)i);
    if (!value)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'value' is NULL", call);
    return WEFT_OK;
}

weft_status(weft_get)(weft_device *device, weft_array array, i64 i, void *value) {
    if (weft_check(device) == WEFT_OK)
        weft_need_array(device, "weft_get.array", array, 0, 0);
    if (check(device, "weft_get", array, i, value) == WEFT_OK) {
        weft_scope_open(device);
        const weft_array one = weft_scratch(device, array.type, 1);
        if (array.generator)
            weft_copy(device, weft_part(array, i, 1), one);
        weft_read(device, array.generator ? one : weft_part(array, i, 1), value);
        weft_scope_close(device);
    }
    if (weft_check(device) != WEFT_OK && value)
        memset(value, 0, WEFT_SIZE(array.type));
    return weft_check(device);
}

weft_status(weft_put)(weft_device *device, weft_array array, i64 i, const void *value) {
    if (weft_check(device) == WEFT_OK)
        weft_need_written(device, "weft_put.array", array, 0, 0);
    if (check(device, "weft_put", array, i, value) != WEFT_OK)
        return weft_check(device);
    return weft_write(device, weft_part(array, i, 1), value);
}
