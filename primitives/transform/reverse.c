/* Reversing in place, for what runs from the last element to the first. */
#include "primitives/primitives.h"
#include "reverse.kernel.h"

WEFT_KERNEL(reverse_u8, (value, i64, length), (inout, u8, out))
WEFT_KERNEL(reverse_u16, (value, i64, length), (inout, u16, out))
WEFT_KERNEL(reverse_u32, (value, i64, length), (inout, u32, out))
WEFT_KERNEL(reverse_u64, (value, i64, length), (inout, u64, out))
WEFT_KERNEL(reverse_words, (value, i64, length), (inout, u32, out), (value, u32, parts))
WEFT_KERNEL(reverse_bytes, (value, i64, length), (inout, u8, out), (value, u32, parts))

weft_status weft_reverse(weft_device *device, weft_array out) {
    static const weft_kernel *const kernels[MOVES_COUNT] = {
        &reverse_u8_kernel,  &reverse_u16_kernel,   &reverse_u32_kernel,
        &reverse_u64_kernel, &reverse_words_kernel, &reverse_bytes_kernel,
    };
    const weft_mover mover = weft_mover_of(out.type);
    const struct reverse_words_arguments arguments = {.length = out.length,
                                                      .out =
                                                          weft_as(device, out, mover.type),
                                                      .parts = mover.parts};
    return weft_launch(device, out.length / 2, kernels[mover.kind], &arguments);
}
