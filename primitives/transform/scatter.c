/* Scattering: elements to where a map says. */
#include "primitives/primitives.h"
#include "scatter.kernels.h"
#include "weft/transform.h"

/* Elements of a work-item. So few that the lines of the result fit a cache go through one:
 * two processors that write all over the same lines take up to seven times as long. */
WEFT_KERNELS(scatter_by_u32, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, u32, map, 0), (in, u32, flags, 0), (value, u32, some), (inout, T, out, 0),
             (value, u32, size), (value, i64, n), (value, u32, parts))
WEFT_KERNELS(scatter_by_i64, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, i64, map, 0), (in, u32, flags, 0), (value, u32, some), (inout, T, out, 0),
             (value, u32, size), (value, i64, n), (value, u32, parts))
WEFT_KERNELS(scatter_far_by_u32, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, u32, map, 0), (inout, T, out, 0), (value, i64, n), (value, u32, parts))
WEFT_KERNELS(scatter_far_by_i64, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, i64, map, 0), (inout, T, out, 0), (value, i64, n), (value, u32, parts))

/* All of a piece, where it is more memory than caches hold. */
static void scatter_far(weft_device *device, weft_array in, weft_array map,
                        weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const int wide = WEFT_SIZE(map.type) == 8;
    const struct scatter_far_by_u32_words_arguments arguments = {
        .in = weft_as(device, in, mover.type),
        .map = weft_as(device, map, wide ? WEFT_I64 : WEFT_U32),
        .out = weft_as(device, out, mover.type),
        .n = map.length,
        .parts = mover.parts};
    weft_launch(
        device, (map.length + FAR_EACH - 1) / FAR_EACH,
        (wide ? scatter_far_by_i64_kernels : scatter_far_by_u32_kernels)[mover.kind],
        &arguments);
}

/* A piece: `in`, `map` and `flags` (or NULL) lie in memory. */
static void scatter_piece(weft_device *device, weft_array in, weft_array map,
                          const weft_array *flags, weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const weft_tuning *tuning = weft_tuning_of(device);
    const i64 size =
        map.length <= tuning->scatter_alone ? tuning->scatter_alone : tuning->scatter;
    const int wide = WEFT_SIZE(map.type) == 8;
    const weft_array indices = weft_as(device, map, wide ? WEFT_I64 : WEFT_U32);
    const struct scatter_by_u32_words_arguments arguments = {
        .in = weft_as(device, in, mover.type),
        .map = indices,
        .flags = flags ? *flags : weft_as(device, indices, WEFT_U32),
        .some = flags != NULL,
        .out = weft_as(device, out, mover.type),
        .size = (u32)size,
        .n = map.length,
        .parts = mover.parts};
    weft_launch(device, (map.length + size - 1) / size,
                (wide ? scatter_by_i64_kernels : scatter_by_u32_kernels)[mover.kind],
                &arguments);
}

static weft_status scatter(weft_device *device, weft_array in, weft_array map,
                           const weft_array *flags, weft_array out) {
    const i64 n = map.length;
    const weft_tuning *tuning = weft_tuning_of(device);
    const int lazy = map.generator || (flags && flags->generator) || in.generator;
    const i64 step = lazy ? PRIMITIVE_PIECE : n + 1;
    for (i64 first = 0; first < n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        weft_scope_open(device);
        weft_array some = {0};
        if (flags)
            some = weft_settled(device, weft_part(*flags, first, count));
        const weft_array indices = weft_settled(device, weft_part(map, first, count));
        weft_need_inside(device, flags ? "weft_scatter_if" : "weft_scatter", indices,
                         flags ? &some : NULL, first, "out", out.length);
        const weft_array elements = weft_settled(device, weft_part(in, first, count));
        if (!flags && count > tuning->scatter_alone &&
            weft_has_bytes(out, tuning->scatter_far))
            scatter_far(device, elements, indices, out);
        else
            scatter_piece(device, elements, indices, flags ? &some : NULL, out);
        weft_scope_close(device);
    }
    return weft_check(device);
}

weft_status weft_scatter(weft_device *device, weft_array in, weft_array map,
                         weft_array out) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_scatter.in", in, 0, map.length) != WEFT_OK ||
        weft_need_indices(device, "weft_scatter.map", map, 0) != WEFT_OK ||
        weft_need_written(device, "weft_scatter.out", out, in.type, 0) != WEFT_OK ||
        weft_need_apart(device, "weft_scatter.out", out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_scatter.out", out, map) != WEFT_OK)
        return weft_check(device);
    return scatter(device, in, map, NULL, out);
}

weft_status weft_scatter_if(weft_device *device, weft_array in, weft_array map,
                            weft_array flags, weft_array out) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_scatter_if.in", in, 0, map.length) != WEFT_OK ||
        weft_need_indices(device, "weft_scatter_if.map", map, 0) != WEFT_OK ||
        weft_need_array(device, "weft_scatter_if.flags", flags, WEFT_U32, map.length) !=
            WEFT_OK ||
        weft_need_written(device, "weft_scatter_if.out", out, in.type, 0) != WEFT_OK ||
        weft_need_apart(device, "weft_scatter_if.out", out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_scatter_if.out", out, map) != WEFT_OK ||
        weft_need_apart(device, "weft_scatter_if.out", out, flags) != WEFT_OK)
        return weft_check(device);
    return scatter(device, in, map, &flags, out);
}
