/* Arrays, scratch in scopes, and memory of the caller's. */
#include "pool.h"

/* Why the memory of an array cannot be used; NULL: it can. */
const char *weft_lost_memory(const weft_device *device, weft_array array) {
    const weft_buffer *buffer = array.buffer;
    if (!buffer)
        return NULL;
    if (!buffer->pool)
        return "is of a device that was closed";
    if (buffer->pool->family != device->pool->family)
        return "belongs to another device";
    if (pool_turn(buffer) == array.turn)
        return NULL;
    switch (array.turn & 3) {
    case BUFFER_SCRATCH:
        return "is scratch of a scope that is closed";
    case BUFFER_BORROWED:
        return "was given back by weft_return";
    default:
        return "was freed by weft_array_free";
    }
}

weft_array weft_lost_array(weft_type type, i64 length) {
    const size_t size = WEFT_SIZE(type);
    if (length < 0 || size == 0 || (u64)length > SIZE_MAX / size)
        return (weft_array){0};
    return (weft_array){.length = length, .type = type};
}

weft_status weft_need_type(weft_device *device, weft_type type) {
    static const weft_type numbers[] = {WEFT_I8,  WEFT_U8,  WEFT_I16, WEFT_U16, WEFT_I32,
                                        WEFT_U32, WEFT_I64, WEFT_U64, WEFT_F32, WEFT_F64};
    int is_type = type > WEFT_STRUCTS && type >> 24 == WEFT_STRUCTS >> 24;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        is_type |= type == numbers[k];
    if (!is_type)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%u is no type of elements, which are WEFT_I8 to WEFT_F64 and "
                  "WEFT_STRUCT(T)",
                  (unsigned)type);
    return weft_check(device);
}

static weft_array new_array(weft_device *device, weft_type type, i64 length,
                            buffer_kind kind) {
    weft_array array = weft_lost_array(type, length);
    if (weft_check(device) != WEFT_OK || weft_need_type(device, type) != WEFT_OK)
        return array;
    const size_t size = WEFT_SIZE(type);
    if (!array.type) {
        weft_fail(device, WEFT_E_ARGUMENT,
                  "an array cannot have %lld elements of %zu bytes", (long long)length,
                  size);
        return array;
    }
    if (length > 0)
        array.buffer = pool_take(device, (size_t)length * size, kind);
    if (array.buffer)
        array.turn = pool_turn(array.buffer) & 0x7fffffff;
    return array;
}

weft_array weft_array_new(weft_device *device, weft_type type, i64 length) {
    return new_array(device, type, length, BUFFER_ARRAY);
}

/* Whether an array names memory of that kind; an error where it did once. */
static int names(weft_device *device, const char *call, weft_array array,
                 buffer_kind kind) {
    if (!device || !array.buffer || (array.turn & 3) != (u32)kind)
        return 0;
    const char *reason = weft_lost_memory(device, array);
    if (!reason && array.buffer->pool != device->pool)
        reason = "belongs to another queue of the device";
    if (reason)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: array 'array' %s", call, reason);
    return !reason;
}

void weft_array_free(weft_device *device, weft_array array) {
    if (names(device, "weft_array_free", array, BUFFER_ARRAY))
        pool_put_back(device->pool, array.buffer);
}

weft_array weft_scratch(weft_device *device, weft_type type, i64 length) {
    if (weft_check(device) == WEFT_OK && device->pool->scopes == 0)
        weft_fail(device, WEFT_E_ARGUMENT, "scratch was asked for while no scope is open");
    return new_array(device, type, length, BUFFER_SCRATCH);
}

void weft_scope_open(weft_device *device) {
    if (device)
        device->pool->scopes++;
}

void weft_scope_close(weft_device *device) {
    if (!device)
        return;
    if (device->pool->scopes > 0)
        pool_end_scope(device->pool);
    else
        weft_fail(device, WEFT_E_ARGUMENT, "a scope was closed while none is open");
}

static weft_array borrow(weft_device *device, weft_type type, void *host, i64 length,
                         u32 read_only) {
    weft_array array = weft_lost_array(type, length);
    if (weft_check(device) != WEFT_OK || weft_need_type(device, type) != WEFT_OK)
        return array;
    const size_t size = WEFT_SIZE(type);
    if (!array.type || (length > 0 && !host)) {
        weft_fail(device, WEFT_E_ARGUMENT, "cannot borrow %lld elements of %zu bytes%s",
                  (long long)length, size, host ? "" : " at NULL");
        return array;
    }
    if (length > 0 && type < WEFT_STRUCTS && (uintptr_t)host % size != 0) {
        weft_fail(
            device, WEFT_E_ARGUMENT,
            "cannot borrow elements of %zu bytes at an address that is no multiple of "
            "%zu",
            size, size);
        return array;
    }
    if (length > 0) {
        const size_t bytes = (size_t)length * size;
        array.buffer = pool_lend(device, host, bytes, read_only);
        if (!array.buffer) {
            weft_fail(device, WEFT_E_MEMORY, "out of memory: %zu bytes to borrow", bytes);
            return array;
        }
        array.turn = pool_turn(array.buffer) & 0x7fffffff;
    }
    array.read_only = read_only & 1;
    return array;
}

weft_array(weft_borrow)(weft_device *device, weft_type type, void *host, i64 length) {
    return borrow(device, type, host, length, 0);
}

weft_array(weft_borrow_const)(weft_device *device, weft_type type, const void *host,
                              i64 length) {
    union {
        const void *read;
        void *write;
    } cast = {host};
    return borrow(device, type, cast.write, length, 1);
}

weft_array weft_lend(weft_device *device, weft_type type, void *memory, i64 first,
                     i64 length, int read_only) {
    weft_array array = {.first = first, .length = length, .type = type};
    const size_t bytes = (size_t)length * WEFT_SIZE(type);
    array.buffer = pool_lend_memory(device, memory, bytes);
    if (!array.buffer) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %zu bytes to borrow", bytes);
        return weft_lost_array(type, length);
    }
    array.turn = pool_turn(array.buffer) & 0x7fffffff;
    array.read_only = read_only != 0;
    return array;
}

weft_status weft_return(weft_device *device, weft_array array) {
    if (names(device, "weft_return", array, BUFFER_BORROWED))
        pool_give_back(device, array.buffer);
    return weft_check(device);
}

weft_memory weft_memory_use(const weft_device *device) {
    return device ? device->pool->use : (weft_memory){0};
}

void weft_memory_reset_peak(weft_device *device) {
    if (device)
        device->pool->use.peak = device->pool->use.used;
}

void weft_memory_trim(weft_device *device) {
    if (!device || !device->backend)
        return;
    device->backend->synchronize(device);
    pool_trim(device);
}

void *weft_buffer_memory(const struct weft_buffer *buffer) {
    return buffer->memory;
}
