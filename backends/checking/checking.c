/* The table: each function of the serial backend, watched. */
#include "checking.h"
#include "backends/serial/serial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static i64 devices(weft_device_info *info, i64 capacity) {
    if (capacity > 0)
        *info = (weft_device_info){.backend = "checking",
                                   .name = "one thread, with checks",
                                   .compute_units = 1,
                                   .has_f64 = 1,
                                   .has_u64_atomics = 1};
    return 1;
}

/* On memory of which it is one user. */
static weft_status open_on(weft_device *device, checking_memory *memory) {
    checking_state *state = memory ? calloc(1, sizeof *state) : NULL;
    if (!state) {
        checking_memory_leave(memory);
        return weft_fail(device, WEFT_E_MEMORY, "out of memory while opening 'checking'");
    }
    state->memory = memory;
    device->state = state;
    snprintf(device->name, sizeof device->name, "one thread, with checks");
    device->style = WEFT_SIMD;
    device->concurrency = 1;
    checking_watch_faults(1);
    return WEFT_OK;
}

static weft_status open_device(weft_device *device, const char *which) {
    if (which && strcmp(which, "0") != 0)
        return weft_fail(device, WEFT_E_BACKEND, "backend 'checking' has no device '%s'",
                         which);
    return open_on(device, checking_memory_new());
}

static weft_status open_beside(weft_device *device, weft_device *other) {
    const checking_state *state = other->state;
    checking_memory_share(state->memory);
    return open_on(device, state->memory);
}

static void close_device(weft_device *device) {
    const checking_state *state = device->state;
    checking_close_compiler(device->state);
    checking_watch_faults(-1);
    checking_memory_leave(state->memory);
    free(device->state);
}

static weft_status synchronize(weft_device *device) {
    (void)device;
    return WEFT_OK;
}

/* The arguments of any of the functions below. */
typedef struct task {
    i64 n;
    const weft_kernel *kernel;
    const weft_call *call;
    const weft_input *in, *heads;
    const weft_operator *op;
    int exclusive;
    const weft_sort_call *sort;
    const weft_pairs_function *pairs;
    const i64 *offsets;
    weft_span out;
} task;

static int in_half(i64 i) {
    return (int)((u64)i * 0x9e3779b97f4a7c15u >> 63);
}

static weft_status run_for_each(weft_device *device, const void *arguments,
                                checking_order order) {
    const task *t = arguments;
    void *pointers[WEFT_MAX_PARAMETERS];
    if (order == CHECKING_FORWARDS)
        return serial_for_each(device, t->n, t->kernel, t->call);
    host_arguments(t->call, pointers);
    for (i64 i = t->n; i-- > 0;)
        if (order == CHECKING_BACKWARDS || in_half(i) == (order == CHECKING_ONE_HALF))
            t->kernel->loop(pointers, i, i + 1);
    return WEFT_OK;
}

static weft_status for_each(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call) {
    const task t = {.n = n, .kernel = kernel, .call = call};
    checking_operation o = {.what = kernel->function.name, .run = run_for_each, .task = &t};
    if (checking_compile(device, &(weft_used){.kernel = kernel}) != WEFT_OK)
        return weft_check(device);
    checking_add_call(device, &o, call);
    for (i32 k = 0; k < call->count; k++)
        o.splits |= call->argument[k].parameter->role == WEFT_INOUT;
    return checking_watch(device, &o);
}

/* An output may be longer than what is written to it: the rest must stay as it is. */
static weft_span part(weft_span out, i64 begin, i64 end) {
    out.first += begin;
    out.length = end - begin;
    return out;
}

static const char *name_of(const weft_input *in, const char *otherwise) {
    return in->generator ? in->generator->function.name : otherwise;
}

static weft_status run_copy(weft_device *device, const void *arguments,
                            checking_order order) {
    const task *t = arguments;
    (void)order;
    return serial_copy(device, t->in, t->out);
}

static weft_status copy(weft_device *device, const weft_input *in, weft_span out) {
    const task t = {.in = in, .out = out};
    checking_operation o = {.what = name_of(in, "copy"), .run = run_copy, .task = &t};
    if (checking_compile(device, &(weft_used){.in = in}) != WEFT_OK)
        return weft_check(device);
    checking_add_input(device, &o, "in", in);
    checking_add_span(device, &o, "out", part(out, 0, in->span.length), WEFT_OUT);
    return checking_watch(device, &o);
}

