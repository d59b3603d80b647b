/* Gathering: elements from where a map says. */
#include "primitives/primitives.h"
#include "gather.kernels.h"
#include "weft/transform.h"

WEFT_GENERATORS(gather_one_by_u32, (u8, u16, u32, u64), T, (in, T, in, 0), (in, u32, map))
WEFT_GENERATORS(gather_one_by_i64, (u8, u16, u32, u64), T, (in, T, in, 0), (in, i64, map))
WEFT_KERNELS(gather_by_u32, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, u32, map), (in, u32, flags), (value, u32, some), (inout, T, out, 0),
             (value, u32, parts))
WEFT_KERNELS(gather_by_i64, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, i64, map), (in, u32, flags), (value, u32, some), (inout, T, out, 0),
             (value, u32, parts))
WEFT_KERNELS(gather_far_by_u32, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, u32, map, 0), (inout, T, out, 0), (value, i64, n), (value, u32, parts))
WEFT_KERNELS(gather_far_by_i64, (u8, u16, u32, u64, words, bytes), (in, T, in, 0),
             (in, i64, map, 0), (inout, T, out, 0), (value, i64, n), (value, u32, parts))

/* All of a piece, by a copy: a GPU then has several reads under way. */
static void gather_all(weft_device *device, weft_array in, weft_array map, weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const int wide = WEFT_SIZE(map.type) == 8;
    const struct gather_one_by_u32_u32_arguments arguments = {
        .in = weft_as(device, in, mover.type),
        .map = weft_as(device, map, wide ? WEFT_I64 : WEFT_U32)};
    const weft_generator *const *generators =
        wide ? gather_one_by_i64_generators : gather_one_by_u32_generators;
    const weft_array values =
        weft_lazy_array(map.length, generators[mover.kind], &arguments);
    weft_copy(device, values, weft_as(device, out, mover.type));
}

/* All of a piece, of more memory than caches hold. */
static void gather_far(weft_device *device, weft_array in, weft_array map, weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const int wide = WEFT_SIZE(map.type) == 8;
    const struct gather_far_by_u32_words_arguments arguments = {
        .in = weft_as(device, in, mover.type),
        .map = weft_as(device, map, wide ? WEFT_I64 : WEFT_U32),
        .out = weft_as(device, out, mover.type),
        .n = map.length,
        .parts = mover.parts};
    weft_launch(device, (map.length + FAR_EACH - 1) / FAR_EACH,
                (wide ? gather_far_by_i64_kernels : gather_far_by_u32_kernels)[mover.kind],
                &arguments);
}

/* A piece: `in`, `map` and `flags` (or NULL) lie in memory. */
static void gather_piece(weft_device *device, weft_array in, weft_array map,
                         const weft_array *flags, weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const int wide = WEFT_SIZE(map.type) == 8;
    const weft_array indices = weft_as(device, map, wide ? WEFT_I64 : WEFT_U32);
    const struct gather_by_u32_words_arguments arguments = {
        .in = weft_as(device, in, mover.type),
        .map = indices,
        .flags = flags ? *flags : weft_as(device, indices, WEFT_U32),
        .some = flags != NULL,
        .out = weft_as(device, out, mover.type),
        .parts = mover.parts};
    weft_launch(device, map.length,
                (wide ? gather_by_i64_kernels : gather_by_u32_kernels)[mover.kind],
                &arguments);
}

static weft_status gather(weft_device *device, weft_array in, weft_array map,
                          const weft_array *flags, weft_array out) {
    const i64 n = map.length;
    const int lazy = map.generator || (flags && flags->generator);
    const int copies = !flags && weft_mover_of(out.type).kind < MOVES_WORDS &&
                       weft_tuning_of(device)->gather_by_copy;
    const i64 step = lazy ? PRIMITIVE_PIECE : n + 1;
    weft_scope_open(device);
    in = weft_settled(device, in);
    for (i64 first = 0; first < n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        weft_scope_open(device);
        weft_array some = {0};
        if (flags)
            some = weft_settled(device, weft_part(*flags, first, count));
        const weft_array indices = weft_settled(device, weft_part(map, first, count)),
                         gathered = weft_part(out, first, count);
        weft_need_inside(device, flags ? "weft_gather_if" : "weft_gather", indices,
                         flags ? &some : NULL, first, "in", in.length);
        if (copies)
            gather_all(device, in, indices, gathered);
        else if (!flags && weft_has_bytes(in, weft_tuning_of(device)->gather_far))
            gather_far(device, in, indices, gathered);
        else
            gather_piece(device, in, indices, flags ? &some : NULL, gathered);
        weft_scope_close(device);
    }
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
