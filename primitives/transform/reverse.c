/* Reversing in place, for what runs from the last element to the first. */
#include "primitives/primitives.h"
#include "reverse.kernels.h"

WEFT_KERNELS(reverse, (u8, u16, u32, u64, words, bytes), (value, i64, length),
             (inout, T, out), (value, u32, parts))

weft_status weft_reverse(weft_device *device, weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const struct reverse_words_arguments arguments = {.length = out.length,
                                                      .out =
                                                          weft_as(device, out, mover.type),
                                                      .parts = mover.parts};
    return weft_launch(device, out.length / 2, reverse_kernels[mover.kind], &arguments);
}
