/* Differences of neighbours. */
#include "primitives/primitives.h"
#include "difference.kernels.h"
#include "weft/transform.h"

WEFT_GENERATORS(difference, (u8, u16, u32, u64, f32, f64), T, (in, T, in))

weft_status weft_adjacent_difference(weft_device *device, weft_array in, weft_array out) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, "weft_adjacent_difference.in", in, 0) != WEFT_OK ||
        weft_need_written(device, "weft_adjacent_difference.out", out, in.type,
                          in.length) != WEFT_OK ||
        weft_need_apart(device, "weft_adjacent_difference.out", out, in) != WEFT_OK)
        return weft_check(device);
    const weft_numbers numbers = weft_numbers_of(in.type);
    weft_scope_open(device);
    const struct difference_u32_arguments arguments = {
        .in = weft_as(device, weft_settled(device, in), numbers.type)};
    const weft_array differences =
        weft_lazy_array(in.length, difference_generators[numbers.kind], &arguments);
    weft_copy(device, differences, weft_as(device, out, numbers.type));
    weft_scope_close(device);
    return weft_check(device);
}
