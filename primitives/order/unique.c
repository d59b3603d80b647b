/* The first of each run of elements that are equal by a comparison. */
#include "merged.h"
#include "weft/reduce.h"
#include "weft/select.h"

#include <stdio.h>

static weft_status need_unique(weft_device *device, const char *call, const char *name,
                               weft_array in, int may_lack, weft_array out,
                               weft_array other) {
    char what[64];
    snprintf(what, sizeof what, "%s.%s", call, name);
    if (may_lack && !out.type)
        return WEFT_OK;
    if (weft_need_written(device, what, out, in.type, other.length) != WEFT_OK ||
        weft_need_apart(device, what, out, in) != WEFT_OK)
        return weft_check(device);
    return weft_need_apart(device, what, out, other);
}

weft_status weft_unique_with(weft_device *device, weft_array in,
                             const weft_comparison *order, weft_array out, i64 *count) {
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_unique_with.in", in, 0, 0) != WEFT_OK ||
        weft_need_order(device, "weft_unique_with", order, "in", in) != WEFT_OK ||
        need_unique(device, "weft_unique_with", "out", in, 0, out, in) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    const weft_array x = weft_settled(device, in);
    weft_copy_if(device, x, weft_lazy_array(x.length, order->heads, &x), out, count);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_unique_by_key_with(weft_device *device, weft_array keys, weft_array values,
                                    const weft_comparison *order, weft_array keys_out,
                                    weft_array values_out, i64 *count) {
    const char *call = "weft_unique_by_key_with";
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_unique_by_key_with.keys", keys, 0, 0) != WEFT_OK ||
        weft_need_order(device, call, order, "keys", keys) != WEFT_OK ||
        weft_need_array(device, "weft_unique_by_key_with.values", values, 0, keys.length) !=
            WEFT_OK)
        return weft_check(device);
    values = weft_part(values, 0, keys.length);
    if (need_unique(device, call, "keys_out", keys, 1, keys_out, values) != WEFT_OK ||
        need_unique(device, call, "values_out", values, 1, values_out, keys) != WEFT_OK ||
        weft_need_apart(device, "weft_unique_by_key_with.values_out", values_out,
                        keys_out) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    const weft_array x = weft_settled(device, keys);
    const weft_array heads = weft_lazy_array(x.length, order->heads, &x);
    if (keys_out.type)
        weft_copy_if(device, x, heads, keys_out, count);
    if (values_out.type)
        weft_copy_if(device, values, heads, values_out, keys_out.type ? NULL : count);
    if (count && !keys_out.type && !values_out.type)
        weft_count_if(device, heads, count);
    weft_scope_close(device);
    return weft_check(device);
}
