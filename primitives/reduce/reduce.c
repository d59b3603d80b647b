/* Reductions: whole, and over what kernels compute from arrays that may be lazy. */
#include "primitives/primitives.h"
#include "weft/reduce.h"
#include "weft/transform.h"

#include <string.h>

static weft_status reduce(weft_device *device, const char *what, weft_array in,
                          const weft_operator *op, weft_array out) {
    weft_input input;
    if (weft_need_input(device, what, in, 0, 0, &input) != WEFT_OK)
        return weft_check(device);
    if (in.length == 0)
        return weft_fill(device, out, op->identity);
    weft_span span = {weft_buffer_memory(out.buffer), out.first, 1, out.type};
    weft_scope_open(device);
    device->backend->reduce(device, &input, op, span);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_reduce_into(weft_device *device, weft_array in, const weft_operator *op,
                             weft_array out) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_reduce_into.in", in, 0, 0) != WEFT_OK ||
        weft_need_operator(device, "weft_reduce_into", op, in.type) != WEFT_OK ||
        weft_need_written(device, "weft_reduce_into.out", out, in.type, 1) != WEFT_OK ||
        weft_need_apart(device, "weft_reduce_into.out", weft_part(out, 0, 1), in) !=
            WEFT_OK)
        return weft_check(device);
    return reduce(device, "weft_reduce_into.in", in, op, weft_part(out, 0, 1));
}

weft_status(weft_reduce)(weft_device *device, weft_array in, const weft_operator *op,
                         void *result) {
    const size_t size = WEFT_SIZE(op ? op->type : in.type);
    if (result)
        memset(result, 0, size);
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_reduce.in", in, 0, 0) != WEFT_OK ||
        weft_need_operator(device, "weft_reduce", op, in.type) != WEFT_OK)
        return weft_check(device);
    if (!result)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_reduce: 'result' is NULL");
    if (in.length == 0) {
        memcpy(result, op->identity, size);
        return WEFT_OK;
    }
    weft_scope_open(device);
    const weft_array out = weft_scratch(device, in.type, 1);
    if (weft_check(device) == WEFT_OK)
        reduce(device, "weft_reduce.in", in, op, out);
    weft_read(device, out, result);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_reduce_pieces(weft_device *device, weft_array x, weft_array y,
                               weft_piece *piece, const void *context,
                               const weft_operator *op, void *result) {
    const i64 n = x.length, whole = n > 0 ? n : 1;
    const int lazy = x.generator || y.generator;
    const i64 step = lazy && n > PRIMITIVE_PIECE ? PRIMITIVE_PIECE : whole;
    const i64 pieces = (n + step - 1) / step;
    memset(result, 0, WEFT_SIZE(op->type));
    weft_scope_open(device);
    const weft_array parts = weft_scratch(device, op->type, pieces);
    for (i64 p = 0; p < pieces && weft_check(device) == WEFT_OK; p++) {
        const i64 first = p * step, count = n - first < step ? n - first : step;
        weft_scope_open(device);
        const weft_array some_x = weft_settled(device, weft_part(x, first, count));
        const weft_array some_y =
            y.type ? weft_settled(device, weft_part(y, first, count)) : y;
        piece(device, first, some_x, some_y, context, weft_part(parts, p, 1));
        weft_scope_close(device);
    }
    if (pieces == 1)
        weft_read(device, parts, result);
    else
        weft_reduce(device, parts, op, result);
    weft_scope_close(device);
    return weft_check(device);
}
