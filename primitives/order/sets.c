/* Set operations by a comparison: what is kept of the two arrays merged. */
#include "merged.h"
#include "merged.kernel.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_GENERATOR(merged_start, u32, (in, u32, heads))
WEFT_GENERATOR(merged_of_a, u32, (value, u32, a_length), (in, u32, number))
WEFT_GENERATOR(merged_keep, u32, (value, u32, a_length), (value, u32, kept),
               (in, u32, number), (in, u32, paired))
WEFT_KERNEL(merged_pair, (value, u32, a_length), (in, u32, number), (in, u32, start, 0),
            (in, u32, before, 0), (inout, u32, paired, 0))

/* As merged_keep takes it. */
enum { INTERSECTION = 1, DIFFERENCE = 2, SYMMETRIC_DIFFERENCE = 6, UNION = 7 };

/* paired[t] = 1 where the element has a partner. */
static weft_array pairs_of(weft_device *device, const weft_comparison *order,
                           const weft_merged *merged, u32 a_length) {
    const i64 n = merged->x.length;
    const u32 zero = 0;
    const weft_array paired = weft_scratch(device, WEFT_U32, n);
    weft_fill(device, paired, &zero);
    weft_scope_open(device);
    const weft_array heads = weft_scratch(device, WEFT_U32, n),
                     start = weft_scratch(device, WEFT_U32, n), before = heads;
    weft_copy(device, weft_lazy_array(n, order->heads, &merged->x), heads);
    weft_scan(device, weft_lazy(n, merged_start, .heads = heads), weft_maximum(WEFT_U32),
              WEFT_INCLUSIVE, start);
    weft_scan(device,
              weft_lazy(n, merged_of_a, .a_length = a_length, .number = merged->number),
              weft_plus(WEFT_U32), WEFT_EXCLUSIVE, before);
    weft_for_each(device, n, merged_pair, .a_length = a_length, .number = merged->number,
                  .start = start, .before = before, .paired = paired);
    weft_scope_close(device);
    return paired;
}

/* Elements and values, of those that are kept, to what is asked for. */
static void write(weft_device *device, const weft_merged_call *call,
                  const weft_merged *merged, weft_array flags, i64 *count) {
    const i64 n = call->a.length, m = call->b.length;
    if (!call->by_key) {
        weft_copy_if(device, merged->x, flags, call->out, count);
        return;
    }
    const weft_array number = weft_scratch(device, WEFT_U32, call->most);
    weft_copy_if(device, merged->number, flags, number, count);
    if (call->out.type)
        weft_copy_if(device, merged->x, flags, call->out, NULL);
    if (call->values_out.type && weft_check(device) == WEFT_OK) {
        const weft_array a = weft_settled(device, weft_part(call->a_values, 0, n)),
                         b = call->b_values.type
                                 ? weft_settled(device, weft_part(call->b_values, 0, m))
                                 : a;
        weft_join(device, weft_merged_sources(device, weft_part(number, 0, *count)), a, b,
                  call->values_out);
    }
}

static weft_status run(weft_device *device, weft_merged_call call, u32 kept, i64 *count) {
    const i64 n = call.a.length, m = call.b.length;
    i64 found = 0;
    if (count)
        *count = 0;
    call.most = kept & 4 ? n + m : kept & 2 ? n : n < m ? n : m;
    if (weft_merged_check(device, &call, kept & 4) != WEFT_OK || n + m == 0)
        return weft_check(device);
    weft_scope_open(device);
    const weft_merged merged = weft_merged_of(
        device, call.order, weft_settled(device, call.a), weft_settled(device, call.b));
    const weft_array paired = pairs_of(device, call.order, &merged, (u32)n);
    write(device, &call, &merged,
          weft_lazy(n + m, merged_keep, .a_length = (u32)n, .kept = kept,
                    .number = merged.number, .paired = paired),
          count || call.by_key ? &found : NULL);
    weft_scope_close(device);
    if (count && weft_check(device) == WEFT_OK)
        *count = found;
    return weft_check(device);
}

