/* Scans of every direction, composed from the backends' scan from left to right. */
#include "scan.h"
#include "heads.kernels.h"
#include "weft/in_place.h"
#include "weft/scan.h"
#include "weft/transform.h"

#include <stdio.h>

WEFT_GENERATOR(heads_reversed, u32, (value, i64, length), (in, u32, heads))

weft_status weft_scan_check(weft_device *device, const char *call, weft_array in,
                            const weft_operator *op, u32 flags, weft_array out) {
    char what[2][64];
    snprintf(what[0], sizeof what[0], "%s.in", call);
    snprintf(what[1], sizeof what[1], "%s.out", call);
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what[0], in, 0, 0) != WEFT_OK ||
        weft_need_operator(device, call, op, in.type) != WEFT_OK ||
        weft_need_written(device, what[1], out, in.type, in.length) != WEFT_OK)
        return weft_check(device);
    if (flags > (WEFT_EXCLUSIVE | WEFT_REVERSE))
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: flags are %u", call, flags);
    if (in.buffer && in.buffer == out.buffer && in.first == out.first)
        return WEFT_OK;
    return weft_need_apart(device, what[1], weft_part(out, 0, in.length), in);
}

/* From left to right; arguments are checked. */
static weft_status forward(weft_device *device, weft_array in, const weft_array *heads,
                           const weft_operator *op, int exclusive, weft_array out) {
    weft_input input, head_input;
    weft_span span = {0};
    if (in.length == 0 ||
        weft_need_input(device, "weft_scan.in", in, 0, 0, &input) != WEFT_OK ||
        weft_need_output(device, "weft_scan.out", weft_part(out, 0, in.length), 0, 0,
                         &span) != WEFT_OK ||
        (heads && weft_need_input(device, "weft_scan.heads", *heads, 0, 0, &head_input)))
        return weft_check(device);
    weft_scope_open(device);
    device->backend->scan(device, &input, heads ? &head_input : NULL, op, exclusive, span);
    weft_scope_close(device);
    return weft_check(device);
}

static weft_status backward(weft_device *device, weft_array in, const weft_array *heads,
                            const weft_operator *op, int exclusive, weft_array out) {
    const i64 n = in.length;
    out = weft_part(out, 0, n);
    weft_copy(device, in, out);
    weft_reverse(device, out);
    weft_scope_open(device);
    if (heads) {
        const weft_array forward_heads = weft_settled(device, *heads);
        const weft_array reversed =
            weft_lazy(n, heads_reversed, .length = n, .heads = forward_heads);
        forward(device, out, &reversed, op, exclusive, out);
    } else {
        forward(device, out, NULL, op, exclusive, out);
    }
    weft_scope_close(device);
    return weft_reverse(device, out);
}

static weft_status scan(weft_device *device, weft_array in, const weft_array *heads,
                        const weft_operator *op, u32 flags, weft_array out) {
    const int exclusive = (flags & WEFT_EXCLUSIVE) != 0;
    return flags & WEFT_REVERSE ? backward(device, in, heads, op, exclusive, out)
                                : forward(device, in, heads, op, exclusive, out);
}

weft_status weft_scan(weft_device *device, weft_array in, const weft_operator *op,
                      u32 flags, weft_array out) {
    if (weft_scan_check(device, "weft_scan", in, op, flags, out) != WEFT_OK)
        return weft_check(device);
    return scan(device, in, NULL, op, flags, out);
}

weft_status weft_scan_segments(weft_device *device, weft_array in, weft_array heads,
                               const weft_operator *op, u32 flags, weft_array out) {
    if (weft_scan_check(device, "weft_scan_segments", in, op, flags, out) != WEFT_OK ||
        weft_need_array(device, "weft_scan_segments.heads", heads, WEFT_U32, in.length) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_scan_segments.out", out, heads) != WEFT_OK)
        return weft_check(device);
    heads = weft_part(heads, 0, in.length);
    return scan(device, in, &heads, op, flags, out);
}

weft_status weft_scan_by_key(weft_device *device, weft_array keys, weft_array in,
                             const weft_operator *op, u32 flags, weft_array out) {
    if (weft_scan_check(device, "weft_scan_by_key", in, op, flags, out) != WEFT_OK ||
        weft_need_array(device, "weft_scan_by_key.keys", keys, 0, in.length) != WEFT_OK ||
        weft_need_apart(device, "weft_scan_by_key.out", out, keys) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    weft_heads_of of;
    keys = weft_settled(device, weft_part(keys, 0, in.length));
    const weft_array heads = weft_heads(device, keys, 0, &of);
    scan(device, in, &heads, op, flags, out);
    weft_scope_close(device);
    return weft_check(device);
}
