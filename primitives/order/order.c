/* Sorts, merges and searches by a comparison of the caller's. */
#include "merged.h"
#include "merged.kernel.h"
#include "weft/short_names.h"
#include "weft/transform.h"

#include <stdio.h>

/* What WEFT_COMPARISON's kernels take. */
typedef struct sort_arguments {
    i64 n, run; /* run 0: blocks are sorted; else runs of so many are merged */
    u32 length, how;
    weft_array x, y, x_id, y_id;
} sort_arguments;
WEFT_KERNEL(merged_narrow, (in, i64, wide), (out, u32, out))

typedef struct rank_arguments {
    i64 length;
    u32 upper;
    weft_array sorted, queries, out;
} rank_arguments;

/* Sorts x, and x_id with it where there are numbers; y and y_id are room for as many. */
static void sort(weft_device *device, const weft_comparison *order, weft_array x,
                 weft_array y, weft_array x_id, weft_array y_id) {
    const weft_tuning *tuning = weft_tuning_of(device);
    const weft_kernel *kernel = x_id.type ? order->sort_numbered : order->sort;
    const i64 n = x.length, block = tuning->order_block, part = tuning->order_part;
    int over = 0;
    for (i64 run = block; run < n; run *= 2)
        over = !over;
    sort_arguments arguments = {
        .n = n, .length = (u32)block, .how = (u32)over, x, y, x_id, y_id};
    weft_launch(device, (n + block - 1) / block, kernel, &arguments);
    for (i64 run = block; run < n; run *= 2, over = !over) {
        const sort_arguments merge = {n,
                                      run,
                                      (u32)part,
                                      0,
                                      over ? y : x,
                                      over ? x : y,
                                      over ? y_id : x_id,
                                      over ? x_id : y_id};
        weft_launch(device, (n + part - 1) / part, kernel, &merge);
    }
}

weft_status weft_sort_with(weft_device *device, weft_array inout,
                           const weft_comparison *order) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_sort_with.inout", inout, 0, 0) != WEFT_OK ||
        weft_need_order(device, "weft_sort_with", order, "inout", inout) != WEFT_OK ||
        inout.length < 2)
        return weft_check(device);
    const weft_array none = {0};
    weft_scope_open(device);
    sort(device, order, inout, weft_scratch(device, inout.type, inout.length), none, none);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_sort_by_key_with(weft_device *device, weft_array keys, weft_array values,
                                  const weft_comparison *order) {
    const i64 n = keys.length;
    const u32 start = 0, step = 1;
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_sort_by_key_with.keys", keys, 0, 0) != WEFT_OK ||
        weft_need_written(device, "weft_sort_by_key_with.values", values, 0, n) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_sort_by_key_with.values", values, keys) != WEFT_OK ||
        weft_need_order(device, "weft_sort_by_key_with", order, "keys", keys) != WEFT_OK)
        return weft_check(device);
    if (n > UINT32_MAX)
        return weft_fail(device, WEFT_E_SHAPE,
                         "weft_sort_by_key_with: %lld keys are more than 2^32 - 1",
                         (long long)n);
    if (n < 2)
        return WEFT_OK;
    values = weft_part(values, 0, n);
    weft_scope_open(device);
    const weft_array id = weft_scratch(device, WEFT_U32, n),
                     room = weft_scratch(device, WEFT_U32, n),
                     copy = weft_scratch(device, values.type, n);
    weft_sequence(device, id, &start, &step);
    weft_copy(device, id, room); /* a comparison that is no order leaves gaps in merges */
    weft_copy(device, values, copy);
    sort(device, order, keys, weft_scratch(device, keys.type, n), id, room);
    weft_gather(device, copy, id, values);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_merge_with(weft_device *device, weft_array a, weft_array b,
                            const weft_comparison *order, weft_array out) {
    const i64 n = a.length + b.length, part = weft_tuning_of(device)->order_part;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_merge_with.a", a, 0, 0) != WEFT_OK ||
        weft_need_order(device, "weft_merge_with", order, "a", a) != WEFT_OK ||
        weft_need_array(device, "weft_merge_with.b", b, a.type, 0) != WEFT_OK ||
        weft_need_written(device, "weft_merge_with.out", out, a.type, n) != WEFT_OK ||
        weft_need_apart(device, "weft_merge_with.out", out, a) != WEFT_OK ||
        weft_need_apart(device, "weft_merge_with.out", out, b) != WEFT_OK)
        return weft_check(device);
    if (a.length == 0 || b.length == 0)
        return weft_copy(device, a.length == 0 ? b : a, out);
    weft_scope_open(device);
    const weft_array both = weft_scratch(device, a.type, n);
    const sort_arguments arguments = {.n = n,
                                      .run = a.length,
                                      .length = (u32)part,
                                      .how = 1,
                                      .x = both,
                                      .y = weft_part(out, 0, n)};
    weft_copy(device, a, weft_slice(device, both, 0, a.length));
    weft_copy(device, b, weft_slice(device, both, a.length, b.length));
    weft_launch(device, (n + part - 1) / part, order->sort, &arguments);
    weft_scope_close(device);
    return weft_check(device);
}

static weft_status bound(weft_device *device, const char *call, weft_array sorted,
                         weft_array queries, const weft_comparison *order, u32 upper,
                         weft_array out) {
    char what[64];
    snprintf(what, sizeof what, "%s.sorted", call);
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what, sorted, 0, 0) != WEFT_OK ||
        weft_need_order(device, call, order, "sorted", sorted) != WEFT_OK ||
        weft_need_positions(device, call, sorted, queries, "out", out) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    out = weft_part(out, 0, queries.length);
    const weft_array ranks =
        out.type == WEFT_I64 ? out : weft_scratch(device, WEFT_I64, queries.length);
    const rank_arguments arguments = {.length = sorted.length,
                                      .upper = upper,
                                      .sorted = weft_settled(device, sorted),
                                      .queries = weft_settled(device, queries),
                                      .out = ranks};
    weft_launch(device, queries.length, order->rank, &arguments);
    if (out.type == WEFT_U32)
        weft_for_each(device, queries.length, merged_narrow, .wide = ranks, .out = out);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_lower_bound_with(weft_device *device, weft_array sorted,
                                  weft_array queries, const weft_comparison *order,
                                  weft_array out) {
    return bound(device, "weft_lower_bound_with", sorted, queries, order, 0, out);
}

weft_status weft_upper_bound_with(weft_device *device, weft_array sorted,
                                  weft_array queries, const weft_comparison *order,
                                  weft_array out) {
    return bound(device, "weft_upper_bound_with", sorted, queries, order, 1, out);
}
