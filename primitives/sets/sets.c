/* Set operations: cuts of the path, counts of its parts, and then their elements. */
#include "primitives/set_call.h"
#include "set.kernels.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/sets.h"

WEFT_KERNELS(set_cut, (u8, u16, u32, u64, bits32, bits64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (in, T, a, 0), (in, T, b, 0),
             (out, i64, cuts), (value, u64, sign))
WEFT_KERNELS(set_count, (u8, u16, u32, u64, bits32, bits64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (value, i64, parts),
             (value, u32, streams), (value, u32, kept), (in, T, a, 0), (in, T, b, 0),
             (in, i64, cuts, 0), (inout, i64, counts, 0), (value, u64, sign))
WEFT_KERNELS(set_write_key, (u8, u16, u32, u64, bits32, bits64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (value, i64, parts),
             (value, u32, streams), (value, u32, kept), (in, T, a, 0), (in, T, b, 0),
             (in, i64, cuts, 0), (in, i64, ends, 0), (inout, T, out, 0), (value, u64, sign))
WEFT_KERNELS(set_write_source, (u8, u16, u32, u64, bits32, bits64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (value, i64, parts),
             (value, u32, streams), (value, u32, kept), (in, T, a, 0), (in, T, b, 0),
             (in, i64, cuts, 0), (in, i64, ends, 0), (inout, i64, out, 0),
             (value, u64, sign))

/* What stays the same in all launches over parts. */
typedef struct set_plan {
    i32 kind;
    u64 sign;
    i64 size, parts, streams;
    weft_array a, b, cuts, ends;
} set_plan;

/* Cuts the path of two arrays in memory, and finds where what is kept of each part ends. */
static set_plan plan(weft_device *device, weft_array a, weft_array b, set_operation kept) {
    const weft_tuning *tuning = weft_tuning_of(device);
    const i64 size = tuning->sets, parts = (a.length + b.length + size - 1) / size;
    const weft_type type = weft_mover_of(a.type).type;
    const u64 sign = (u64)1 << (8 * WEFT_SIZE(a.type) - 1);
    set_plan p = {.kind = weft_numbers_of(a.type).kind,
                  .sign = weft_order_kind(a.type) == ORDER_SIGNED ? sign : 0,
                  .size = size,
                  .parts = parts,
                  .streams = tuning->sets_at_once,
                  .a = weft_as(device, a, type),
                  .b = weft_as(device, b, type),
                  .cuts = weft_scratch(device, WEFT_I64, parts + 1),
                  .ends = weft_scratch(device, WEFT_I64, parts)};
    const struct set_cut_u32_arguments cut = {.a_length = a.length,
                                              .b_length = b.length,
                                              .size = (u32)size,
                                              .a = p.a,
                                              .b = p.b,
                                              .cuts = p.cuts,
                                              .sign = p.sign};
    const struct set_count_u32_arguments count = {.a_length = a.length,
                                                  .b_length = b.length,
                                                  .size = (u32)size,
                                                  .parts = parts,
                                                  .streams = (u32)p.streams,
                                                  .kept = kept,
                                                  .a = p.a,
                                                  .b = p.b,
                                                  .cuts = p.cuts,
                                                  .counts = p.ends,
                                                  .sign = p.sign};
    weft_launch(device, parts + 1, set_cut_kernels[p.kind], &cut);
    weft_launch(device, (parts + p.streams - 1) / p.streams, set_count_kernels[p.kind],
                &count);
    weft_scan(device, p.ends, weft_plus(WEFT_I64), WEFT_INCLUSIVE, p.ends);
    return p;
}

/* out = what is kept, or the numbers of where it is from. */
static void write(weft_device *device, const set_plan *p, set_operation kept, int sources,
                  weft_array out) {
    const struct set_write_key_u32_arguments arguments = {
        .a_length = p->a.length,
        .b_length = p->b.length,
        .size = (u32)p->size,
        .parts = p->parts,
        .streams = (u32)p->streams,
        .kept = kept,
        .a = p->a,
        .b = p->b,
        .cuts = p->cuts,
        .ends = p->ends,
        .out = sources ? out : weft_as(device, out, p->a.type),
        .sign = p->sign};
    const weft_kernel *const *kernels =
        sources ? set_write_source_kernels : set_write_key_kernels;
    weft_launch(device, (p->parts + p->streams - 1) / p->streams, kernels[p->kind],
                &arguments);
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

/* Writes what is kept, or the numbers of where it is from; tells how much it is. */
static void find(weft_device *device, weft_array a, weft_array b, set_operation kept,
                 int sources, weft_array out, i64 *count) {
    if (find_directly(device, a, b, kept, sources, out, count))
        return;
    const set_plan p = plan(device, a, b, kept);
    if (count)
        weft_read(device, weft_part(p.ends, p.parts - 1, 1), count);
    write(device, &p, kept, sources, out);
}

/* Where there is something to do. */
static i64 operate(weft_device *device, const set_call *call, int wait) {
    const weft_array a = weft_settled(device, call->a), b = weft_settled(device, call->b);
    i64 count = 0;
    if (!call->by_key) {
        find(device, a, b, call->kept, 0, call->out, wait ? &count : NULL);
        return count;
    }
    const weft_array sources = weft_scratch(device, WEFT_I64, weft_set_most(call));
    find(device, a, b, call->kept, 1, sources, &count);
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
