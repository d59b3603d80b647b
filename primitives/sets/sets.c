/* Set operations: cuts of the path, and then what is kept of its parts. */
#include "primitives/set_call.h"
#include "set.kernels.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/sets.h"

WEFT_KERNELS(set_cut, (u8, u16, u32, u64, bits32, bits64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (in, T, a, 0), (in, T, b, 0),
             (out, i64, cuts), (value, u64, sign))
WEFT_KERNELS(set_fill_key, (u8, u16, u32, u64, bits32, bits64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (value, i64, parts),
             (value, u32, streams), (value, u32, kept), (in, T, a, 0), (in, T, b, 0),
             (in, i64, cuts, 0), (value, u64, sign), (value, i64, first),
             (inout, T, slots, 0), (inout, i64, counts, 0))
WEFT_KERNELS(set_fill_source, (u8, u16, u32, u64, bits32, bits64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (value, i64, parts),
             (value, u32, streams), (value, u32, kept), (in, T, a, 0), (in, T, b, 0),
             (in, i64, cuts, 0), (value, u64, sign), (value, i64, first),
             (inout, i64, slots, 0), (inout, i64, counts, 0))
WEFT_KERNELS(set_move, (u8, u16, u32, u64), (value, u32, size), (value, i64, room),
             (in, i64, ends), (in, T, slots, 0), (inout, T, out, 0))

/* The path of two arrays in memory, cut into parts. */
static struct set_fill_key_u32_arguments cut(weft_device *device, weft_array a,
                                             weft_array b, set_operation kept) {
    const weft_tuning *tuning = weft_tuning_of(device);
    const i64 size = tuning->sets, parts = (a.length + b.length + size - 1) / size;
    const weft_type type = weft_mover_of(a.type).type;
    const u64 sign = (u64)1 << (8 * WEFT_SIZE(a.type) - 1);
    const struct set_fill_key_u32_arguments fill = {
        .a_length = a.length,
        .b_length = b.length,
        .size = (u32)size,
        .parts = parts,
        .streams = (u32)tuning->sets_at_once,
        .kept = kept,
        .a = weft_as(device, a, type),
        .b = weft_as(device, b, type),
        .cuts = weft_scratch(device, WEFT_I64, parts + 1),
        .sign = weft_order_kind(a.type) == ORDER_SIGNED ? sign : 0};
    const struct set_cut_u32_arguments cut = {.a_length = a.length,
                                              .b_length = b.length,
                                              .size = (u32)size,
                                              .a = fill.a,
                                              .b = fill.b,
                                              .cuts = fill.cuts,
                                              .sign = fill.sign};
    weft_launch(device, parts + 1, set_cut_kernels[weft_numbers_of(a.type).kind], &cut);
    return fill;
}

/* Part after part, where the backend has a way for that; returns 0 where it has none. */
static int find_in_parts(weft_device *device, struct set_fill_key_u32_arguments fill,
                         const weft_kernel *kernel, weft_array out, i64 *count) {
    const weft_array total = weft_scratch(device, WEFT_I64, 1);
    weft_parts_call call = {.kernel = kernel,
                            .items = (fill.parts + fill.streams - 1) / fill.streams,
                            .each = fill.streams,
                            .slot = fill.size + SET_SPARE};
    fill.slots = out;
    fill.counts = total;
    if (!device->backend->parts ||
        weft_need_call(device, call.items, &kernel->function, &fill, &call.call) !=
            WEFT_OK ||
        weft_need_output(device, "weft_set.out", out, 0, 0, &call.out) != WEFT_OK ||
        weft_need_output(device, "weft_set.count", total, 0, 0, &call.count) != WEFT_OK ||
        !device->backend->parts(device, &call))
        return weft_check(device) != WEFT_OK;
    if (count && weft_check(device) == WEFT_OK)
        weft_read(device, total, count);
    return 1;
}

/* All parts into slots, and from there to their places. */
static void find_in_slots(weft_device *device, struct set_fill_key_u32_arguments fill,
                          const weft_kernel *kernel, weft_array out, i64 *count) {
    const i64 items = (fill.parts + fill.streams - 1) / fill.streams;
    fill.slots = weft_scratch(device, out.type, fill.parts * (fill.size + SET_SPARE));
    fill.counts = weft_scratch(device, WEFT_I64, fill.parts);
    weft_launch(device, items, kernel, &fill);
    weft_scan(device, fill.counts, weft_plus(WEFT_I64), WEFT_INCLUSIVE, fill.counts);
    if (count)
        weft_read(device, weft_part(fill.counts, fill.parts - 1, 1), count);
    const weft_mover mover = weft_mover_of(out.type);
    const struct set_move_u32_arguments move = {.size = fill.size,
                                                .room = out.length,
                                                .ends = fill.counts,
                                                .slots =
                                                    weft_as(device, fill.slots, mover.type),
                                                .out = weft_as(device, out, mover.type)};
    weft_launch(device, fill.parts, set_move_kernels[mover.kind], &move);
}

/* As the backend itself does; returns 0 where it has no way of its own. */
static int find_directly(weft_device *device, weft_array a, weft_array b,
                         set_operation kept, int sources, weft_array out, i64 *count) {
    weft_set_call call = {.kept = kept, .sources = sources};
    const weft_array total = weft_scratch(device, WEFT_I64, 1);
    if (!device->backend->set ||
        weft_need_memory(device, "weft_set.a", a, 0, 0, &call.a) != WEFT_OK ||
        weft_need_memory(device, "weft_set.b", b, 0, 0, &call.b) != WEFT_OK ||
        weft_need_output(device, "weft_set.out", out, 0, 0, &call.out) != WEFT_OK ||
        weft_need_output(device, "weft_set.count", total, 0, 0, &call.count) != WEFT_OK ||
        !device->backend->set(device, &call))
        return weft_check(device) != WEFT_OK;
    if (count && weft_check(device) == WEFT_OK)
        weft_read(device, total, count);
    return 1;
}

/* Writes what is kept, or the numbers of where it is from; tells how much it is, which of
 * arrays that are not in order may be more than there is room for. */
static void find(weft_device *device, weft_array a, weft_array b, set_operation kept,
                 int sources, weft_array out, i64 *count) {
    if (find_directly(device, a, b, kept, sources, out, count))
        return;
    const struct set_fill_key_u32_arguments fill = cut(device, a, b, kept);
    const weft_kernel *kernel =
        (sources ? set_fill_source_kernels
                 : set_fill_key_kernels)[weft_numbers_of(a.type).kind];
    out = sources ? out : weft_as(device, out, fill.a.type);
    if (!find_in_parts(device, fill, kernel, out, count))
        find_in_slots(device, fill, kernel, out, count);
}

/* Where there is something to do. */
static i64 operate(weft_device *device, const set_call *call, int wait) {
    const weft_array a = weft_settled(device, call->a), b = weft_settled(device, call->b);
    const i64 most = weft_set_most(call);
    i64 count = 0;
    if (!call->by_key) {
        find(device, a, b, call->kept, 0, call->out, wait ? &count : NULL);
        return count < most ? count : most;
    }
    const weft_array sources = weft_scratch(device, WEFT_I64, most);
    find(device, a, b, call->kept, 1, sources, &count);
    count = count < most ? count : most;
    const weft_array from = weft_part(sources, 0, count);
    const weft_array a_values =
        weft_settled(device, weft_part(call->a_values, 0, a.length));
    const weft_array b_values =
        call->kept & 4 ? weft_settled(device, weft_part(call->b_values, 0, b.length))
                       : a_values;
    if (call->out.type)
        weft_join(device, from, a, b, call->out);
    if (call->values_out.type)
        weft_join(device, from, a_values, b_values, call->values_out);
    return count;
}

static weft_status run(weft_device *device, const set_call *call, i64 *count) {
    i64 found = 0;
    if (weft_set_check(device, call) == WEFT_OK && call->a.length + call->b.length > 0) {
        weft_scope_open(device);
        found = operate(device, call, count || call->by_key);
        weft_scope_close(device);
    }
    if (count)
        *count = weft_check(device) == WEFT_OK ? found : 0;
    return weft_check(device);
}

weft_status weft_set_union(weft_device *device, weft_array a, weft_array b, weft_array out,
                           i64 *count) {
    const set_call call = set_call_of("weft_set_union", SET_UNION, a, b, out);
    return run(device, &call, count);
}

weft_status weft_set_intersection(weft_device *device, weft_array a, weft_array b,
                                  weft_array out, i64 *count) {
    const set_call call = set_call_of("weft_set_intersection", SET_INTERSECTION, a, b, out);
    return run(device, &call, count);
}

weft_status weft_set_difference(weft_device *device, weft_array a, weft_array b,
                                weft_array out, i64 *count) {
    const set_call call = set_call_of("weft_set_difference", SET_DIFFERENCE, a, b, out);
    return run(device, &call, count);
}

weft_status weft_set_symmetric_difference(weft_device *device, weft_array a, weft_array b,
                                          weft_array out, i64 *count) {
    const set_call call =
        set_call_of("weft_set_symmetric_difference", SET_SYMMETRIC_DIFFERENCE, a, b, out);
    return run(device, &call, count);
}

weft_status weft_set_union_by_key(weft_device *device, weft_array a_keys,
                                  weft_array a_values, weft_array b_keys,
                                  weft_array b_values, weft_array keys_out,
                                  weft_array values_out, i64 *count) {
    const set_call call = set_call_by_key("weft_set_union_by_key", SET_UNION, a_keys,
                                          a_values, b_keys, b_values, keys_out, values_out);
    return run(device, &call, count);
}

weft_status weft_set_intersection_by_key(weft_device *device, weft_array a_keys,
                                         weft_array a_values, weft_array b_keys,
                                         weft_array keys_out, weft_array values_out,
                                         i64 *count) {
    const set_call call =
        set_call_by_key("weft_set_intersection_by_key", SET_INTERSECTION, a_keys, a_values,
                        b_keys, (weft_array){0}, keys_out, values_out);
    return run(device, &call, count);
}

weft_status weft_set_difference_by_key(weft_device *device, weft_array a_keys,
                                       weft_array a_values, weft_array b_keys,
                                       weft_array keys_out, weft_array values_out,
                                       i64 *count) {
    const set_call call =
        set_call_by_key("weft_set_difference_by_key", SET_DIFFERENCE, a_keys, a_values,
                        b_keys, (weft_array){0}, keys_out, values_out);
    return run(device, &call, count);
}

weft_status weft_set_symmetric_difference_by_key(weft_device *device, weft_array a_keys,
                                                 weft_array a_values, weft_array b_keys,
                                                 weft_array b_values, weft_array keys_out,
                                                 weft_array values_out, i64 *count) {
    const set_call call =
        set_call_by_key("weft_set_symmetric_difference_by_key", SET_SYMMETRIC_DIFFERENCE,
                        a_keys, a_values, b_keys, b_values, keys_out, values_out);
    return run(device, &call, count);
}
