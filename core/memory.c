/* Arrays, scopes, and the pool that their memory comes from. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

typedef enum buffer_kind {
    BUFFER_FREE,
    BUFFER_ARRAY,
    BUFFER_SCRATCH,
    BUFFER_BORROWED
} buffer_kind;

typedef struct weft_buffer {
    void *memory;
    size_t bytes;
    buffer_kind kind;
    i64 scope; /* of scratch: how many scopes were open */
    void *host;
    u32 read_only;
    struct weft_buffer *next;
} weft_buffer;

struct weft_pool {
    weft_buffer *buffers;
    i64 scopes;
    weft_memory use;
};

weft_pool *weft_pool_new(void) {
    return calloc(1, sizeof(weft_pool));
}

static void account(weft_pool *pool, size_t bytes) {
    pool->use.used += bytes;
    if (pool->use.used > pool->use.peak)
        pool->use.peak = pool->use.used;
}

/* Frees what nobody uses, or everything. */
static void trim(weft_device *device, int everything) {
    weft_buffer **link = &device->pool->buffers;
    while (*link) {
        weft_buffer *buffer = *link;
        if (buffer->kind != BUFFER_FREE && !everything) {
            link = &buffer->next;
            continue;
        }
        *link = buffer->next;
        if (buffer->kind == BUFFER_BORROWED) {
            device->backend->give_back(device, buffer->memory, buffer->host, buffer->bytes,
                                       (int)buffer->read_only);
        } else {
            device->backend->release(device, buffer->memory);
            device->pool->use.held -= buffer->bytes;
        }
        free(buffer);
    }
}

void weft_pool_free(weft_device *device) {
    trim(device, 1);
    free(device->pool);
}

/* The smallest free buffer that holds `bytes` and wastes little; NULL where there is none.
 */
static weft_buffer *reuse(weft_pool *pool, size_t bytes) {
    weft_buffer *best = NULL;
    for (weft_buffer *b = pool->buffers; b; b = b->next)
        if (b->kind == BUFFER_FREE && b->bytes >= bytes &&
            b->bytes / 8 * 7 <= bytes + 4096 && (!best || b->bytes < best->bytes))
            best = b;
    return best;
}

static weft_buffer *take(weft_device *device, size_t bytes) {
    weft_pool *pool = device->pool;
    const size_t grain = bytes < 65536 ? 256 : 4096;
    const size_t rounded = (bytes + grain - 1) / grain * grain;
    weft_buffer *buffer = rounded >= bytes ? reuse(pool, rounded) : NULL;
    if (buffer) {
        account(pool, buffer->bytes);
        return buffer;
    }
    buffer = calloc(1, sizeof *buffer);
    void *memory =
        buffer && rounded >= bytes ? device->backend->allocate(device, rounded) : NULL;
    if (!memory && buffer && rounded >= bytes) {
        device->backend->synchronize(device);
        trim(device, 0);
        memory = device->backend->allocate(device, rounded);
    }
    if (!memory) {
        free(buffer);
        weft_fail(device, WEFT_E_MEMORY,
                  "out of memory: %zu bytes were asked for, %zu are in use", bytes,
                  (size_t)pool->use.used);
        return NULL;
    }
    buffer->memory = memory;
    buffer->bytes = rounded;
    buffer->next = pool->buffers;
    pool->buffers = buffer;
    pool->use.held += rounded;
    account(pool, rounded);
    return buffer;
}

static void put_back(weft_pool *pool, weft_buffer *buffer) {
    buffer->kind = BUFFER_FREE;
    pool->use.used -= buffer->bytes;
}

static weft_array new_array(weft_device *device, weft_type type, i64 length,
                            buffer_kind kind) {
    weft_array array = weft_lost_array(type, length);
    if (weft_check(device) != WEFT_OK)
        return array;
    const size_t size = WEFT_SIZE(type);
    if (!array.type) {
        weft_fail(device, WEFT_E_ARGUMENT,
                  "an array cannot have %lld elements of %zu bytes", (long long)length,
                  size);
        return array;
    }
    if (length > 0) {
        array.buffer = take(device, (size_t)length * size);
        if (!array.buffer)
            return array;
        array.buffer->kind = kind;
        array.buffer->scope = device->pool->scopes;
    }
    return array;
}

weft_array weft_array_new(weft_device *device, weft_type type, i64 length) {
    return new_array(device, type, length, BUFFER_ARRAY);
}

void weft_array_free(weft_device *device, weft_array array) {
    if (device && array.buffer && array.buffer->kind == BUFFER_ARRAY)
        put_back(device->pool, array.buffer);
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
    if (!device || device->pool->scopes == 0)
        return;
    for (weft_buffer *b = device->pool->buffers; b; b = b->next)
        if (b->kind == BUFFER_SCRATCH && b->scope == device->pool->scopes)
            put_back(device->pool, b);
    device->pool->scopes--;
}

static weft_array borrow(weft_device *device, weft_type type, void *host, i64 length,
                         u32 read_only) {
    weft_array array = weft_lost_array(type, length);
    if (weft_check(device) != WEFT_OK)
        return array;
    const size_t size = WEFT_SIZE(type);
    if (!array.type || (length > 0 && !host)) {
        weft_fail(device, WEFT_E_ARGUMENT, "cannot borrow %lld elements of %zu bytes%s",
                  (long long)length, size, host ? "" : " at NULL");
        return array;
    }
    if (length > 0) {
        const size_t bytes = (size_t)length * size;
        weft_buffer *buffer = calloc(1, sizeof *buffer);
        void *memory =
            buffer ? device->backend->borrow(device, host, bytes, (int)read_only) : NULL;
        if (!memory) {
            free(buffer);
            weft_fail(device, WEFT_E_MEMORY, "out of memory: %zu bytes to borrow", bytes);
            return array;
        }
        *buffer = (weft_buffer){memory, bytes,     BUFFER_BORROWED,      0,
                                host,   read_only, device->pool->buffers};
        device->pool->buffers = buffer;
        array.buffer = buffer;
    }
    array.read_only = read_only;
    return array;
}

weft_array weft_borrow(weft_device *device, weft_type type, void *host, i64 length) {
    return borrow(device, type, host, length, 0);
}

weft_array weft_borrow_const(weft_device *device, weft_type type, const void *host,
                             i64 length) {
    union {
        const void *read;
        void *write;
    } cast = {host};
    return borrow(device, type, cast.write, length, 1);
}

weft_status weft_return(weft_device *device, weft_array array) {
    if (!device || !array.buffer || array.buffer->kind != BUFFER_BORROWED)
        return weft_check(device);
    weft_buffer **link = &device->pool->buffers;
    while (*link != array.buffer)
        link = &(*link)->next;
    weft_buffer *buffer = *link;
    *link = buffer->next;
    device->backend->give_back(device, buffer->memory, buffer->host, buffer->bytes,
                               (int)buffer->read_only);
    free(buffer);
    return device->status;
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
    trim(device, 0);
}

void *weft_buffer_memory(const struct weft_buffer *buffer) {
    return buffer->memory;
}
