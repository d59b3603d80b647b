/* Copying, and with it every transform. */
#include "primitives/primitives.h"
#include "weft/transform.h"

weft_status weft_copy(weft_device *device, weft_array in, weft_array out) {
    weft_input input;
    weft_span span = {0};
    if (weft_check(device) != WEFT_OK ||
        weft_need_input(device, "weft_copy.in", in, 0, 0, &input) != WEFT_OK ||
        weft_need_output(device, "weft_copy.out", out, in.type, in.length, &span) !=
            WEFT_OK)
        return weft_check(device);
    if (in.length == 0 || (in.buffer && in.buffer == out.buffer && in.first == out.first))
        return WEFT_OK;
    out.length = span.length = in.length;
    if (in.buffer && weft_need_apart(device, "weft_copy.out", out, in) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    device->backend->copy(device, &input, span);
    weft_scope_close(device);
    return weft_check(device);
}

weft_array weft_settled(weft_device *device, weft_array array) {
    if (!array.generator)
        return array;
    const weft_array copy = weft_scratch(device, array.type, array.length);
    weft_copy(device, array, copy);
    return copy;
}
