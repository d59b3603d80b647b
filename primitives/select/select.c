/* Selecting what has a flag, or has none, in order. */
#include "select.h"
#include "select.kernels.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/transform.h"

#include <stdio.h>

WEFT_GENERATOR(select_count, i64, (value, i64, length), (value, u32, block),
               (value, u32, keep), (in, u32, flags, 0))
WEFT_KERNELS(select, (u8, u16, u32, u64, words, bytes), (value, u32, block),
             (value, u32, keep), (value, i64, room), (in, u32, flags, 0),
             (in, i64, places, n + 1), (in, T, in, 0), (inout, T, out, 0),
             (value, u32, parts))

static i64 blocks_of(i64 n, i64 block) {
    return (n + block - 1) / block;
}

/* Counts go to their blocks' places piece by piece, with one more for the end. */
weft_selection weft_selection_of(weft_device *device, weft_array flags, u32 keep) {
    const i64 n = flags.length, block = weft_tuning_of(device)->select,
              blocks = blocks_of(n, block);
    if (n <= PRIMITIVE_PIECE)
        flags = weft_settled(device, flags);
    const i64 step = flags.generator ? PRIMITIVE_PIECE : n + 1;
    const weft_array places = weft_scratch(device, WEFT_I64, blocks + 1);
    for (i64 first = 0; first <= n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        weft_scope_open(device);
        const weft_array some = weft_settled(device, weft_part(flags, first, count));
        weft_transform(device, blocks_of(count, block) + 1,
                       weft_part(places, first / block, blocks_of(count, block) + 1),
                       select_count, .length = count, .block = (u32)block, .keep = keep,
                       .flags = some);
        weft_scope_close(device);
    }
    weft_scan(device, places, weft_plus(WEFT_I64), WEFT_EXCLUSIVE, places);
    return (weft_selection){flags, places, block, blocks, keep};
}

void weft_selection_walk(weft_device *device, const weft_selection *selection,
                         weft_array in, weft_array out, weft_selection_visit *visit) {
    const i64 n = in.length;
    const int lazy = selection->flags.generator || in.generator;
    const i64 step = lazy ? PRIMITIVE_PIECE : n + 1;
    for (i64 first = 0; first < n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        const i64 blocks = blocks_of(count, selection->block);
        weft_scope_open(device);
        const weft_selection_piece piece = {
            first, blocks, weft_settled(device, weft_part(selection->flags, first, count)),
            weft_part(selection->places, first / selection->block, blocks + 1),
            weft_settled(device, weft_part(in, first, count))};
        visit(device, selection, &piece, out);
        weft_scope_close(device);
    }
}

static void take(weft_device *device, const weft_selection *selection,
                 const weft_selection_piece *piece, weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    const struct select_words_arguments arguments = {
        .block = (u32)selection->block,
        .keep = selection->keep,
        .room = out.length,
        .flags = piece->flags,
        .places = piece->places,
        .in = weft_as(device, piece->in, mover.type),
        .out = weft_as(device, out, mover.type),
        .parts = mover.parts};
    weft_launch(device, piece->blocks, select_kernels[mover.kind], &arguments);
}

void weft_selection_take(weft_device *device, const weft_selection *selection,
                         weft_array in, weft_array out) {
    weft_selection_walk(device, selection, in, out, take);
}

void weft_selection_count(weft_device *device, const weft_selection *selection,
                          i64 *count) {
    if (count && weft_check(device) == WEFT_OK)
        weft_read(device, weft_part(selection->places, selection->blocks, 1), count);
}

int weft_select_counting(weft_device *device, weft_array in, weft_array flags, u32 keep,
                         int partition, weft_array out, weft_array total) {
    weft_select_call call = {.keep = keep, .partition = partition};
    if (!device->backend->select || flags.length == 0)
        return 0;
    weft_need_input(device, "weft_select.flags", flags, 0, 0, &call.flags);
    weft_need_output(device, "weft_select.count", total, 0, 0, &call.count);
    if (in.type) {
        weft_need_input(device, "weft_select.in", in, 0, 0, &call.in);
        weft_need_output(device, "weft_select.out", out, 0, 0, &call.out);
    }
    return weft_check(device) != WEFT_OK || device->backend->select(device, &call) ||
           weft_check(device) != WEFT_OK;
}

int weft_select_directly(weft_device *device, weft_array in, weft_array flags, u32 keep,
                         int partition, weft_array out, i64 *count) {
    if (!device->backend->select || flags.length == 0)
        return 0;
    const weft_array total = weft_scratch(device, WEFT_I64, 1);
    const int taken = weft_select_counting(device, in, flags, keep, partition, out, total);
    if (taken && count && weft_check(device) == WEFT_OK)
        weft_read(device, total, count);
    return taken;
}

weft_status weft_selection_check(weft_device *device, const char *call, weft_array in,
                                 weft_array flags, weft_array out, i64 *count) {
    char what[3][64];
    snprintf(what[0], sizeof what[0], "%s.in", call);
    snprintf(what[1], sizeof what[1], "%s.flags", call);
    snprintf(what[2], sizeof what[2], "%s.out", call);
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what[0], in, 0, 0) != WEFT_OK ||
        weft_need_array(device, what[1], flags, WEFT_U32, in.length) != WEFT_OK ||
        weft_need_written(device, what[2], out, in.type, 0) != WEFT_OK ||
        weft_need_apart_or_same(device, what[2], out, in) != WEFT_OK)
        return weft_check(device);
    if (flags.generator && weft_is_same(out, in))
        return WEFT_OK;
    return weft_need_apart(device, what[2], out, flags);
}

/* By way of scratch; what is kept comes back. */
static void select_and_copy(weft_device *device, weft_array in, weft_array flags, u32 keep,
                            weft_array out, i64 *count) {
    i64 total = 0;
    const weft_array kept = weft_scratch(device, in.type, in.length);
    weft_select_into(device, in, flags, keep, kept, &total);
    const i64 fit = total < out.length ? total : out.length;
    weft_copy(device, weft_part(kept, 0, fit), weft_part(out, 0, fit));
    if (count && weft_check(device) == WEFT_OK)
        *count = total;
}

void weft_select_into(weft_device *device, weft_array in, weft_array flags, u32 keep,
                      weft_array out, i64 *count) {
    if (weft_select_directly(device, in, flags, keep, 0, out, count))
        return;
    if (weft_is_same(in, out) && !device->backend->selects_in_place) {
        select_and_copy(device, in, flags, keep, out, count);
    } else {
        const weft_selection selection = weft_selection_of(device, flags, keep);
        weft_selection_take(device, &selection, in, out);
        weft_selection_count(device, &selection, count);
    }
}

static weft_status select(weft_device *device, const char *call, weft_array in,
                          weft_array flags, u32 keep, weft_array out, i64 *count) {
    if (weft_selection_check(device, call, in, flags, out, count) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    weft_select_into(device, in, weft_part(flags, 0, in.length), keep, out, count);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_copy_if(weft_device *device, weft_array in, weft_array flags,
                         weft_array out, i64 *count) {
    return select(device, "weft_copy_if", in, flags, 1, out, count);
}

weft_status weft_remove_if(weft_device *device, weft_array in, weft_array flags,
                           weft_array out, i64 *count) {
    return select(device, "weft_remove_if", in, flags, 0, out, count);
}