weft_status weft_set_union_with(weft_device *device, weft_array a, weft_array b,
                                const weft_comparison *order, weft_array out, i64 *count) {
    return run(device,
               (weft_merged_call){"weft_set_union_with", order, .a = a, .b = b, .out = out},
               UNION, count);
}

weft_status weft_set_intersection_with(weft_device *device, weft_array a, weft_array b,
                                       const weft_comparison *order, weft_array out,
                                       i64 *count) {
    return run(
        device,
        (weft_merged_call){"weft_set_intersection_with", order, .a = a, .b = b, .out = out},
        INTERSECTION, count);
}

weft_status weft_set_difference_with(weft_device *device, weft_array a, weft_array b,
                                     const weft_comparison *order, weft_array out,
                                     i64 *count) {
    return run(
        device,
        (weft_merged_call){"weft_set_difference_with", order, .a = a, .b = b, .out = out},
        DIFFERENCE, count);
}

weft_status weft_set_symmetric_difference_with(weft_device *device, weft_array a,
                                               weft_array b, const weft_comparison *order,
                                               weft_array out, i64 *count) {
    return run(device,
               (weft_merged_call){"weft_set_symmetric_difference_with", order, .a = a,
                                  .b = b, .out = out},
               SYMMETRIC_DIFFERENCE, count);
}

weft_status weft_set_union_by_key_with(weft_device *device, weft_array a_keys,
                                       weft_array a_values, weft_array b_keys,
                                       weft_array b_values, const weft_comparison *order,
                                       weft_array keys_out, weft_array values_out,
                                       i64 *count) {
    const weft_merged_call call = {"weft_set_union_by_key_with",
                                   order,
                                   .by_key = 1,
                                   .a = a_keys,
                                   .b = b_keys,
                                   .out = keys_out,
                                   .a_values = a_values,
                                   .b_values = b_values,
                                   .values_out = values_out};
    return run(device, call, UNION, count);
}

weft_status weft_set_intersection_by_key_with(weft_device *device, weft_array a_keys,
                                              weft_array a_values, weft_array b_keys,
                                              const weft_comparison *order,
                                              weft_array keys_out, weft_array values_out,
                                              i64 *count) {
    const weft_merged_call call = {"weft_set_intersection_by_key_with",
                                   order,
                                   .by_key = 1,
                                   .a = a_keys,
                                   .b = b_keys,
                                   .out = keys_out,
                                   .a_values = a_values,
                                   .values_out = values_out};
    return run(device, call, INTERSECTION, count);
}

weft_status weft_set_difference_by_key_with(weft_device *device, weft_array a_keys,
                                            weft_array a_values, weft_array b_keys,
                                            const weft_comparison *order,
                                            weft_array keys_out, weft_array values_out,
                                            i64 *count) {
    const weft_merged_call call = {"weft_set_difference_by_key_with",
                                   order,
                                   .by_key = 1,
                                   .a = a_keys,
                                   .b = b_keys,
                                   .out = keys_out,
                                   .a_values = a_values,
                                   .values_out = values_out};
    return run(device, call, DIFFERENCE, count);
}

weft_status weft_set_symmetric_difference_by_key_with(
    weft_device *device, weft_array a_keys, weft_array a_values, weft_array b_keys,
    weft_array b_values, const weft_comparison *order, weft_array keys_out,
    weft_array values_out, i64 *count) {
    const weft_merged_call call = {"weft_set_symmetric_difference_by_key_with",
                                   order,
                                   .by_key = 1,
                                   .a = a_keys,
                                   .b = b_keys,
                                   .out = keys_out,
                                   .a_values = a_values,
                                   .b_values = b_values,
                                   .values_out = values_out};
    return run(device, call, SYMMETRIC_DIFFERENCE, count);
}
