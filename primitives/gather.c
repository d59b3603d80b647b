/* Gathering: elements from where a map says. */
#include "primitives.h"
#include "gather.kernel.h"
#include "weft/transform.h"

WEFT_KERNEL(gather_u8_by_u32, (in, u8, in, 0), (in, u32, map), (in, u32, flags),
            (value, u32, some), (inout, u8, out, n))
WEFT_KERNEL(gather_u8_by_i64, (in, u8, in, 0), (in, i64, map), (in, u32, flags),
            (value, u32, some), (inout, u8, out, n))
WEFT_KERNEL(gather_u16_by_u32, (in, u16, in, 0), (in, u32, map), (in, u32, flags),
            (value, u32, some), (inout, u16, out, n))
WEFT_KERNEL(gather_u16_by_i64, (in, u16, in, 0), (in, i64, map), (in, u32, flags),
            (value, u32, some), (inout, u16, out, n))
WEFT_KERNEL(gather_u32_by_u32, (in, u32, in, 0), (in, u32, map), (in, u32, flags),
            (value, u32, some), (inout, u32, out, n))
WEFT_KERNEL(gather_u32_by_i64, (in, u32, in, 0), (in, i64, map), (in, u32, flags),
            (value, u32, some), (inout, u32, out, n))
WEFT_KERNEL(gather_u64_by_u32, (in, u64, in, 0), (in, u32, map), (in, u32, flags),
            (value, u32, some), (inout, u64, out, n))
WEFT_KERNEL(gather_u64_by_i64, (in, u64, in, 0), (in, i64, map), (in, u32, flags),
            (value, u32, some), (inout, u64, out, n))
WEFT_KERNEL(gather_words_by_u32, (in, u32, in, 0), (in, u32, map), (in, u32, flags),
            (value, u32, some), (inout, u32, out, 0), (value, u32, parts))
WEFT_KERNEL(gather_words_by_i64, (in, u32, in, 0), (in, i64, map), (in, u32, flags),
            (value, u32, some), (inout, u32, out, 0), (value, u32, parts))
WEFT_KERNEL(gather_bytes_by_u32, (in, u8, in, 0), (in, u32, map), (in, u32, flags),
            (value, u32, some), (inout, u8, out, 0), (value, u32, parts))
WEFT_KERNEL(gather_bytes_by_i64, (in, u8, in, 0), (in, i64, map), (in, u32, flags),
            (value, u32, some), (inout, u8, out, 0), (value, u32, parts))

static weft_status gather(weft_device *device, weft_array in, weft_array map,
                          const weft_array *flags, weft_array out) {
    static const weft_kernel *const kernels[MOVES_COUNT][2] = {
        {&gather_u8_by_u32_kernel, &gather_u8_by_i64_kernel},
        {&gather_u16_by_u32_kernel, &gather_u16_by_i64_kernel},
        {&gather_u32_by_u32_kernel, &gather_u32_by_i64_kernel},
        {&gather_u64_by_u32_kernel, &gather_u64_by_i64_kernel},
        {&gather_words_by_u32_kernel, &gather_words_by_i64_kernel},
        {&gather_bytes_by_u32_kernel, &gather_bytes_by_i64_kernel},
    };
    const weft_mover mover = weft_mover_of(in.type);
    const int wide = WEFT_SIZE(map.type) == 8;
    const i64 n = map.length;
    weft_scope_open(device);
    map = weft_as(device, weft_settled(device, map), wide ? WEFT_I64 : WEFT_U32);
    const struct gather_words_by_u32_arguments arguments = {
        .in = weft_as(device, weft_settled(device, in), mover.type),
        .map = map,
        .flags = flags ? weft_settled(device, weft_part(*flags, 0, n))
                       : weft_as(device, map, WEFT_U32),
        .some = flags != NULL,
        .out = weft_as(device, out, mover.type),
        .parts = mover.parts};
    weft_launch(device, n, kernels[mover.kind][wide], &arguments);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_gather(weft_device *device, weft_array in, weft_array map,
                        weft_array out) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_gather.in", in, 0, 0) != WEFT_OK ||
        weft_need_indices(device, "weft_gather.map", map, 0) != WEFT_OK ||
        weft_need_written(device, "weft_gather.out", out, in.type, map.length) != WEFT_OK ||
        weft_need_apart(device, "weft_gather.out", out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_gather.out", out, map) != WEFT_OK)
        return weft_check(device);
    return gather(device, in, map, NULL, out);
}

weft_status weft_gather_if(weft_device *device, weft_array in, weft_array map,
                           weft_array flags, weft_array out) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_gather_if.in", in, 0, 0) != WEFT_OK ||
        weft_need_indices(device, "weft_gather_if.map", map, 0) != WEFT_OK ||
        weft_need_array(device, "weft_gather_if.flags", flags, WEFT_U32, map.length) !=
            WEFT_OK ||
        weft_need_written(device, "weft_gather_if.out", out, in.type, map.length) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_gather_if.out", out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_gather_if.out", out, map) != WEFT_OK ||
        weft_need_apart(device, "weft_gather_if.out", out, flags) != WEFT_OK)
        return weft_check(device);
    return gather(device, in, map, &flags, out);
}
