/* On a device without f64, what uses it runs on the host, by the serial backend's functions
 * on memory that is mapped for as long: the results are the serial backend's. */
#include "entries.h"
#include "backends/host/host.h"
#include "backends/serial/serial.h"

/* Buffers, each once, from their first byte to the last that is used. */
typedef struct mapping {
    void *memory, *host;
    size_t bytes;
    int written;
} mapping;

typedef struct view {
    weft_device *device;
    mapping mapped[2 * WEFT_MAX_PARAMETERS + 2];
    int count;
} view;

static mapping *find(view *v, const void *memory) {
    mapping *m = v->mapped;
    while (m < v->mapped + v->count && m->memory != memory)
        m++;
    return m;
}

static void need_span(view *v, weft_span span, int written) {
    if (!span.memory || span.length == 0)
        return;
    mapping *m = find(v, span.memory);
    if (m == v->mapped + v->count)
        v->mapped[v->count++] = (mapping){.memory = span.memory};
    const size_t end = (size_t)(span.first + span.length) * WEFT_SIZE(span.type);
    m->bytes = end > m->bytes ? end : m->bytes;
    m->written |= written;
}

static void need_call(view *v, const weft_call *call) {
    for (const weft_argument *a = call->argument; a < call->argument + call->count; a++)
        if (!a->value)
            need_span(v, a->span, weft_is_written(a->parameter->role));
}

static void need_input(view *v, const weft_input *in) {
    if (in->generator)
        need_call(v, &in->call);
    else
        need_span(v, in->span, 0);
}

/* Gives all memory back to the device. */
static weft_status unmap(view *v) {
    while (v->count-- > 0) {
        const mapping *m = &v->mapped[v->count];
        const cl_int code = clEnqueueUnmapMemObject(opencl_of(v->device)->queue, m->memory,
                                                    m->host, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            opencl_fail(v->device, "clEnqueueUnmapMemObject", code, NULL);
    }
    return weft_check(v->device);
}

/* Waits for what is under way, and maps what was asked for: all of it or, with an error,
 * nothing. */
static weft_status map(view *v) {
    const int count = v->count;
    for (v->count = 0; v->count < count; v->count++) {
        mapping *m = &v->mapped[v->count];
        const cl_map_flags flags = CL_MAP_READ | (m->written ? CL_MAP_WRITE : 0);
        cl_int code;
        m->host = clEnqueueMapBuffer(opencl_of(v->device)->queue, m->memory, CL_TRUE, flags,
                                     0, m->bytes, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS) {
            opencl_fail(v->device, "clEnqueueMapBuffer", code, NULL);
            return unmap(v);
        }
    }
    return weft_check(v->device);
}

static weft_span span_on_host(view *v, weft_span span) {
    const mapping *m = find(v, span.memory);
    span.memory = span.memory && span.length > 0 ? m->host : NULL;
    return span;
}

static weft_call call_on_host(view *v, const weft_call *call) {
    weft_call there = *call;
    for (i32 k = 0; k < call->count; k++)
        if (!there.argument[k].value)
            there.argument[k].span = span_on_host(v, there.argument[k].span);
    return there;
}

static weft_input input_on_host(view *v, const weft_input *in) {
    weft_input there = *in;
    if (in->generator)
        there.call = call_on_host(v, &in->call);
    else
        there.span = span_on_host(v, in->span);
    return there;
}

weft_status opencl_for_each_on_host(weft_device *device, i64 n, const weft_kernel *kernel,
                                    const weft_call *call) {
    view v = {.device = device};
    need_call(&v, call);
    if (map(&v) != WEFT_OK)
        return weft_check(device);
    const weft_call there = call_on_host(&v, call);
    serial_for_each(device, n, kernel, &there);
    return unmap(&v);
}

weft_status opencl_copy_on_host(weft_device *device, const weft_input *in, weft_span out) {
    view v = {.device = device};
    need_input(&v, in);
    need_span(&v, out, 1);
    if (map(&v) != WEFT_OK)
        return weft_check(device);
    const weft_input from = input_on_host(&v, in);
    serial_copy(device, &from, span_on_host(&v, out));
    return unmap(&v);
}

weft_status opencl_reduce_on_host(weft_device *device, const weft_input *in,
                                  const weft_operator *op, weft_span out) {
    view v = {.device = device};
    need_input(&v, in);
    need_span(&v, out, 1);
    if (map(&v) != WEFT_OK)
        return weft_check(device);
    const weft_input from = input_on_host(&v, in);
    serial_reduce(device, &from, op, span_on_host(&v, out));
    return unmap(&v);
}

weft_status opencl_scan_on_host(weft_device *device, const weft_input *in,
                                const weft_input *heads, const weft_operator *op,
                                int exclusive, weft_span out) {
    const weft_array scratch =
        weft_scratch(device, WEFT_U8, (i64)host_scan_memory(op->type));
    if (weft_check(device) != WEFT_OK || host_check_operator(device, op) != WEFT_OK)
        return weft_check(device);
    const weft_span room = {weft_buffer_memory(scratch.buffer), 0, scratch.length, WEFT_U8};
    view v = {.device = device};
    need_input(&v, in);
    if (heads)
        need_input(&v, heads);
    need_span(&v, out, 1);
    need_span(&v, room, 1);
    if (map(&v) != WEFT_OK)
        return weft_check(device);
    const weft_input from = input_on_host(&v, in);
    const weft_input cuts = heads ? input_on_host(&v, heads) : from;
    host_scan_alone(&from, heads ? &cuts : NULL, op, exclusive, span_on_host(&v, out),
                    host_at(span_on_host(&v, room), 0));
    return unmap(&v);
}

weft_status opencl_pairs_on_host(weft_device *device, const weft_pairs_function *pairs,
                                 const weft_call *call, const i64 *offsets, i64 segments,
                                 weft_span out) {
    view v = {.device = device};
    need_call(&v, call);
    need_span(&v, out, 1);
    if (map(&v) != WEFT_OK)
        return weft_check(device);
    const weft_call there = call_on_host(&v, call);
    serial_pairs(device, pairs, &there, offsets, segments, span_on_host(&v, out));
    return unmap(&v);
}
