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

static weft_status need(weft_device *device, const char *what, const char *name,
                        weft_array array, weft_type type, i64 least) {
    char wanted[32], given[32];
    if (array.type == 0 || (array.length > 0 && !array.buffer && !array.generator))
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: array '%s' is missing", what, name);
    if (type != 0 && array.type != type)
        return weft_fail(device, WEFT_E_TYPE, "%s: array '%s' has elements of %s, not %s",
                         what, name, weft_type_name(array.type, given),
                         weft_type_name(type, wanted));
    if (array.length < least)
        return weft_fail(device, WEFT_E_SHAPE,
                         "%s: array '%s' has %lld elements, at least %lld are needed", what,
                         name, (long long)array.length, (long long)least);
    return WEFT_OK;
}

static weft_status need_memory(weft_device *device, const char *what, const char *name,
                               weft_array array, weft_type type, i64 least, int written,
                               weft_span *span) {
    if (need(device, what, name, array, type, least) != WEFT_OK)
        return weft_check(device);
    if (array.generator)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: array '%s' is lazy, but must lie in memory", what, name);
    if (written && array.read_only)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: array '%s' is read-only", what,
                         name);
    *span = span_of(array);
    return WEFT_OK;
}

/* "weft_scan_inclusive.out" is argument 'out' of weft_scan_inclusive. */
static const char *split(const char *what, char call[64]) {
    const char *dot = strrchr(what, '.');
    snprintf(call, 64, "%.*s", (int)(dot - what), what);
    return dot + 1;
}

weft_status weft_need_memory(weft_device *device, const char *what, weft_array array,
                             weft_type type, i64 least, weft_span *span) {
    char call[64];
    const char *name = split(what, call);
    return need_memory(device, call, name, array, type, least, 0, span);
}

weft_status weft_need_output(weft_device *device, const char *what, weft_array array,
                             weft_type type, i64 least, weft_span *span) {
    char call[64];
    const char *name = split(what, call);
    return need_memory(device, call, name, array, type, least, 1, span);
}

weft_status weft_need_input(weft_device *device, const char *what, weft_array array,
                            weft_type type, i64 least, weft_input *input) {
    char call[64];
    const char *name = split(what, call);
    if (need(device, call, name, array, type, least) != WEFT_OK)
        return weft_check(device);
    input->span = span_of(array);
    input->generator = array.generator;
    if (!array.generator)
        return WEFT_OK;
    return weft_need_call(device, array.first + array.length, &array.generator->function,
                          array.arguments, &input->call);
}

weft_status weft_need_call(weft_device *device, i64 n, const weft_function *function,
                           const void *arguments, weft_call *call) {
    i64 least[WEFT_MAX_PARAMETERS];
    if (n < 0)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: n is %lld", function->name,
                         (long long)n);
    call->function = function;
    function->least(n, least);
    for (i32 k = 0; k < function->count; k++) {
        const weft_parameter *p = &function->parameters[k];
        const void *given = (const char *)arguments + p->offset;
        if (p->role == WEFT_VALUE) {
            call->argument[k] = (weft_argument){.value = given};
            continue;
        }
        weft_array array;
        memcpy(&array, given, sizeof array);
        call->argument[k].value = NULL;
        if (need_memory(device, function->name, p->name, array, p->type, least[k],
                        p->role != WEFT_IN, &call->argument[k].span) != WEFT_OK)
            return weft_check(device);
    }
    return WEFT_OK;
}

weft_array weft_lost_array(weft_type type, i64 length) {
    const size_t size = WEFT_SIZE(type);
    if (length < 0 || size == 0 || (u64)length > SIZE_MAX / size)
        return (weft_array){0};
    return (weft_array){.length = length, .type = type};
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

weft_status weft_write(weft_device *device, weft_array array, const void *host) {
    weft_span span = {0};
    if (weft_check(device) != WEFT_OK ||
        weft_need_output(device, "weft_write.array", array, 0, 0, &span) != WEFT_OK ||
        array.length == 0)
        return weft_check(device);
    if (!host)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_write: 'host' is NULL");
    const size_t size = WEFT_SIZE(array.type);
    return device->backend->write(device, span.memory, (size_t)span.first * size, host,
                                  (size_t)span.length * size);
}

weft_status weft_read(weft_device *device, weft_array array, void *host) {
    weft_span span = {0};
    const size_t bytes = (size_t)array.length * WEFT_SIZE(array.type);
    if (weft_check(device) == WEFT_OK && !host && bytes)
        weft_fail(device, WEFT_E_ARGUMENT, "weft_read: 'host' is NULL");
    if (weft_check(device) == WEFT_OK &&
        weft_need_memory(device, "weft_read.array", array, 0, 0, &span) == WEFT_OK && bytes)
        device->backend->read(device, span.memory,
                              (size_t)span.first * WEFT_SIZE(array.type), host, bytes);
    if (weft_check(device) != WEFT_OK && host && bytes)
        memset(host, 0, bytes);
    return weft_check(device);
}
