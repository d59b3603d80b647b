/* Reversing, rotating and swapping in place. */
#include "primitives/primitives.h"
#include "reverse.kernels.h"
#include "swap.kernels.h"
#include "weft/in_place.h"

WEFT_KERNELS(reverse, (u8, u16, u32, u64, words, bytes), (value, i64, length),
             (inout, T, out), (value, u32, parts))
WEFT_KERNELS(swap, (u8, u16, u32, u64), (inout, T, a), (inout, T, b))

weft_status weft_reverse(weft_device *device, weft_array array) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_reverse.array", array, 0, 0) != WEFT_OK)
        return weft_check(device);
    const weft_mover mover = weft_mover_of(array.type);
    const struct reverse_words_arguments arguments = {
        .length = array.length,
        .out = weft_as(device, array, mover.type),
        .parts = mover.parts};
    return weft_launch(device, array.length / 2, reverse_kernels[mover.kind], &arguments);
}

weft_status weft_rotate(weft_device *device, weft_array array, i64 first) {
    const i64 n = array.length;
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_rotate.array", array, 0, 0) != WEFT_OK)
        return weft_check(device);
    if (first < 0 || first > n)
        return weft_fail(device, WEFT_E_SHAPE,
                         "weft_rotate: 'first' is %lld, but the array has %lld elements",
                         (long long)first, (long long)n);
    if (first == 0 || first == n)
        return WEFT_OK;
    weft_reverse(device, weft_part(array, 0, first));
    weft_reverse(device, weft_part(array, first, n - first));
    return weft_reverse(device, array);
}

/* Structs lie side by side: all their parts are exchanged as one row. */
weft_status weft_swap(weft_device *device, weft_array a, weft_array b) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_swap.a", a, 0, 0) != WEFT_OK ||
        weft_need_written(device, "weft_swap.b", b, a.type, a.length) != WEFT_OK ||
        weft_need_apart(device, "weft_swap.b", b, a) != WEFT_OK)
        return weft_check(device);
    if (b.length != a.length)
        return weft_fail(device, WEFT_E_SHAPE,
                         "weft_swap: array 'b' has %lld elements, 'a' has %lld",
                         (long long)b.length, (long long)a.length);
    const weft_mover mover = weft_mover_of(a.type);
    const weft_moves kind = mover.kind == MOVES_WORDS   ? MOVES_U32
                            : mover.kind == MOVES_BYTES ? MOVES_U8
                                                        : mover.kind;
    const struct swap_u32_arguments arguments = {.a = weft_as(device, a, mover.type),
                                                 .b = weft_as(device, b, mover.type)};
    return weft_launch(device, a.length * mover.parts, swap_kernels[kind], &arguments);
}
