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
    if (which)
        return weft_fail(device, WEFT_E_BACKEND, "backend 'serial' has no device '%s'",
                         which);
    snprintf(device->name, sizeof device->name, "one thread");
    device->concurrency = 1;
    return WEFT_OK;
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

void serial_scan_blocks(const host_scan *scan, void *memory) {
    _Alignas(64) char carry[HOST_ELEMENT], total[HOST_ELEMENT];
    const weft_operator *op = scan->op;
    const i64 block = host_scan_block(op->type);
    memcpy(carry, op->identity, WEFT_SIZE(op->type));
    for (i64 b = 0; b * block < scan->in->span.length; b++) {
        const int cut = host_scan_within(scan, b, memory, total);
        host_scan_finish(scan, b, memory, carry);
        if (cut)
            memcpy(carry, total, WEFT_SIZE(op->type));
        else
            op->combine(carry, total, carry, 1);
    }
}

weft_status serial_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out) {
    const host_scan scan = {in, heads, op, exclusive, out};
    if (host_check_operator(device, op) != WEFT_OK)
        return weft_check(device);
    const weft_array scratch =
        weft_scratch(device, WEFT_U8, (i64)host_scan_memory(op->type));
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    serial_scan_blocks(&scan, weft_buffer_memory(scratch.buffer));
    return WEFT_OK;
}

static void run(void *team, i64 n, i64 least, i64 most, host_work *work, void *context) {
    (void)team, (void)least, (void)most;
    work(context, 0, n, 0);
}

weft_status serial_sort(weft_device *device, const weft_sort_call *sort) {
    return host_sort(device, sort, &(host_crew){1, NULL, run});
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
    return host_sine_transform(device, n, cubes, &(host_crew){1, NULL, run});
}

const weft_backend weft_backend_serial = {
    .name = "serial",
    .devices = devices,
    .open = open_device,
    .close = close_device,
    .allocate = host_allocate,
    .release = host_release,
    .borrow = host_borrow,
    .give_back = host_give_back,
    .write = host_write,
    .read = host_read,
    .synchronize = synchronize,
    .for_each = serial_for_each,
    .copy = serial_copy,
    .reduce = serial_reduce,
    .scan = serial_scan,
    .sort = serial_sort,
    .pairs = serial_pairs,
    .sine_transform = sine_transform,
};
