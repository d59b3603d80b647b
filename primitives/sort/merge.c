/* Stable merges. */
#include "primitives/primitives.h"
#include "merge.kernels.h"
#include "weft/sort.h"

#include <stdio.h>

WEFT_KERNELS(merge, (u8, u16, u32, u64), (value, i64, a_length), (value, i64, b_length),
             (value, u32, size), (value, u32, kind), (in, T, a, 0), (in, T, b, 0),
             (inout, T, out, 0))
WEFT_KERNELS(merge_sources, (u8, u16, u32, u64), (value, i64, a_length),
             (value, i64, b_length), (value, u32, size), (value, u32, kind), (in, T, a, 0),
             (in, T, b, 0), (out, i64, out, 0))

/* As the backend itself does; returns 0 where it has no way of its own. */
static int merge_directly(weft_device *device, weft_array a, weft_array b, int sources,
                          weft_array out) {
    weft_merge_call call = {.sources = sources};
    out = weft_part(out, 0, a.length + b.length);
    if (!device->backend->merge || out.length == 0 ||
        weft_need_memory(device, "weft_merge.a", a, 0, 0, &call.a) != WEFT_OK ||
        weft_need_memory(device, "weft_merge.b", b, 0, 0, &call.b) != WEFT_OK ||
        weft_need_output(device, "weft_merge.out", out, 0, 0, &call.out) != WEFT_OK)
        return weft_check(device) != WEFT_OK;
    return device->backend->merge(device, &call);
}

/* out = the merged keys, or with `sources` the numbers of where they come from. */
static void merge(weft_device *device, weft_array a, weft_array b, int sources,
                  weft_array out) {
    if (merge_directly(device, a, b, sources, out))
        return;
    const weft_mover mover = weft_mover_of(a.type);
    const i64 n = a.length + b.length, block = weft_tuning_of(device)->merge;
    const struct merge_u32_arguments arguments = {
        .a_length = a.length,
        .b_length = b.length,
        .size = (u32)block,
        .kind = weft_order_kind(a.type),
        .a = weft_as(device, a, mover.type),
        .b = weft_as(device, b, mover.type),
        .out = sources ? out : weft_as(device, out, mover.type)};
    weft_launch(device, (n + block - 1) / block,
                (sources ? merge_sources_kernels : merge_kernels)[mover.kind], &arguments);
}

/* Two inputs of one type and the output of both. */
/* `asked` 0: the output may be left out. */
static weft_status check(weft_device *device, const char *call, const char *const names[3],
                         weft_array a, weft_array b, int asked, weft_array out) {
    char what[3][64];
    for (int k = 0; k < 3; k++)
        snprintf(what[k], sizeof what[k], "%s.%s", call, names[k]);
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what[0], a, 0, 0) != WEFT_OK ||
        weft_need_array(device, what[1], b, a.type, 0) != WEFT_OK ||
        ((asked || out.type) &&
         weft_need_written(device, what[2], out, a.type, a.length + b.length) != WEFT_OK) ||
        weft_need_apart(device, what[2], out, a) != WEFT_OK)
        return weft_check(device);
    return weft_need_apart(device, what[2], out, b);
}

weft_status weft_merge(weft_device *device, weft_array a, weft_array b, weft_array out) {
    static const char *const names[] = {"a", "b", "out"};
    if (check(device, "weft_merge", names, a, b, 1, out) != WEFT_OK ||
        weft_need_numbers(device, "weft_merge.a", a, 0) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    merge(device, weft_settled(device, a), weft_settled(device, b), 0, out);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_merge_by_key(weft_device *device, weft_array a_keys, weft_array a_values,
                              weft_array b_keys, weft_array b_values, weft_array keys_out,
                              weft_array values_out) {
    static const char *const keys[] = {"a_keys", "b_keys", "keys_out"};
    static const char *const values[] = {"a_values", "b_values", "values_out"};
    const char *call = "weft_merge_by_key";
    if (check(device, call, keys, a_keys, b_keys, 0, keys_out) != WEFT_OK ||
        weft_need_numbers(device, "weft_merge_by_key.a_keys", a_keys, 0) != WEFT_OK ||
        weft_need_array(device, "weft_merge_by_key.a_values", a_values, 0, a_keys.length) !=
            WEFT_OK ||
        weft_need_array(device, "weft_merge_by_key.b_values", b_values, a_values.type,
                        b_keys.length) != WEFT_OK)
        return weft_check(device);
    a_values = weft_part(a_values, 0, a_keys.length);
    b_values = weft_part(b_values, 0, b_keys.length);
    if (check(device, call, values, a_values, b_values, 0, values_out) != WEFT_OK ||
        weft_need_apart(device, "weft_merge_by_key.keys_out", keys_out, a_values) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_merge_by_key.keys_out", keys_out, b_values) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_merge_by_key.values_out", values_out, a_keys) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_merge_by_key.values_out", values_out, b_keys) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_merge_by_key.values_out", values_out, keys_out) !=
            WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    a_keys = weft_settled(device, a_keys);
    b_keys = weft_settled(device, b_keys);
    const weft_array sources =
        weft_scratch(device, WEFT_I64, a_keys.length + b_keys.length);
    merge(device, a_keys, b_keys, 1, sources);
    if (keys_out.type)
        weft_join(device, sources, a_keys, b_keys, keys_out);
    if (values_out.type)
        weft_join(device, sources, weft_settled(device, a_values),
                  weft_settled(device, b_values), values_out);
    weft_scope_close(device);
    return weft_check(device);
}
