/* Stable partition. */
#include "select.h"
#include "partition.kernels.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_KERNELS(partition, (u8, u16, u32, u64, words, bytes), (value, i64, length),
             (value, u32, block), (in, u32, flags, 0), (in, i64, places, n + 1),
             (value, i64, before), (in, i64, total, 1), (in, T, in, 0), (inout, T, out, 0),
             (value, u32, parts))

static void divide(weft_device *device, const weft_selection *selection,
                   const weft_selection_piece *piece, weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const struct partition_words_arguments arguments = {
        .length = piece->in.length,
        .block = (u32)selection->block,
        .flags = piece->flags,
        .places = piece->places,
        .before = piece->first,
        .total = weft_part(selection->places, selection->blocks, 1),
        .in = weft_as(device, piece->in, mover.type),
        .out = weft_as(device, out, mover.type),
        .parts = mover.parts};
    weft_launch(device, piece->blocks, partition_kernels[mover.kind], &arguments);
}

weft_status weft_partition(weft_device *device, weft_array in, weft_array flags,
                           weft_array out, i64 *count) {
    if (weft_selection_check(device, "weft_partition", in, flags, out, count) != WEFT_OK ||
        weft_need_written(device, "weft_partition.out", out, in.type, in.length) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    flags = weft_part(flags, 0, in.length);
    const weft_array to = out;
    if (weft_is_same(in, out) && !device->backend->selects_in_place)
        out = weft_scratch(device, in.type, in.length);
    if (!weft_select_directly(device, in, flags, 1, 1, out, count)) {
        const weft_selection selection = weft_selection_of(device, flags, 1);
        weft_selection_walk(device, &selection, in, out, divide);
        weft_selection_count(device, &selection, count);
    }
    if (!weft_is_same(out, to))
        weft_copy(device, weft_part(out, 0, in.length), to);
    weft_scope_close(device);
    return weft_check(device);
}
