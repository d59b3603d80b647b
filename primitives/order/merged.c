/* Merges by a comparison that tell where elements come from, and merges by key. */
#include "merged.h"
#include "merged.kernel.h"
#include "weft/transform.h"

#include <stdio.h>

WEFT_GENERATOR(merged_source, i64, (in, u32, number))

static weft_status need_out(weft_device *device, const weft_merged_call *call,
                            const char *name, weft_array out, weft_type type) {
    char what[96];
    const weft_array inputs[] = {call->a, call->b, call->a_values, call->b_values};
    snprintf(what, sizeof what, "%s.%s", call->name, name);
    if (call->by_key && !out.type)
        return WEFT_OK;
    if (weft_need_written(device, what, out, type, call->most) != WEFT_OK)
        return weft_check(device);
    for (int k = 0; k < 4; k++)
        if (weft_need_apart(device, what, out, inputs[k]) != WEFT_OK)
            return weft_check(device);
    return WEFT_OK;
}

static weft_status need(weft_device *device, const weft_merged_call *call, const char *name,
                        weft_array array, weft_type type, i64 least) {
    char what[96];
    snprintf(what, sizeof what, "%s.%s", call->name, name);
    return weft_need_array(device, what, array, type, least);
}

weft_status weft_merged_check(weft_device *device, const weft_merged_call *call,
                              int b_moves) {
    const char *names[2][3] = {{"a", "b", "out"}, {"a_keys", "b_keys", "keys_out"}};
    const char *const *name = names[call->by_key];
    const i64 n = call->a.length, m = call->b.length;
    char what[96];
    if (weft_check(device) != WEFT_OK ||
        need(device, call, name[0], call->a, 0, 0) != WEFT_OK ||
        weft_need_order(device, call->name, call->order, name[0], call->a) != WEFT_OK ||
        need(device, call, name[1], call->b, call->a.type, 0) != WEFT_OK)
        return weft_check(device);
    if (n + m > UINT32_MAX)
        return weft_fail(device, WEFT_E_SHAPE, "%s: %lld elements are more than 2^32 - 1",
                         call->name, (long long)(n + m));
    if (call->by_key && (need(device, call, "a_values", call->a_values, 0, n) != WEFT_OK ||
                         (b_moves && need(device, call, "b_values", call->b_values,
                                          call->a_values.type, m) != WEFT_OK)))
        return weft_check(device);
    if (need_out(device, call, name[2], call->out, call->a.type) != WEFT_OK ||
        !call->by_key ||
        need_out(device, call, "values_out", call->values_out, call->a_values.type) !=
            WEFT_OK)
        return weft_check(device);
    snprintf(what, sizeof what, "%s.values_out", call->name);
    return weft_need_apart(device, what, call->values_out, call->out);
}

/* As WEFT_COMPARISON's kernels take it: one run of a's length, and one of all others. */
typedef struct merge_arguments {
    i64 n, run;
    u32 length, whole;
    weft_array x, y, x_id, y_id;
} merge_arguments;

weft_merged weft_merged_of(weft_device *device, const weft_comparison *order, weft_array a,
                           weft_array b) {
    const i64 n = a.length + b.length, part = weft_tuning_of(device)->order_part;
    const u32 start = 0, step = 1;
    const weft_array both = weft_scratch(device, a.type, n),
                     id = weft_scratch(device, WEFT_U32, n);
    weft_copy(device, a, weft_part(both, 0, a.length));
    weft_copy(device, b, weft_part(both, a.length, b.length));
    weft_sequence(device, id, &start, &step);
    if (a.length == 0 || b.length == 0)
        return (weft_merged){both, id};
    const weft_merged merged = {weft_scratch(device, a.type, n),
                                weft_scratch(device, WEFT_U32, n)};
    const merge_arguments arguments = {n,    a.length, (u32)part, 1,
                                       both, merged.x, id,        merged.number};
    weft_launch(device, (n + part - 1) / part, order->sort_numbered, &arguments);
    return merged;
}

weft_array weft_merged_sources(weft_device *device, weft_array number) {
    const weft_array sources = weft_scratch(device, WEFT_I64, number.length);
    weft_copy(device, weft_lazy(number.length, merged_source, .number = number), sources);
    return sources;
}

weft_status weft_merge_by_key_with(weft_device *device, weft_array a_keys,
                                   weft_array a_values, weft_array b_keys,
                                   weft_array b_values, const weft_comparison *order,
                                   weft_array keys_out, weft_array values_out) {
    const weft_merged_call call = {"weft_merge_by_key_with",
                                   order,
                                   .by_key = 1,
                                   .most = a_keys.length + b_keys.length,
                                   .a = a_keys,
                                   .b = b_keys,
                                   .out = keys_out,
                                   .a_values = a_values,
                                   .b_values = b_values,
                                   .values_out = values_out};
    if (weft_merged_check(device, &call, 1) != WEFT_OK || call.most == 0)
        return weft_check(device);
    weft_scope_open(device);
    const weft_merged merged = weft_merged_of(device, order, weft_settled(device, a_keys),
                                              weft_settled(device, b_keys));
    if (keys_out.type)
        weft_copy(device, merged.x, keys_out);
    if (values_out.type)
        weft_join(device, weft_merged_sources(device, merged.number),
                  weft_settled(device, weft_part(a_values, 0, a_keys.length)),
                  weft_settled(device, weft_part(b_values, 0, b_keys.length)), values_out);
    weft_scope_close(device);
    return weft_check(device);
}
