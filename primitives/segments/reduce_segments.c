/* Sums over segments: those over runs, of which segments without elements have none. */
#include "segments.h"
#include "segments.kernels.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_GENERATOR(segments_before, i64, (in, i64, offsets))
WEFT_GENERATOR(segments_some, u32, (in, i64, offsets, n + 1))
WEFT_GENERATOR(segments_last, i64, (in, i64, offsets, n + 1), (value, i64, n))

/* As the backend itself does; returns 0 where it has no way of its own. */
static int reduce_by_backend(weft_device *device, weft_array in, weft_array offsets,
                             const weft_operator *op, weft_array out) {
    weft_segments_call call = {.op = op};
    if (!device->backend->reduce_segments || in.type >= WEFT_STRUCTS)
        return 0;
    weft_need_input(device, "weft_reduce_segments.in", in, 0, 0, &call.in);
    weft_need_memory(device, "weft_reduce_segments.offsets", offsets, 0, 0, &call.offsets);
    weft_need_output(device, "weft_reduce_segments.out", out, 0, 0, &call.out);
    return weft_check(device) != WEFT_OK ||
           device->backend->reduce_segments(device, &call) || weft_check(device) != WEFT_OK;
}

/* As the backend sums up runs; returns 0 where it cannot. The keys of runs
 * are of no interest: they are the elements. */
static int reduce_directly(weft_device *device, weft_array in, weft_array offsets,
                           weft_array heads, const weft_operator *op, weft_array out) {
    const i64 segments = out.length, most = segments + 2; /* before, between, after */
    const weft_mover mover = weft_mover_of(in.type);
    if (!device->backend->reduce_runs || mover.kind >= MOVES_WORDS)
        return 0;
    weft_runs_call call = {.op = op};
    const weft_array sums = weft_scratch(device, in.type, most),
                     keys = weft_scratch(device, mover.type, most),
                     count = weft_scratch(device, WEFT_I64, 1),
                     ranks = weft_scratch(device, WEFT_I64, segments);
    weft_need_input(device, "weft_reduce_segments.in", weft_as(device, in, mover.type), 0,
                    0, &call.keys);
    weft_need_input(device, "weft_reduce_segments.in", in, 0, 0, &call.in);
    weft_need_input(device, "weft_reduce_segments.heads", heads, 0, 0, &call.heads);
    weft_need_output(device, "weft_reduce_segments.keys", keys, 0, 0, &call.keys_out);
    weft_need_output(device, "weft_reduce_segments.sums", sums, 0, 0, &call.out);
    weft_need_output(device, "weft_reduce_segments.count", count, 0, 0, &call.count);
    if (weft_check(device) != WEFT_OK || !device->backend->reduce_runs(device, &call))
        return weft_check(device) != WEFT_OK;
    weft_scan(device, weft_lazy(segments, segments_before, .offsets = offsets),
              weft_plus(WEFT_I64), WEFT_INCLUSIVE, ranks);
    weft_gather_if(device, sums, ranks,
                   weft_lazy(segments, segments_some, .offsets = offsets), out);
    return 1;
}

static void reduce_by_scan(weft_device *device, weft_array in, weft_array offsets,
                           weft_array heads, const weft_operator *op, weft_array out) {
    const i64 n = in.length, segments = out.length;
    const weft_array sums = weft_scratch(device, in.type, n);
    weft_scan_segments(device, in, heads, op, WEFT_INCLUSIVE, sums);
    weft_gather_if(device, sums,
                   weft_lazy(segments, segments_last, .offsets = offsets, .n = n),
                   weft_lazy(segments, segments_some, .offsets = offsets), out);
}

weft_status weft_reduce_segments(weft_device *device, weft_array in, weft_array offsets,
                                 const weft_operator *op, weft_array out) {
    const i64 segments = offsets.length - 1;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_reduce_segments.in", in, 0, 0) != WEFT_OK ||
        weft_need_array(device, "weft_reduce_segments.offsets", offsets, WEFT_I64, 1) !=
            WEFT_OK ||
        weft_need_operator(device, "weft_reduce_segments", op, in.type) != WEFT_OK ||
        weft_need_written(device, "weft_reduce_segments.out", out, in.type, segments) !=
            WEFT_OK ||
        weft_need_apart(device, "weft_reduce_segments.out", out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_reduce_segments.out", out, offsets) != WEFT_OK)
        return weft_check(device);
    out = weft_part(out, 0, segments);
    if (segments == 0 || in.length == 0)
        return weft_fill(device, out, op->identity);
    weft_scope_open(device);
    offsets = weft_settled(device, offsets);
    if (reduce_by_backend(device, in, offsets, op, out) ||
        (in.generator &&
         reduce_by_backend(device, in = weft_settled(device, in), offsets, op, out))) {
        weft_scope_close(device);
        return weft_check(device);
    }
    weft_fill(device, out, op->identity);
    weft_segment_heads_of of;
    const weft_array bits = weft_segment_bits(device, offsets, in.length),
                     heads = weft_segment_heads(bits, in.length, &of);
    if (weft_check(device) == WEFT_OK &&
        !reduce_directly(device, in, offsets, heads, op, out))
        reduce_by_scan(device, in, offsets, heads, op, out);
    weft_scope_close(device);
    return weft_check(device);
}
