/* Views of arrays, and the checks that stand before every launch. */
#include "core.h"

#include <stdio.h>
#include <string.h>

const char *weft_type_name(weft_type type, char buffer[32]) {
    static const char *const names[] = {"nothing", "i8",  "u8",  "i16", "u16", "i32",
                                        "u32",     "i64", "u64", "f32", "f64"};
    const u32 kind = type >> 24;
    if (kind < sizeof names / sizeof *names)
        return names[kind];
    snprintf(buffer, 32, "a struct of %zu bytes", WEFT_SIZE(type));
    return buffer;
}

static weft_span span_of(weft_array array) {
    return (weft_span){array.buffer ? weft_buffer_memory(array.buffer) : NULL, array.first,
                       array.length, array.type};
}

/* An argument in messages: "fill: array 'x'", or, a field of a bundle, "array 'cells.x'".
 */
typedef struct place {
    const char *call, *bundle, *name;
} place;

static weft_status refuse(weft_device *device, weft_status status, place at,
                          const char *reason) {
    return weft_fail(device, status, "%s: array '%s%s%s' %s", at.call,
                     at.bundle ? at.bundle : "", at.bundle ? "." : "", at.name, reason);
}

static weft_status need(weft_device *device, place at, weft_array array, weft_type type,
                        i64 least) {
    char wanted[32], given[32], reason[256];
    if (array.type == 0 || (array.length > 0 && !array.buffer && !array.generator))
        return refuse(device, WEFT_E_ARGUMENT, at, "is missing");
    const char *lost = weft_lost_memory(device, array);
    if (lost)
        return refuse(device, WEFT_E_ARGUMENT, at, lost);
    if (array.generator && array.turn && array.turn != weft_lazy_turn(array)) {
        snprintf(
            reason, sizeof reason,
            "is lazy and no longer there: %s lives until the end of the block in which "
            "weft_lazy made it",
            array.generator->function.name);
        return refuse(device, WEFT_E_ARGUMENT, at, reason);
    }
    if (type != 0 && array.type != type) {
        snprintf(reason, sizeof reason, "has elements of %s, not %s",
                 weft_type_name(array.type, given), weft_type_name(type, wanted));
        return refuse(device, WEFT_E_TYPE, at, reason);
    }
    if (array.length < least) {
        snprintf(reason, sizeof reason, "has %lld elements, at least %lld are needed",
                 (long long)array.length, (long long)least);
        return refuse(device, WEFT_E_SHAPE, at, reason);
    }
    return WEFT_OK;
}

static weft_status need_memory(weft_device *device, place at, weft_array array,
                               weft_type type, i64 least, int written, weft_span *span) {
    if (need(device, at, array, type, least) != WEFT_OK)
        return weft_check(device);
    if (array.generator)
        return refuse(device, WEFT_E_ARGUMENT, at, "is lazy, but must lie in memory");
    if (written && array.read_only)
        return refuse(device, WEFT_E_ARGUMENT, at, "is read-only");
    *span = span_of(array);
    return WEFT_OK;
}

/* "weft_scan_inclusive.out" is argument 'out' of weft_scan_inclusive. */
static place split(const char *what, char call[64]) {
    const char *dot = strrchr(what, '.');
    snprintf(call, 64, "%.*s", (int)(dot - what), what);
    return (place){call, NULL, dot + 1};
}

weft_status weft_need_memory(weft_device *device, const char *what, weft_array array,
                             weft_type type, i64 least, weft_span *span) {
    char call[64];
    return need_memory(device, split(what, call), array, type, least, 0, span);
}

weft_status weft_need_output(weft_device *device, const char *what, weft_array array,
                             weft_type type, i64 least, weft_span *span) {
    char call[64];
    return need_memory(device, split(what, call), array, type, least, 1, span);
}

weft_status weft_need_input(weft_device *device, const char *what, weft_array array,
                            weft_type type, i64 least, weft_input *input) {
    char call[64];
    if (need(device, split(what, call), array, type, least) != WEFT_OK)
        return weft_check(device);
    input->span = span_of(array);
    input->generator = array.generator;
    if (!array.generator)
        return WEFT_OK;
    return weft_need_call(device, array.first + array.length, &array.generator->function,
                          array.arguments, &input->call);
}

/* Adds a parameter, or a field of a bundle, to a call. */
static weft_status add_argument(weft_device *device, const weft_parameter *p,
                                const weft_parameter *bundle, const void *given, i64 least,
                                weft_call *call) {
    const place at = {call->function->name, bundle ? bundle->name : NULL, p->name};
    if (call->count == WEFT_MAX_PARAMETERS)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: more than %d values and arrays with those of its bundles",
                         at.call, WEFT_MAX_PARAMETERS);
    weft_argument *a = &call->argument[call->count++];
    *a = (weft_argument){p, bundle, NULL, {0}};
    if (p->role == WEFT_VALUE) {
        a->value = given;
        return WEFT_OK;
    }
    if (p->role == WEFT_BUNDLED)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: '%s' is a bundle in a bundle",
                         at.call, at.name);
    weft_array array;
    memcpy(&array, given, sizeof array);
    if (p->role == WEFT_OPTIONAL && array.type == 0)
        return WEFT_OK;
    return need_memory(device, at, array, p->type, least, weft_is_written(p->role),
                       &a->span);
}

