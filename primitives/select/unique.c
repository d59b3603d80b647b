/* The first of each run of equal elements. */
#include "select.h"
#include "weft/reduce.h"
#include "weft/select.h"

weft_status weft_unique(weft_device *device, weft_array in, weft_array out, i64 *count) {
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_unique.in", in, 0, 0) != WEFT_OK ||
        weft_need_written(device, "weft_unique.out", out, in.type, in.length) != WEFT_OK ||
        weft_need_apart_or_same(device, "weft_unique.out", out, in) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    in = weft_settled(device, in);
    weft_heads_of of;
    weft_select_into(device, in, weft_heads(device, in, 0, &of), 1, out, count);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_unique_by_key(weft_device *device, weft_array keys, weft_array values,
                               weft_array keys_out, weft_array values_out, i64 *count) {
    const i64 n = keys.length;
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_unique_by_key.keys", keys, 0, 0) != WEFT_OK ||
        weft_need_array(device, "weft_unique_by_key.values", values, 0, n) != WEFT_OK ||
        weft_need_if_asked(device, "weft_unique_by_key.keys_out", keys_out, keys.type, n) !=
            WEFT_OK ||
        weft_need_if_asked(device, "weft_unique_by_key.values_out", values_out, values.type,
                           n) != WEFT_OK ||
        weft_need_apart_or_same(device, "weft_unique_by_key.keys_out", keys_out, keys) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_unique_by_key.keys_out", keys_out, values) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_unique_by_key.values_out", values_out, keys) !=
            WEFT_OK ||
        weft_need_apart_or_same(device, "weft_unique_by_key.values_out", values_out,
                                values) != WEFT_OK ||
        weft_need_apart(device, "weft_unique_by_key.values_out", values_out, keys_out) !=
            WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    keys = weft_settled(device, keys);
    values = weft_part(values, 0, n);
    weft_heads_of of;
    const weft_array heads = weft_heads(device, keys, 0, &of);
    if (values_out.type)
        weft_select_into(device, values, heads, 1, values_out,
                         keys_out.type ? NULL : count);
    if (keys_out.type) /* the last, since heads are of the keys */
        weft_select_into(device, keys, heads, 1, keys_out, count);
    if (count && !keys_out.type && !values_out.type)
        weft_count_if(device, heads, count);
    weft_scope_close(device);
    return weft_check(device);
}