/* The laws are tried on the input: before, as an output may take its place; but elements
 * that a generator makes must first be known to go nowhere astray. */
static weft_status watch_fold(weft_device *device, checking_operation *o,
                              const weft_input *in, const weft_operator *op, int commutes) {
    if (!in->generator && checking_laws(device, in, op, commutes) != WEFT_OK)
        return weft_check(device);
    if (checking_watch(device, o) == WEFT_OK && in->generator)
        checking_laws(device, in, op, commutes);
    return weft_check(device);
}

static weft_status run_reduce(weft_device *device, const void *arguments,
                              checking_order order) {
    const task *t = arguments;
    (void)order;
    return serial_reduce(device, t->in, t->op, t->out);
}

static weft_status reduce(weft_device *device, const weft_input *in,
                          const weft_operator *op, weft_span out) {
    const task t = {.in = in, .op = op, .out = out};
    checking_operation o = {.what = name_of(in, op->name), .run = run_reduce, .task = &t};
    if (checking_compile(device, &(weft_used){.op = op, .in = in}) != WEFT_OK)
        return weft_check(device);
    checking_add_input(device, &o, "in", in);
    checking_add_span(device, &o, "out", part(out, 0, 1), WEFT_OUT);
    return watch_fold(device, &o, in, op, 1);
}

static weft_status run_scan(weft_device *device, const void *arguments,
                            checking_order order) {
    const task *t = arguments;
    (void)order;
    return serial_scan(device, t->in, t->heads, t->op, t->exclusive, t->out);
}

static weft_status scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out) {
    const task t = {.in = in, .heads = heads, .op = op, .exclusive = exclusive, .out = out};
    checking_operation o = {.what = name_of(in, op->name), .run = run_scan, .task = &t};
    if (checking_compile(device, &(weft_used){.op = op, .in = in}) != WEFT_OK)
        return weft_check(device);
    checking_add_input(device, &o, "in", in);
    if (heads)
        checking_add_input(device, &o, "heads", heads);
    checking_add_span(device, &o, "out", part(out, 0, in->span.length), WEFT_OUT);
    return watch_fold(device, &o, in, op, 0);
}

static weft_status run_sort(weft_device *device, const void *arguments,
                            checking_order order) {
    const task *t = arguments;
    (void)order;
    return serial_sort(device, t->sort);
}

static weft_status sort(weft_device *device, const weft_sort_call *keys_and_values) {
    const task t = {.sort = keys_and_values};
    checking_operation o = {.what = "sort", .run = run_sort, .task = &t};
    checking_add_span(device, &o, "keys", keys_and_values->keys, WEFT_INOUT);
    checking_add_span(device, &o, "values", keys_and_values->values, WEFT_INOUT);
    return checking_watch(device, &o);
}

static weft_status run_pairs(weft_device *device, const void *arguments,
                             checking_order order) {
    const task *t = arguments;
    (void)order;
    return serial_pairs(device, t->pairs, t->call, t->offsets, t->n, t->out);
}

static weft_status pairs(weft_device *device, const weft_pairs_function *function,
                         const weft_call *call, const i64 *offsets, i64 segments,
                         weft_span out) {
    const task t = {
        .pairs = function, .call = call, .offsets = offsets, .n = segments, .out = out};
    checking_operation o = {.what = function->function.name, .run = run_pairs, .task = &t};
    if (checking_compile(device, &(weft_used){.pairs = function}) != WEFT_OK)
        return weft_check(device);
    checking_add_call(device, &o, call);
    checking_add_span(device, &o, "out", part(out, offsets[0], offsets[segments]),
                      WEFT_OUT);
    return checking_watch(device, &o);
}

const weft_backend weft_backend_checking = {
    .name = "checking",
    .in_host_memory = 1,
    .devices = devices,
    .open = open_device,
    .close = close_device,
    .open_beside = open_beside,
    .allocate = checking_allocate,
    .release = checking_release,
    .borrow = checking_borrow,
    .give_back = checking_give_back,
    .write = checking_write,
    .read = checking_read,
    .synchronize = synchronize,
    .for_each = for_each,
    .copy = copy,
    .reduce = reduce,
    .scan = scan,
    .sort = sort,
    .pairs = pairs,
    .map = checking_map,
};
