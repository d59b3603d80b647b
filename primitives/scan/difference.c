/* Differences of neighbours. */
#include "primitives/primitives.h"
#include "difference.kernel.h"
#include "difference_f64.kernel.h"
#include "weft/transform.h"

WEFT_GENERATOR(difference_u8, u8, (in, u8, in))
WEFT_GENERATOR(difference_u16, u16, (in, u16, in))
WEFT_GENERATOR(difference_u32, u32, (in, u32, in))
WEFT_GENERATOR(difference_u64, u64, (in, u64, in))
WEFT_GENERATOR(difference_f32, f32, (in, f32, in))
WEFT_GENERATOR(difference_f64, f64, (in, f64, in))

weft_status weft_adjacent_difference(weft_device *device, weft_array in, weft_array out) {
    static const weft_generator *const generators[] = {
        &difference_u8_generator,
        &difference_u16_generator,
        &difference_u32_generator,
        &difference_u64_generator,
    };
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, "weft_adjacent_difference.in", in, 0) != WEFT_OK ||
        weft_need_written(device, "weft_adjacent_difference.out", out, in.type,
                          in.length) != WEFT_OK ||
        weft_need_apart(device, "weft_adjacent_difference.out", out, in) != WEFT_OK)
        return weft_check(device);
    const weft_mover mover = weft_mover_of(in.type);
    const int is_float = in.type == WEFT_F32 || in.type == WEFT_F64;
    const weft_type type = is_float ? in.type : mover.type;
    weft_scope_open(device);
    const struct difference_u32_arguments arguments = {
        .in = weft_as(device, weft_settled(device, in), type)};
    const weft_array differences = {.length = in.length,
                                    .type = type,
                                    .read_only = 1,
                                    .generator =
                                        in.type == WEFT_F32   ? &difference_f32_generator
                                        : in.type == WEFT_F64 ? &difference_f64_generator
                                                              : generators[mover.kind],
                                    .arguments = &arguments};
    weft_copy(device, differences, weft_as(device, out, type));
    weft_scope_close(device);
    return weft_check(device);
}
