/* The first elements in order: those up to the last of them, sorted. */
#include "nth.h"
#include "nth.kernels.h"
#include "weft/lazy.h"
#include "weft/nth.h"
#include "weft/select.h"
#include "weft/transform.h"

#include <stdio.h>

WEFT_GENERATORS(nth_until, (u8, u16, u32, u64, bits32, bits64), u32, (value, i64, last),
                (in, T, x, 0), (value, u64, flip))

static weft_status need_out(weft_device *device, const char *what, weft_array out,
                            weft_type type, i64 k, weft_array keys, weft_array values) {
    if (weft_need_written(device, what, out, type, k) != WEFT_OK ||
        weft_need_apart(device, what, out, keys) != WEFT_OK)
        return weft_check(device);
    return values.type ? weft_need_apart(device, what, out, values) : WEFT_OK;
}

static weft_status check(weft_device *device, weft_array keys, weft_array values, i64 k,
                         weft_order order, weft_array keys_out, weft_array values_out) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, "weft_top_k.keys", keys, 0) != WEFT_OK ||
        (values_out.type &&
         weft_need_array(device, "weft_top_k.values", values, 0, keys.length) != WEFT_OK))
        return weft_check(device);
    if (order != WEFT_ASCENDING && order != WEFT_DESCENDING)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_top_k: order is %d", (int)order);
    if (k < 0 || k > keys.length)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_top_k: k is %lld, but 'keys' has %lld elements",
                         (long long)k, (long long)keys.length);
    if ((keys_out.type && need_out(device, "weft_top_k.keys_out", keys_out, keys.type, k,
                                   keys, values) != WEFT_OK) ||
        !values_out.type ||
        need_out(device, "weft_top_k.values_out", values_out, values.type, k, keys,
                 values) != WEFT_OK)
        return weft_check(device);
    return keys_out.type
               ? weft_need_apart(device, "weft_top_k.values_out", values_out, keys_out)
               : WEFT_OK;
}

/* The places of those that come first, rising. */
static void find_places(weft_device *device, weft_array keys, weft_order order,
                        weft_array places) {
    const i64 n = keys.length, k = places.length;
    const u64 zero = 0;
    const weft_array all = weft_lazy_array(n, weft_counting_generator(places.type), &zero);
    if (k == n) {
        weft_copy(device, all, places);
        return;
    }
    const struct nth_until_u32_arguments arguments = {
        .last = weft_nth_place(device, keys, k - 1, order),
        .x = weft_as(device, keys, weft_mover_of(keys.type).type),
        .flip = weft_nth_flip(keys.type, order)};
    const i32 kind = weft_numbers_of(keys.type).kind;
    weft_copy_if(device, all, weft_lazy_array(n, nth_until_generators[kind], &arguments),
                 places, NULL);
}

/* These, and no others, in two passes and more. */
static weft_nth_first find_first(weft_device *device, weft_array keys, i64 k,
                                 weft_order order) {
    const weft_type type = keys.length > UINT32_MAX ? WEFT_I64 : WEFT_U32;
    const weft_nth_first first = {weft_scratch(device, keys.type, k),
                                  weft_scratch(device, type, k)};
    weft_scope_open(device);
    find_places(device, keys, order, first.places);
    weft_scope_close(device);
    weft_gather(device, keys, first.places, first.x);
    return first;
}

weft_status weft_top_k(weft_device *device, weft_array keys, weft_array values, i64 k,
                       weft_order order, weft_array keys_out, weft_array values_out) {
    if (check(device, keys, values, k, order, keys_out, values_out) != WEFT_OK || k == 0)
        return weft_check(device);
    weft_scope_open(device);
    keys = weft_settled(device, keys);
    weft_nth_first first = weft_nth_first_of(device, keys, k, order);
    if (first.x.length == 0)
        first = find_first(device, keys, k, order);
    weft_sort_by_key(device, first.x, first.places, order);
    const weft_array places = weft_part(first.places, 0, k);
    if (keys_out.type)
        weft_copy(device, weft_part(first.x, 0, k), keys_out);
    if (values_out.type)
        weft_gather(device, weft_part(values, 0, keys.length), places, values_out);
    weft_scope_close(device);
    return weft_check(device);
}
