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
static void write(weft_device *device, const set_call *call, const weft_merged *merged,
                  weft_array flags, i64 *count) {
    const i64 n = call->a.length, m = call->b.length;
    if (!call->by_key) {
        weft_copy_if(device, merged->x, flags, call->out, count);
        return;
    }
    const i64 most = weft_set_most(call); /* (of what is in no order more may be kept) */
    const weft_array number = weft_scratch(device, WEFT_U32, most);
    weft_copy_if(device, merged->number, flags, number, count);
    *count = *count < most ? *count : most;
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

static weft_status run(weft_device *device, const set_call *call, i64 *count) {
    const i64 n = call->a.length, m = call->b.length;
    i64 found = 0;
    if (count)
        *count = 0;
    if (weft_set_check(device, call) != WEFT_OK || n + m == 0)
        return weft_check(device);
    weft_scope_open(device);
    const weft_merged merged = weft_merged_of(
        device, call->order, weft_settled(device, call->a), weft_settled(device, call->b));
    const weft_array paired = pairs_of(device, call->order, &merged, (u32)n);
    write(device, call, &merged,
          weft_lazy(n + m, merged_keep, .a_length = (u32)n, .kept = call->kept,
                    .number = merged.number, .paired = paired),
          count || call->by_key ? &found : NULL);
    weft_scope_close(device);
    const i64 most = weft_set_most(call);
    if (count && weft_check(device) == WEFT_OK)
        *count = found < most ? found : most;
    return weft_check(device);
}

weft_status weft_set_union_with(weft_device *device, weft_array a, weft_array b,
                                const weft_comparison *order, weft_array out, i64 *count) {
    const set_call call =
        set_call_with(set_call_of("weft_set_union_with", SET_UNION, a, b, out), order);
    return run(device, &call, count);
}

weft_status weft_set_intersection_with(weft_device *device, weft_array a, weft_array b,
                                       const weft_comparison *order, weft_array out,
                                       i64 *count) {
    const set_call call = set_call_with(
        set_call_of("weft_set_intersection_with", SET_INTERSECTION, a, b, out), order);
    return run(device, &call, count);
}

weft_status weft_set_difference_with(weft_device *device, weft_array a, weft_array b,
                                     const weft_comparison *order, weft_array out,
                                     i64 *count) {
    const set_call call = set_call_with(
        set_call_of("weft_set_difference_with", SET_DIFFERENCE, a, b, out), order);
    return run(device, &call, count);
}

weft_status weft_set_symmetric_difference_with(weft_device *device, weft_array a,
                                               weft_array b, const weft_comparison *order,
                                               weft_array out, i64 *count) {
    const set_call call = set_call_with(set_call_of("weft_set_symmetric_difference_with",
                                                    SET_SYMMETRIC_DIFFERENCE, a, b, out),
                                        order);
    return run(device, &call, count);
}

weft_status weft_set_union_by_key_with(weft_device *device, weft_array a_keys,
                                       weft_array a_values, weft_array b_keys,
                                       weft_array b_values, const weft_comparison *order,
                                       weft_array keys_out, weft_array values_out,
                                       i64 *count) {
    const set_call call =
        set_call_with(set_call_by_key("weft_set_union_by_key_with", SET_UNION, a_keys,
                                      a_values, b_keys, b_values, keys_out, values_out),
                      order);
    return run(device, &call, count);
}

weft_status weft_set_intersection_by_key_with(weft_device *device, weft_array a_keys,
                                              weft_array a_values, weft_array b_keys,
                                              const weft_comparison *order,
                                              weft_array keys_out, weft_array values_out,
                                              i64 *count) {
    const set_call call = set_call_with(
        set_call_by_key("weft_set_intersection_by_key_with", SET_INTERSECTION, a_keys,
                        a_values, b_keys, (weft_array){0}, keys_out, values_out),
        order);
    return run(device, &call, count);
}

weft_status weft_set_difference_by_key_with(weft_device *device, weft_array a_keys,
                                            weft_array a_values, weft_array b_keys,
                                            const weft_comparison *order,
                                            weft_array keys_out, weft_array values_out,
                                            i64 *count) {
    const set_call call = set_call_with(
        set_call_by_key("weft_set_difference_by_key_with", SET_DIFFERENCE, a_keys, a_values,
                        b_keys, (weft_array){0}, keys_out, values_out),
        order);
    return run(device, &call, count);
}

weft_status weft_set_symmetric_difference_by_key_with(
    weft_device *device, weft_array a_keys, weft_array a_values, weft_array b_keys,
    weft_array b_values, const weft_comparison *order, weft_array keys_out,
    weft_array values_out, i64 *count) {
    const set_call call =
        set_call_with(set_call_by_key("weft_set_symmetric_difference_by_key_with",
                                      SET_SYMMETRIC_DIFFERENCE, a_keys, a_values, b_keys,
                                      b_values, keys_out, values_out),
                      order);
    return run(device, &call, count);
}
