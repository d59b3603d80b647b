/* Inner products. */
#include "primitives/primitives.h"
#include "inner.kernels.h"
#include "weft/reduce.h"

#include <string.h>

WEFT_GENERATORS(inner, (u8, u16, u32, u64, f32, f64), T, (in, T, a), (in, T, b))

static void inner_piece(weft_device *device, i64 first, weft_array a, weft_array b,
                        const void *context, weft_array out) {
    (void)first, (void)context;
    const weft_numbers numbers = weft_numbers_of(out.type);
    const weft_type type = numbers.type;
    const struct inner_u32_arguments arguments = {.a = weft_as(device, a, type),
                                                  .b = weft_as(device, b, type)};
    const weft_array products =
        weft_lazy_array(a.length, inner_generators[numbers.kind], &arguments);
    weft_reduce_into(device, products, weft_plus(type), weft_as(device, out, type));
}

weft_status(weft_inner_product)(weft_device *device, weft_array a, weft_array b,
                                void *result) {
    if (result && a.type < WEFT_STRUCTS)
        memset(result, 0, WEFT_SIZE(a.type));
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, "weft_inner_product.a", a, 0) != WEFT_OK ||
        weft_need_array(device, "weft_inner_product.b", b, a.type, a.length) != WEFT_OK)
        return weft_check(device);
    if (!result)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_inner_product: 'result' is NULL");
    return weft_reduce_pieces(device, a, b, inner_piece, NULL, weft_plus(a.type), result);
}
