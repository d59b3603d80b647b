/* Elements sorted by a number that each of them has. */
#include "primitives/primitives.h"
#include "weft/order.h"
#include "weft/transform.h"

weft_status weft_sort_by(weft_device *device, weft_array inout, weft_array keys,
                         weft_order order) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_sort_by.inout", inout, 0, 0) != WEFT_OK ||
        weft_need_numbers(device, "weft_sort_by.keys", keys, inout.length) != WEFT_OK)
        return weft_check(device);
    if (order != WEFT_ASCENDING && order != WEFT_DESCENDING)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_sort_by: order is %d", (int)order);
    weft_scope_open(device);
    const weft_array held = weft_scratch(device, keys.type, inout.length);
    weft_copy(device, weft_part(keys, 0, inout.length), held);
    weft_sort_by_key(device, held, inout, order);
    weft_scope_close(device);
    return weft_check(device);
}
