/* Elements by their numbers in two arrays. */
#include "primitives/primitives.h"
#include "join.kernels.h"

WEFT_KERNELS(join, (u8, u16, u32, u64, words, bytes), (value, i64, a_length),
             (in, i64, sources), (in, T, a, 0), (in, T, b, 0), (inout, T, out, 0),
             (value, u32, parts))

void weft_join(weft_device *device, weft_array sources, weft_array a, weft_array b,
               weft_array out) {
    const weft_mover mover = weft_mover_of(a.type);
    const struct join_words_arguments arguments = {.a_length = a.length,
                                                   .sources = sources,
                                                   .a = weft_as(device, a, mover.type),
                                                   .b = weft_as(device, b, mover.type),
                                                   .out = weft_as(device, out, mover.type),
                                                   .parts = mover.parts};
    weft_launch(device, sources.length, join_kernels[mover.kind], &arguments);
}
