/* Scans with a value before the first element: inclusive ones of what begins with it. */
#include "scan.h"
#include "weft/in_place.h"
#include "weft/scan.h"
#include "weft/transform.h"

static int is_same(weft_array a, weft_array b) {
    return a.buffer && a.buffer == b.buffer && a.first == b.first;
}

/* x[i] = the element that the scan meets before in[i]; the first one is not set. */
static void shift(weft_device *device, weft_array in, int reverse, weft_array x) {
    const i64 n = in.length;
    weft_copy(device, weft_part(in, reverse, n - 1), weft_part(x, !reverse, n - 1));
}

/* *initial op the first element that the scan meets. */
static weft_array lead(weft_device *device, const weft_operator *op, const void *initial,
                       weft_array first) {
    const weft_array two = weft_scratch(device, first.type, 2);
    weft_fill(device, weft_part(two, 0, 1), (const void *)initial);
    weft_copy(device, first, weft_part(two, 1, 1));
    weft_scan(device, two, op, WEFT_INCLUSIVE, two);
    return weft_part(two, 1, 1);
}

weft_status(weft_scan_from)(weft_device *device, weft_array in, const weft_operator *op,
                            const void *initial, u32 flags, weft_array out) {
    if (weft_scan_check(device, "weft_scan_from", in, op, flags, out) != WEFT_OK)
        return weft_check(device);
    if (!initial)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_scan_from: 'initial' is NULL");
    const i64 n = in.length;
    if (n == 0)
        return WEFT_OK;
    const u32 reverse = flags & WEFT_REVERSE;
    const i64 first = reverse ? n - 1 : 0;
    weft_scope_open(device);
    weft_array x = weft_part(out, 0, n);
    if (flags & WEFT_EXCLUSIVE) {
        if (is_same(in, out))
            x = weft_scratch(device, in.type, n);
        shift(device, in, reverse != 0, x);
        weft_fill(device, weft_part(x, first, 1), (const void *)initial);
    } else {
        const weft_array sum = lead(device, op, initial, weft_part(in, first, 1));
        weft_copy(device, in, x);
        weft_copy(device, sum, weft_part(x, first, 1));
    }
    if (weft_check(device) == WEFT_OK)
        weft_scan(device, x, op, WEFT_INCLUSIVE | reverse, out);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status(weft_scan_by_key_from)(weft_device *device, weft_array keys, weft_array in,
                                   const weft_operator *op, const void *initial, u32 flags,
                                   weft_array out) {
    const char *call = "weft_scan_by_key_from";
    if (weft_scan_check(device, call, in, op, flags, out) != WEFT_OK ||
        weft_need_array(device, "weft_scan_by_key_from.keys", keys, 0, in.length) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_scan_by_key_from.out", out, keys) != WEFT_OK)
        return weft_check(device);
    if (!initial)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'initial' is NULL", call);
    if (!(flags & WEFT_EXCLUSIVE))
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: the scan is not exclusive", call);
    const i64 n = in.length;
    if (n == 0)
        return WEFT_OK;
    const u32 reverse = flags & WEFT_REVERSE;
    weft_heads_of heads_of, firsts_of;
    weft_scope_open(device);
    keys = weft_settled(device, weft_part(keys, 0, n));
    const weft_array one = weft_scratch(device, in.type, 1),
                     heads = weft_heads(device, keys, 0, &heads_of),
                     firsts = weft_heads(device, keys, reverse != 0, &firsts_of),
                     x = is_same(in, out) ? weft_scratch(device, in.type, n)
                                          : weft_part(out, 0, n);
    weft_fill(device, one, (const void *)initial);
    shift(device, in, reverse != 0, x);
    weft_replace(device, x, firsts, one);
    if (weft_check(device) == WEFT_OK)
        weft_scan_segments(device, x, heads, op, WEFT_INCLUSIVE | reverse, out);
    weft_scope_close(device);
    return weft_check(device);
}
