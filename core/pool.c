/* The pool that memory of arrays comes from. */
#include "pool.h"

#include <stdlib.h>

weft_pool *weft_pool_new(void) {
    return calloc(1, sizeof(weft_pool));
}

u32 pool_turn(const weft_buffer *buffer) {
    return (buffer->uses << 2 | (u32)buffer->kind) & 0x7fffffff;
}

static void account(weft_pool *pool, size_t bytes) {
    pool->use.used += bytes;
    if (pool->use.used > pool->use.peak)
        pool->use.peak = pool->use.used;
}

/* Takes a buffer with memory out of the list and releases its memory. */
static void release(weft_device *device, weft_buffer **link) {
    weft_buffer *buffer = *link;
    *link = buffer->next;
    if (buffer->kind == BUFFER_BORROWED) {
        device->backend->give_back(device, buffer->memory, buffer->host, buffer->bytes,
                                   (int)buffer->read_only);
    } else {
        device->backend->release(device, buffer->memory, buffer->bytes);
        device->pool->use.held -= buffer->bytes;
    }
    buffer->kind = BUFFER_FREE;
    buffer->next = device->pool->spare;
    device->pool->spare = buffer;
}

void pool_trim(weft_device *device) {
    for (weft_buffer **link = &device->pool->buffers; *link;)
        if ((*link)->kind == BUFFER_FREE)
            release(device, link);
        else
            link = &(*link)->next;
}

void weft_pool_free(weft_device *device) {
    weft_pool *pool = device->pool;
    while (pool->buffers)
        release(device, &pool->buffers);
    while (pool->spare) {
        weft_buffer *buffer = pool->spare;
        pool->spare = buffer->next;
        free(buffer);
    }
    free(pool);
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

static weft_buffer *begin_use(weft_buffer *buffer, buffer_kind kind, i64 scope) {
    buffer->kind = kind;
    buffer->scope = scope;
    buffer->uses++;
    return buffer;
}

/* A handle that is in no list. */
static weft_buffer *new_handle(weft_pool *pool) {
    weft_buffer *buffer = pool->spare;
    if (buffer)
        pool->spare = buffer->next;
    else
        buffer = calloc(1, sizeof *buffer);
    if (buffer)
        buffer->pool = pool;
    return buffer;
}

static weft_buffer *add(weft_pool *pool, weft_buffer *buffer, void *memory, size_t bytes) {
    buffer->next = memory ? pool->buffers : pool->spare;
    *(memory ? &pool->buffers : &pool->spare) = buffer;
    buffer->memory = memory;
    buffer->bytes = bytes;
    return memory ? buffer : NULL;
}

static weft_buffer *allocate(weft_device *device, size_t bytes) {
    weft_pool *pool = device->pool;
    weft_buffer *buffer = new_handle(pool);
    if (!buffer)
        return NULL;
    void *memory = device->backend->allocate(device, bytes);
    if (!memory) {
        device->backend->synchronize(device);
        pool_trim(device);
        memory = device->backend->allocate(device, bytes);
    }
    return add(pool, buffer, memory, bytes);
}

weft_buffer *pool_take(weft_device *device, size_t bytes, buffer_kind kind) {
    weft_pool *pool = device->pool;
    const size_t grain = bytes < 65536 ? 256 : 4096;
    const size_t rounded = (bytes + grain - 1) / grain * grain;
    weft_buffer *buffer = rounded >= bytes ? reuse(pool, rounded) : NULL;
    if (!buffer && rounded >= bytes) {
        buffer = allocate(device, rounded);
        pool->use.held += buffer ? rounded : 0;
    }
    if (!buffer) {
        weft_fail(device, WEFT_E_MEMORY,
                  "out of memory: %zu bytes were asked for, %zu are in use", bytes,
                  (size_t)pool->use.used);
        return NULL;
    }
    account(pool, buffer->bytes);
    return begin_use(buffer, kind, pool->scopes);
}

void pool_put_back(weft_pool *pool, weft_buffer *buffer) {
    buffer->kind = BUFFER_FREE;
    pool->use.used -= buffer->bytes;
}

weft_buffer *pool_lend(weft_device *device, void *host, size_t bytes, u32 read_only) {
    weft_pool *pool = device->pool;
    weft_buffer *buffer = new_handle(pool);
    if (!buffer)
        return NULL;
    void *memory = device->backend->borrow(device, host, bytes, (int)read_only);
    if (!add(pool, buffer, memory, bytes))
        return NULL;
    buffer->host = host;
    buffer->read_only = read_only;
    return begin_use(buffer, BUFFER_BORROWED, 0);
}

weft_buffer *pool_lend_memory(weft_device *device, void *memory, size_t bytes) {
    weft_buffer *buffer = new_handle(device->pool);
    if (!buffer)
        return NULL;
    buffer->host = NULL;
    buffer->read_only = 0;
    return begin_use(add(device->pool, buffer, memory, bytes), BUFFER_BORROWED, 0);
}

void pool_give_back(weft_device *device, weft_buffer *buffer) {
    weft_buffer **link = &device->pool->buffers;
    while (*link != buffer)
        link = &(*link)->next;
    release(device, link);
}
