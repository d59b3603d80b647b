/* Merges by a comparison that tell where elements come from, and merges by key. */
#include "merged.h"
#include "merged.kernel.h"
#include "weft/transform.h"

WEFT_GENERATOR(merged_source, i64, (in, u32, number))

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
    weft_copy(device, id, merged.number); /* gaps, where the order is none */
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
    const set_call call =
        set_call_with(set_call_by_key("weft_merge_by_key_with", SET_UNION, a_keys, a_values,
                                      b_keys, b_values, keys_out, values_out),
                      order);
    if (weft_set_check(device, &call) != WEFT_OK || weft_set_most(&call) == 0)
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
