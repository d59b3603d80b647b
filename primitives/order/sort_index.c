/* The order of several keys: stable sorts by each, the last first. */
#include "primitives/primitives.h"
#include "weft/order.h"
#include "weft/short_names.h"
#include "weft/transform.h"

#include <stdio.h>

static weft_status check(weft_device *device, const weft_array *keys,
                         const weft_order *orders, i64 count, weft_array index) {
    char what[64];
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_sort_index.index", index, WEFT_U32, 0) != WEFT_OK)
        return weft_check(device);
    if (!keys || count < 1)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_sort_index: %s",
                         keys ? "there is no key" : "'keys' is NULL");
    for (i64 k = 0; k < count; k++) {
        snprintf(what, sizeof what, "weft_sort_index.keys[%lld]", (long long)k);
        if (weft_need_numbers(device, what, keys[k], index.length) != WEFT_OK ||
            weft_need_apart(device, "weft_sort_index.index", index, keys[k]) != WEFT_OK)
            return weft_check(device);
        if (orders && orders[k] != WEFT_ASCENDING && orders[k] != WEFT_DESCENDING)
            return weft_fail(device, WEFT_E_ARGUMENT, "weft_sort_index: orders[%lld] is %d",
                             (long long)k, (int)orders[k]);
    }
    return WEFT_OK;
}

weft_status weft_sort_index(weft_device *device, const weft_array *keys,
                            const weft_order *orders, i64 count, weft_array index) {
    const u32 start = 0, step = 1;
    if (check(device, keys, orders, count, index) != WEFT_OK)
        return weft_check(device);
    weft_sequence(device, index, &start, &step);
    for (i64 k = count - 1; k >= 0; k--) {
        weft_scope_open(device);
        const weft_array key = weft_scratch(device, keys[k].type, index.length);
        weft_gather(device, keys[k], index, key);
        weft_sort_by_key(device, key, index, orders ? orders[k] : WEFT_ASCENDING);
        weft_scope_close(device);
    }
    return weft_check(device);
}
