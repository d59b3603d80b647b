/* Inner products. */
#include "primitives/primitives.h"
#include "inner.kernel.h"
#include "inner_f64.kernel.h"
#include "weft/reduce.h"

#include <string.h>

WEFT_GENERATOR(inner_u8, u8, (in, u8, a), (in, u8, b))
WEFT_GENERATOR(inner_u16, u16, (in, u16, a), (in, u16, b))
WEFT_GENERATOR(inner_u32, u32, (in, u32, a), (in, u32, b))
WEFT_GENERATOR(inner_u64, u64, (in, u64, a), (in, u64, b))
WEFT_GENERATOR(inner_f32, f32, (in, f32, a), (in, f32, b))
WEFT_GENERATOR(inner_f64, f64, (in, f64, a), (in, f64, b))

static void inner_piece(weft_device *device, i64 first, weft_array a, weft_array b,
                        const void *context, weft_array out) {
    static const weft_generator *const generators[] = {
        &inner_u8_generator,
        &inner_u16_generator,
        &inner_u32_generator,
        &inner_u64_generator,
    };
    (void)first, (void)context;
    weft_type type = out.type;
    const weft_generator *generator = type == WEFT_F32   ? &inner_f32_generator
                                      : type == WEFT_F64 ? &inner_f64_generator
                                                         : NULL;
    if (!generator) { /* signed numbers multiply and add as unsigned ones do */
        const weft_mover mover = weft_mover_of(type);
        type = mover.type;
        generator = generators[mover.kind];
    }
    const struct inner_u32_arguments arguments = {.a = weft_as(device, a, type),
                                                  .b = weft_as(device, b, type)};
    const weft_array products = {.length = a.length,
                                 .type = type,
                                 .read_only = 1,
                                 .generator = generator,
                                 .arguments = &arguments};
    weft_reduce_into(device, products, weft_plus(type), weft_as(device, out, type));
}

weft_status weft_inner_product(weft_device *device, weft_array a, weft_array b,
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
