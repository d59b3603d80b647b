/* Scans with a value before the first element: inclusive ones of what begins with it. */
#include "scan.h"
#include "from.kernels.h"
#include "weft/in_place.h"
#include "weft/scan.h"
#include "weft/transform.h"

#include <string.h>

WEFT_GENERATORS(from, (i8, u8, i16, u16, i32, u32, i64, u64, f32, f64), T, (in, T, in),
                (in, T, initial, 1))

/* An exclusive scan of numbers from the first to the last, which lie in memory of their
 * own: what begins with the value is computed as it is read. */
static void scan_directly(weft_device *device, weft_array in, const weft_operator *op,
                          const void *initial, weft_array out) {
    const weft_array one = weft_scratch(device, in.type, 1);
    weft_fill(device, one, (const void *)initial);
    const struct from_u32_arguments arguments = {.in = in, .initial = one};
    weft_scan(device,
              weft_lazy_array(in.length, from_generators[(in.type >> 24) - 1], &arguments),
              op, WEFT_INCLUSIVE, out);
}

/* As the backend itself does; returns 0 where it has no way of its own. */
static int scan_by_backend(weft_device *device, weft_array in, const weft_operator *op,
                           u32 flags, const void *initial, weft_array out) {
    weft_input input;
    weft_span span = {0};
    if (!device->backend->scan_from || flags & WEFT_REVERSE || in.type >= WEFT_STRUCTS ||
        weft_need_input(device, "weft_scan_from.in", in, 0, 0, &input) != WEFT_OK ||
        weft_need_output(device, "weft_scan_from.out", weft_part(out, 0, in.length), 0, 0,
                         &span) != WEFT_OK)
        return weft_check(device) != WEFT_OK;
    return device->backend->scan_from(device, &input, op, (flags & WEFT_EXCLUSIVE) != 0,
                                      initial, span);
}

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
    if (scan_by_backend(device, in, op, flags, initial, out)) {
        weft_scope_close(device);
        return weft_check(device);
    }
    if (flags == WEFT_EXCLUSIVE && in.buffer && !is_same(in, out) &&
        in.type < WEFT_STRUCTS) {
        scan_directly(device, in, op, initial, out);
        weft_scope_close(device);
        return weft_check(device);
    }
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
