/* The serial backend: one thread, the definition of every result. */
#include "serial.h"
#include "backends/host/host.h"
#include "weft/array.h"

#include <stdio.h>
#include <string.h>

static i64 devices(weft_device_info *info, i64 capacity) {
    if (capacity > 0)
        *info = (weft_device_info){.backend = "serial",
                                   .name = "one thread",
                                   .compute_units = 1,
                                   .has_f64 = 1,
                                   .has_u64_atomics = 1};
    return 1;
}

static weft_status open_device(weft_device *device, const char *which) {
    if (which && strcmp(which, "0") != 0)
        return weft_fail(device, WEFT_E_BACKEND, "backend 'serial' has no device '%s'",
                         which);
    snprintf(device->name, sizeof device->name, "one thread");
    device->style = WEFT_SIMD;
    device->concurrency = 1;
    return WEFT_OK;
}

static weft_status open_beside(weft_device *device, weft_device *other) {
    (void)other;
    return open_device(device, NULL);
}

static void close_device(weft_device *device) {
    (void)device;
}

static weft_status synchronize(weft_device *device) {
    (void)device;
    return WEFT_OK;
}

weft_status serial_for_each(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call) {
    (void)device;
    void *arguments[WEFT_MAX_PARAMETERS];
    host_arguments(call, arguments);
    kernel->loop(arguments, 0, n);
    return WEFT_OK;
}

/* In pieces, where somebody hears of it. */
static weft_status for_each(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call) {
    enum { PIECES = 128 };
    const i64 each = n / PIECES + 1;
    if (!weft_hears_launch(device))
        return serial_for_each(device, n, kernel, call);
    void *arguments[WEFT_MAX_PARAMETERS];
    host_arguments(call, arguments);
    for (i64 begin = 0; begin < n; begin += each) {
        const i64 end = n - begin < each ? n : begin + each;
        kernel->loop(arguments, begin, end);
        if (!weft_tell_launch(device, (f64)end / (f64)n))
            break;
    }
    return weft_check(device);
}

weft_status serial_copy(weft_device *device, const weft_input *in, weft_span out) {
    (void)device;
    host_copy(in, out, 0, in->span.length);
    return WEFT_OK;
}

weft_status serial_reduce(weft_device *device, const weft_input *in,
                          const weft_operator *op, weft_span out) {
    _Alignas(64) char sum[HOST_ELEMENT], part[HOST_ELEMENT];
    if (host_check_operator(device, op) != WEFT_OK)
        return weft_check(device);
    const i64 n = in->span.length;
    memcpy(sum, op->identity, WEFT_SIZE(op->type));
    for (i64 i = 0; i < n; i += HOST_FOLD_BLOCK) {
        host_fold(in, op, i, n - i < HOST_FOLD_BLOCK ? n : i + HOST_FOLD_BLOCK, part);
        op->combine(sum, part, sum, 1);
    }
    memcpy(host_at(out, 0), sum, WEFT_SIZE(op->type));
    return WEFT_OK;
}

weft_status serial_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out) {
    return host_scan(device, in, heads, op, exclusive, out, &host_alone);
}

static int scan_from(weft_device *device, const weft_input *in, const weft_operator *op,
                     int exclusive, const void *start, weft_span out) {
    return host_scan_from(device, in, op, exclusive, start, out, &host_alone) == WEFT_OK;
}

weft_status serial_sort(weft_device *device, const weft_sort_call *sort) {
    return host_sort(device, sort, &host_alone);
}

static int select(weft_device *device, const weft_select_call *call) {
    return host_select(device, call, &host_alone) == WEFT_OK;
}

static int replace(weft_device *device, const weft_replace_call *call) {
    (void)device;
    if (call->x.type >= WEFT_STRUCTS)
        return 0;
    host_replace(call, 0, call->flags.span.length);
    return 1;
}

static int find(weft_device *device, const weft_input *flags, int wanted, i64 *index) {
    (void)device;
    *index = host_find(flags, wanted, &host_alone);
    return 1;
}

static int histogram(weft_device *device, const weft_input *bins, weft_span counts) {
    return host_histogram(device, bins, counts, &host_alone);
}

static int parts(weft_device *device, const weft_parts_call *call) {
    return host_parts(device, call, &host_alone) == WEFT_OK;
}

static int reduce_segments(weft_device *device, const weft_segments_call *call) {
    return host_reduce_segments(device, call, &host_alone);
}

static int reduce_runs(weft_device *device, const weft_runs_call *call) {
    return host_reduce_runs(device, call, &host_alone) == WEFT_OK;
}

weft_status serial_pairs(weft_device *device, const weft_pairs_function *pairs,
                         const weft_call *call, const i64 *offsets, i64 segments,
                         weft_span out) {
    (void)device;
    void *arguments[WEFT_MAX_PARAMETERS];
    host_arguments(call, arguments);
    for (i64 s = 0; s < segments; s++)
        host_pairs(pairs, arguments, offsets[s], offsets[s + 1], offsets[s], offsets[s + 1],
                   out);
    return WEFT_OK;
}

static int sine_transform(weft_device *device, i64 n, weft_span cubes) {
    return host_sine_transform(device, n, cubes, &host_alone);
}

const weft_backend weft_backend_serial = {
    .name = "serial",
    .in_host_memory = 1,
    .in_parts = 1,
    .devices = devices,
    .open = open_device,
    .close = close_device,
    .open_beside = open_beside,
    .allocate = host_allocate,
    .release = host_release,
    .borrow = host_borrow,
    .give_back = host_give_back,
    .write = host_write,
    .read = host_read,
    .synchronize = synchronize,
    .for_each = for_each,
    .copy = serial_copy,
    .reduce = serial_reduce,
    .scan = serial_scan,
    .sort = serial_sort,
    .pairs = serial_pairs,
    .sine_transform = sine_transform,
    .select = select,
    .selects_in_place = 1,
    .replace = replace,
    .find = find,
    .scan_from = scan_from,
    .reduce_runs = reduce_runs,
    .reduce_segments = reduce_segments,
    .histogram = histogram,
    .parts = parts,
};
