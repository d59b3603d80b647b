/* Sums over runs of equal keys: a scan within each run, of which the last element stays. */
#include "primitives/select/select.h"
#include "fill.kernels.h"
#include "weft/reduce.h"
#include "weft/runs.h"
#include "weft/scan.h"

WEFT_GENERATOR(fill_u32, u32, (value, u32, value))
WEFT_GENERATOR(fill_u64, u64, (value, u64, value))

/* Of keys that are equal where their bytes are; of others 0. */
static i32 key_bytes(weft_type type) {
    const weft_moves kind = weft_mover_of(type).kind;
    return type == WEFT_F32 || type == WEFT_F64 ? 0
           : kind == MOVES_U32                  ? 4
           : kind == MOVES_U64                  ? 8
                                                : 0;
}

/* As the backend itself does; returns 0 where it has no way of its own. */
static int reduce_directly(weft_device *device, weft_array keys, weft_array in,
                           const weft_operator *op, weft_array keys_out, weft_array out,
                           i64 *count) {
    weft_runs_call call = {.op = op, .key_bytes = key_bytes(keys.type)};
    weft_heads_of of;
    if (!device->backend->reduce_runs || keys.length == 0)
        return 0;
    const weft_array total = weft_scratch(device, WEFT_I64, 1);
    if (!keys_out.type)
        keys_out = weft_scratch(device, keys.type, keys.length);
    weft_need_input(device, "weft_runs.keys", keys, 0, 0, &call.keys);
    weft_need_input(device, "weft_runs.in", in, 0, 0, &call.in);
    weft_need_input(device, "weft_runs.heads", weft_heads(device, keys, 0, &of), 0, 0,
                    &call.heads);
    weft_need_output(device, "weft_runs.keys_out", keys_out, 0, 0, &call.keys_out);
    weft_need_output(device, "weft_runs.out", out, 0, 0, &call.out);
    weft_need_output(device, "weft_runs.count", total, 0, 0, &call.count);
    if (weft_check(device) != WEFT_OK || !device->backend->reduce_runs(device, &call))
        return weft_check(device) != WEFT_OK;
    if (count && weft_check(device) == WEFT_OK)
        weft_read(device, total, count);
    return 1;
}

static void reduce_by_scan(weft_device *device, weft_array keys, weft_array in,
                           const weft_operator *op, weft_array keys_out, weft_array out,
                           i64 *count) {
    weft_heads_of of;
    const weft_array sums = weft_scratch(device, in.type, keys.length);
    weft_scan_segments(device, in, weft_heads(device, keys, 0, &of), op, WEFT_INCLUSIVE,
                       sums);
    const weft_array ends = weft_heads(device, keys, 1, &of);
    if ((keys_out.type &&
         !weft_select_directly(device, keys, ends, 1, 0, keys_out, NULL)) ||
        !weft_select_directly(device, sums, ends, 1, 0, out, count)) {
        const weft_selection selection = weft_selection_of(device, ends, 1);
        if (keys_out.type)
            weft_selection_take(device, &selection, keys, keys_out);
        weft_selection_take(device, &selection, sums, out);
        weft_selection_count(device, &selection, count);
    }
}

/* The keys alone, or not even these. */
static void find_ends(weft_device *device, weft_array keys, weft_array keys_out,
                      i64 *count) {
    weft_heads_of of;
    const weft_array ends = weft_heads(device, keys, 1, &of);
    if (keys_out.type)
        weft_select_into(device, keys, ends, 1, keys_out, count);
    else if (count)
        weft_count_if(device, ends, count);
}

static weft_status runs(weft_device *device, weft_array keys, weft_array in,
                        const weft_operator *op, weft_array keys_out, weft_array out,
                        i64 *count) {
    weft_scope_open(device);
    keys = weft_settled(device, keys);
    if (!out.type)
        find_ends(device, keys, keys_out, count);
    else if (!reduce_directly(device, keys, in, op, keys_out, out, count))
        reduce_by_scan(device, keys, in, op, keys_out, out, count);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_reduce_by_key(weft_device *device, weft_array keys, weft_array in,
                               const weft_operator *op, weft_array keys_out, weft_array out,
                               i64 *count) {
    const i64 n = keys.length;
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_reduce_by_key.keys", keys, 0, 0) != WEFT_OK ||
        weft_need_array(device, "weft_reduce_by_key.in", in, 0, n) != WEFT_OK ||
        weft_need_operator(device, "weft_reduce_by_key", op, in.type) != WEFT_OK ||
        weft_need_if_asked(device, "weft_reduce_by_key.keys_out", keys_out, keys.type, n) !=
            WEFT_OK ||
        weft_need_if_asked(device, "weft_reduce_by_key.out", out, in.type, n) != WEFT_OK ||
        weft_need_apart(device, "weft_reduce_by_key.keys_out", keys_out, keys) != WEFT_OK ||
        weft_need_apart(device, "weft_reduce_by_key.keys_out", keys_out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_reduce_by_key.out", out, keys) != WEFT_OK ||
        weft_need_apart(device, "weft_reduce_by_key.out", out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_reduce_by_key.out", out, keys_out) != WEFT_OK)
        return weft_check(device);
    return runs(device, keys, weft_part(in, 0, n), op, keys_out, out, count);
}

weft_status weft_run_length_encode(weft_device *device, weft_array in, weft_array values,
                                   weft_array lengths, i64 *count) {
    const i64 n = in.length;
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_run_length_encode.in", in, 0, 0) != WEFT_OK ||
        weft_need_if_asked(device, "weft_run_length_encode.values", values, in.type, n) !=
            WEFT_OK ||
        (lengths.type && weft_need_counts(device, "weft_run_length_encode.lengths", lengths,
                                          n) != WEFT_OK) ||
        weft_need_apart(device, "weft_run_length_encode.values", values, in) != WEFT_OK ||
        weft_need_apart(device, "weft_run_length_encode.lengths", lengths, in) != WEFT_OK ||
        weft_need_apart(device, "weft_run_length_encode.lengths", lengths, values) !=
            WEFT_OK)
        return weft_check(device);
    if (lengths.type == WEFT_U32 && n > UINT32_MAX)
        return weft_fail(device, WEFT_E_TYPE,
                         "weft_run_length_encode: %lld elements are too many for lengths "
                         "in u32",
                         (long long)n);
    if (lengths.type != WEFT_I64)
        return runs(device, in, weft_lazy(n, fill_u32, .value = 1), weft_plus(WEFT_U32),
                    values, lengths, count);
    lengths = weft_as(device, lengths, WEFT_U64);
    return runs(device, in, weft_lazy(n, fill_u64, .value = 1), weft_plus(WEFT_U64), values,
                lengths, count);
}
