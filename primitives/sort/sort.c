/* Sorts: values that the backends do not move themselves are gathered afterwards. */
#include "primitives/primitives.h"
#include "weft/sort.h"
#include "weft/transform.h"

#include <stdio.h>

static void sort_direct(weft_device *device, weft_array keys, weft_array values,
                        weft_order order, i32 begin_bit, i32 end_bit) {
    weft_sort_call sort = {
        .begin_bit = begin_bit, .end_bit = end_bit, .descending = order == WEFT_DESCENDING};
    if (weft_need_output(device, "weft_sort.keys", keys, 0, 0, &sort.keys) != WEFT_OK ||
        (values.type &&
         weft_need_output(device, "weft_sort.values", values, 0, 0, &sort.values)))
        return;
    weft_scope_open(device);
    device->backend->sort(device, &sort);
    weft_scope_close(device);
}

/* Values of any size: sorts their numbers, then fetches them. */
static void sort_index(weft_device *device, weft_array keys, weft_array values,
                       weft_order order, i32 begin_bit, i32 end_bit) {
    const i64 n = keys.length;
    const u64 start = 0, step = 1; /* their low halves are u32's */
    const weft_array index = weft_scratch(device, n > UINT32_MAX ? WEFT_I64 : WEFT_U32, n);
    const weft_array copy = weft_scratch(device, values.type, n);
    weft_sequence(device, index, (const void *)&start, (const void *)&step);
    weft_copy(device, values, copy);
    if (weft_check(device) == WEFT_OK)
        sort_direct(device, keys, index, order, begin_bit, end_bit);
    weft_gather(device, copy, index, values);
}

static i32 bits_of(weft_array keys) {
    return 8 * (i32)WEFT_SIZE(keys.type);
}

static weft_status sort(weft_device *device, const char *call, weft_array keys,
                        weft_array values, weft_order order, i32 begin_bit, i32 end_bit) {
    char what[2][64];
    snprintf(what[0], sizeof what[0], "%s.keys", call);
    snprintf(what[1], sizeof what[1], "%s.values", call);
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, what[0], keys, 0, 0) != WEFT_OK ||
        weft_need_numbers(device, what[0], keys, 0) != WEFT_OK ||
        (values.type &&
         (weft_need_written(device, what[1], values, 0, keys.length) != WEFT_OK ||
          weft_need_apart(device, what[1], values, keys) != WEFT_OK)))
        return weft_check(device);
    const i32 bits = bits_of(keys);
    if (order != WEFT_ASCENDING && order != WEFT_DESCENDING)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: order is %d", call, (int)order);
    if (begin_bit < 0 || begin_bit > end_bit || end_bit > bits)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: bits [%d, %d) are not inside a key's %d", call, begin_bit,
                         end_bit, bits);
    if (keys.length < 2 || begin_bit == end_bit)
        return WEFT_OK;
    const size_t size = WEFT_SIZE(values.type);
    if (values.type)
        values = weft_part(values, 0, keys.length);
    weft_scope_open(device);
    if (!values.type || size == 4 || size == 8)
        sort_direct(device, keys, values, order, begin_bit, end_bit);
    else
        sort_index(device, keys, values, order, begin_bit, end_bit);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_sort(weft_device *device, weft_array keys, weft_order order) {
    return sort(device, "weft_sort", keys, (weft_array){0}, order, 0, bits_of(keys));
}

weft_status weft_sort_by_key(weft_device *device, weft_array keys, weft_array values,
                             weft_order order) {
    if (weft_check(device) == WEFT_OK && !values.type)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_sort_by_key: array 'values' is missing");
    return sort(device, "weft_sort_by_key", keys, values, order, 0, bits_of(keys));
}

weft_status weft_sort_bits(weft_device *device, weft_array keys, weft_array values,
                           weft_order order, i32 begin_bit, i32 end_bit) {
    return sort(device, "weft_sort_bits", keys, values, order, begin_bit, end_bit);
}