weft_status weft_need_call(weft_device *device, i64 n, const weft_function *function,
                           const void *arguments, weft_call *call) {
    i64 least[WEFT_MAX_PARAMETERS], field_least[WEFT_MAX_PARAMETERS];
    if (n < 0)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: n is %lld", function->name,
                         (long long)n);
    call->function = function;
    call->count = 0;
    function->least(n, least);
    for (i32 k = 0; k < function->count; k++) {
        const weft_parameter *p = &function->parameters[k];
        const char *given = (const char *)arguments + p->offset;
        if (p->bundle)
            p->bundle->least(n, field_least);
        for (i32 m = 0; p->bundle && m < p->bundle->count; m++) {
            const weft_parameter *field = &p->bundle->fields[m];
            if (add_argument(device, field, p, given + field->offset, field_least[m],
                             call) != WEFT_OK)
                return weft_check(device);
        }
        if (!p->bundle && add_argument(device, p, NULL, given, least[k], call) != WEFT_OK)
            return weft_check(device);
    }
    return WEFT_OK;
}

void *weft_address(weft_device *device, weft_array array) {
    weft_span span = {0};
    if (weft_check(device) != WEFT_OK ||
        weft_need_memory(device, "weft_address.array", array, 0, 0, &span) != WEFT_OK ||
        !span.memory)
        return NULL;
    if (!device->backend->in_host_memory) {
        weft_fail(device, WEFT_E_BACKEND,
                  "weft_address: arrays of backend '%s' do not lie in memory of the host",
                  device->backend->name);
        return NULL;
    }
    return (char *)span.memory + (size_t)span.first * WEFT_SIZE(span.type);
}

weft_array weft_slice(weft_device *device, weft_array array, i64 first, i64 length) {
    weft_span span = {0};
    if (weft_check(device) != WEFT_OK ||
        weft_need_memory(device, "weft_slice.array", array, 0, 0, &span) != WEFT_OK)
        return weft_lost_array(array.type, length);
    if (first < 0 || length < 0 || first > array.length - length) {
        weft_fail(device, WEFT_E_SHAPE,
                  "weft_slice: %lld elements from %lld on are not inside an array of %lld",
                  (long long)length, (long long)first, (long long)array.length);
        return weft_lost_array(array.type, length);
    }
    array.first += first;
    array.length = length;
    return array;
}

weft_array weft_as(weft_device *device, weft_array array, weft_type type) {
    weft_span span = {0};
    const u64 from = WEFT_SIZE(array.type), to = WEFT_SIZE(type);
    const u64 first = (u64)array.first * from, bytes = (u64)array.length * from;
    const weft_array lost = weft_lost_array(type, to ? (i64)(bytes / to) : 0);
    if (weft_check(device) != WEFT_OK ||
        weft_need_memory(device, "weft_as.array", array, 0, 0, &span) != WEFT_OK)
        return lost;
    if (to == 0 || first % to || bytes % to) {
        weft_fail(device, WEFT_E_TYPE,
                  "weft_as: %llu bytes from byte %llu on are not elements of %llu bytes",
                  (unsigned long long)bytes, (unsigned long long)first,
                  (unsigned long long)to);
        return lost;
    }
    array.first = (i64)(first / to);
    array.length = (i64)(bytes / to);
    array.type = type;
    return array;
}

/* A backend's copy between the memory of an array and the host's. */
typedef weft_status write_work(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes);
typedef weft_status read_work(weft_device *device, void *memory, size_t offset, void *host,
                              size_t bytes);

static weft_status write_by(weft_device *device, write_work *work, const char *what,
                            weft_array array, const void *host) {
    weft_span span = {0};
    if (weft_check(device) != WEFT_OK ||
        weft_need_output(device, what, array, 0, 0, &span) != WEFT_OK || array.length == 0)
        return weft_check(device);
    if (!host)
        return weft_fail(device, WEFT_E_ARGUMENT, "%.*s: 'host' is NULL",
                         (int)strcspn(what, "."), what);
    const size_t size = WEFT_SIZE(array.type);
    return work(device, span.memory, (size_t)span.first * size, host,
                (size_t)span.length * size);
}

static weft_status read_by(weft_device *device, read_work *work, const char *what,
                           weft_array array, void *host) {
    weft_span span = {0};
    const size_t bytes = (size_t)array.length * WEFT_SIZE(array.type);
    if (weft_check(device) == WEFT_OK && !host && bytes)
        weft_fail(device, WEFT_E_ARGUMENT, "%.*s: 'host' is NULL", (int)strcspn(what, "."),
                  what);
    if (weft_check(device) == WEFT_OK &&
        weft_need_memory(device, what, array, 0, 0, &span) == WEFT_OK && bytes)
        work(device, span.memory, (size_t)span.first * WEFT_SIZE(array.type), host, bytes);
    if (weft_check(device) != WEFT_OK && host && bytes)
        memset(host, 0, bytes);
    return weft_check(device);
}

static const weft_backend *backend_of(const weft_device *device) {
    static const weft_backend none = {0};
    return device && device->backend ? device->backend : &none;
}

weft_status(weft_write)(weft_device *device, weft_array array, const void *host) {
    return write_by(device, backend_of(device)->write, "weft_write.array", array, host);
}

weft_status(weft_read)(weft_device *device, weft_array array, void *host) {
    return read_by(device, backend_of(device)->read, "weft_read.array", array, host);
}

weft_status weft_write_later(weft_device *device, weft_array array, const void *host) {
    const weft_backend *b = backend_of(device);
    return write_by(device, b->write_later ? b->write_later : b->write,
                    "weft_write_later.array", array, host);
}

weft_status weft_read_later(weft_device *device, weft_array array, void *host) {
    const weft_backend *b = backend_of(device);
    return read_by(device, b->read_later ? b->read_later : b->read, "weft_read_later.array",
                   array, host);
}
