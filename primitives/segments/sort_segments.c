/* Sorts within segments: all keys are sorted, and then, as that sort is stable, told apart
 * by their segments. Few keys find their places by themselves, in fewer launches. */
#include "segments.h"
#include "segments.kernels.h"
#include "weft/element.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_KERNELS(segments_place, (u8, u16, u32, u64), (value, i64, n), (value, u32, kind),
             (value, u32, descending), (in, i64, offsets, 0), (value, i64, count),
             (in, T, keys, 0), (out, u32, place))

/* Moves the elements of an array, to where a map says or from there. */
static void move(weft_device *device, weft_array map, weft_array moved,
                 weft_status by(weft_device *, weft_array, weft_array, weft_array)) {
    weft_scope_open(device);
    const weft_array copy = weft_scratch(device, moved.type, moved.length);
    weft_copy(device, moved, copy);
    by(device, copy, map, moved);
    weft_scope_close(device);
}

static void sort_few(weft_device *device, weft_array keys, weft_array values,
                     weft_array offsets, weft_order order) {
    const i64 n = keys.length;
    const weft_mover mover = weft_mover_of(keys.type);
    const weft_array place = weft_scratch(device, WEFT_U32, n);
    const struct segments_place_u32_arguments arguments = {
        .n = n,
        .kind = weft_order_kind(keys.type),
        .descending = order == WEFT_DESCENDING,
        .offsets = offsets,
        .count = offsets.length,
        .keys = weft_as(device, keys, mover.type),
        .place = place};
    weft_launch(device, n, segments_place_kernels[mover.kind], &arguments);
    move(device, place, keys, weft_scatter);
    if (values.type)
        move(device, place, weft_part(values, 0, n), weft_scatter);
}

static i32 bits_for(i64 numbers) {
    i32 bits = 0;
    while (bits < 63 && numbers >> bits)
        bits++;
    return bits;
}

/* The numbers of the elements in their order. */
static void order_by_segment(weft_device *device, weft_array keys, weft_array segment,
                             i64 segments, weft_order order, weft_array index) {
    const u64 start = 0, step = 1; /* their low halves are u32's */
    weft_scope_open(device);
    const weft_array sorted = weft_scratch(device, keys.type, keys.length),
                     of_sorted = weft_scratch(device, segment.type, keys.length);
    weft_copy(device, keys, sorted);
    weft_sequence(device, index, (const void *)&start, (const void *)&step);
    weft_sort_by_key(device, sorted, index, order);
    weft_gather(device, segment, index, of_sorted);
    weft_sort_bits(device, of_sorted, index, WEFT_ASCENDING, 0, bits_for(segments + 1));
    weft_scope_close(device);
}

static void sort_within(weft_device *device, weft_array keys, weft_array values,
                        weft_array offsets, weft_order order) {
    const i64 n = keys.length, segments = offsets.length - 1;
    i64 first = 0, last = 0;
    weft_get(device, offsets, 0, &first);
    weft_get(device, offsets, segments, &last);
    first = first < 0 ? 0 : first < n ? first : n;
    last = last < first ? first : last < n ? last : n;
    const i64 count = last - first;
    if (weft_check(device) != WEFT_OK || count < 2)
        return;
    weft_segment_heads_of of;
    const weft_array bits = weft_segment_bits(device, offsets, n),
                     heads = weft_segment_heads(bits, n, &of),
                     index = weft_scratch(device, count > UINT32_MAX ? WEFT_I64 : WEFT_U32,
                                          count),
                     segment = weft_scratch(device, WEFT_U32, count);
    weft_scan(device, weft_part(heads, first, count), weft_plus(WEFT_U32), WEFT_INCLUSIVE,
              segment);
    keys = weft_part(keys, first, count);
    order_by_segment(device, keys, segment, segments, order, index);
    move(device, index, keys, weft_gather);
    if (values.type)
        move(device, index, weft_part(values, first, count), weft_gather);
}

weft_status weft_sort_segments(weft_device *device, weft_array keys, weft_array values,
                               weft_array offsets, weft_order order) {
    const char *call = "weft_sort_segments";
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_sort_segments.keys", keys, 0, 0) != WEFT_OK ||
        weft_need_numbers(device, "weft_sort_segments.keys", keys, 0) != WEFT_OK ||
        weft_need_array(device, "weft_sort_segments.offsets", offsets, WEFT_I64, 1) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_sort_segments.keys", keys, offsets) != WEFT_OK ||
        (values.type &&
         (weft_need_written(device, "weft_sort_segments.values", values, 0, keys.length) !=
              WEFT_OK ||
          weft_need_apart(device, "weft_sort_segments.values", values, keys) != WEFT_OK ||
          weft_need_apart(device, "weft_sort_segments.values", values, offsets) !=
              WEFT_OK)))
        return weft_check(device);
    if (order != WEFT_ASCENDING && order != WEFT_DESCENDING)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: order is %d", call, (int)order);
    if (offsets.length > UINT32_MAX)
        return weft_fail(device, WEFT_E_SHAPE, "%s: %lld segments are too many", call,
                         (long long)(offsets.length - 1));
    weft_scope_open(device);
    offsets = weft_settled(device, offsets);
    if (keys.length <= weft_tuning_of(device)->segments_few)
        sort_few(device, keys, values, offsets, order);
    else
        sort_within(device, keys, values, offsets, order);
    weft_scope_close(device);
    return weft_check(device);
}
