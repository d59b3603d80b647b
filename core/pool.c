/* The pool that memory of arrays comes from. */
#include "pool.h"

#include <stdlib.h>

/* Memory is divided for arrays of so many bytes and more, in units of a page. On
 * devices with memory of their own allocations are dear, and so many bytes are little. */
enum { LEAST_DIVIDED = 65536, LEAST_PART = 4096, LITTLE = 131072 };

/* What is divided is asked for by an eighth of what the pool holds, up to so many bytes:
 * arrays that are a little longer each time find room in what others gave back. */
enum { MOST_PIECE = 1 << 20 };

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

/* Puts a buffer behind another, NULL: before all. */
static void put_in(weft_pool *pool, weft_buffer *buffer, weft_buffer *behind) {
    weft_buffer *next = behind ? behind->next : pool->buffers;
    *(behind ? &behind->next : &pool->buffers) = buffer;
    *(next ? &next->before : &pool->last) = buffer;
    buffer->before = behind;
    buffer->next = next;
}

/* Takes a buffer out of the list; its handle can name other memory. */
static void take_out(weft_pool *pool, weft_buffer *buffer) {
    *(buffer->before ? &buffer->before->next : &pool->buffers) = buffer->next;
    *(buffer->next ? &buffer->next->before : &pool->last) = buffer->before;
    buffer->kind = BUFFER_FREE;
    handle_spare(pool, buffer);
}

/* Takes a buffer with memory out of the list and releases its memory. */
static void release(weft_device *device, weft_buffer *buffer) {
    if (buffer->kind == BUFFER_BORROWED) {
        device->backend->give_back(device, buffer->memory, buffer->host, buffer->bytes,
                                   (int)buffer->read_only);
    } else {
        device->backend->release(device, buffer->memory, buffer->bytes);
        device->pool->use.held -= buffer->bytes;
    }
    take_out(device->pool, buffer);
}

static int is_free_part(const weft_buffer *buffer) {
    return buffer && buffer->whole == 0 && buffer->kind == BUFFER_FREE;
}

/* A free buffer and the free part behind it become one. */
static void join(weft_pool *pool, weft_buffer *buffer) {
    if (!is_free_part(buffer->next))
        return;
    buffer->bytes += buffer->next->bytes;
    take_out(pool, buffer->next);
}

void pool_put_back(weft_pool *pool, weft_buffer *buffer) {
    pool->use.used -= buffer->bytes;
    buffer->kind = BUFFER_FREE;
    join(pool, buffer);
    if (buffer->whole == 0 && buffer->before->kind == BUFFER_FREE)
        join(pool, buffer->before);
}

void pool_end_scope(weft_pool *pool) {
    while (pool->scratch && pool->scratch->scope == pool->scopes) {
        weft_buffer *buffer = pool->scratch;
        pool->scratch = buffer->below;
        pool_put_back(pool, buffer);
    }
    pool->scopes--;
}

void pool_trim(weft_device *device) {
    weft_buffer *next = NULL;
    for (weft_buffer *b = device->pool->buffers; b; b = next) {
        next = b->next;
        if (b->kind == BUFFER_FREE && b->bytes == b->whole)
            release(device, b);
    }
}

/* Scratch ends with the scopes, arrays as if they were freed. */
void weft_pool_free(weft_device *device) {
    weft_pool *pool = device->pool;
    while (pool->scopes > 0)
        pool_end_scope(pool);
    weft_buffer *before = NULL;
    for (weft_buffer *b = pool->last; b; b = before) {
        before = b->before;
        if (b->kind == BUFFER_ARRAY)
            pool_put_back(pool, b);
    }
    while (pool->buffers)
        release(device, pool->buffers);
    handles_retire(pool);
    free(pool);
}

static weft_buffer *begin_use(weft_pool *pool, weft_buffer *buffer, buffer_kind kind) {
    buffer->kind = kind;
    buffer->uses++;
    if (kind == BUFFER_SCRATCH) {
        buffer->scope = pool->scopes;
        buffer->below = pool->scratch;
        pool->scratch = buffer;
    }
    return buffer;
}

/* A handle of memory, if there is some, behind all others. */
static weft_buffer *add(weft_pool *pool, weft_buffer *buffer, void *memory, size_t bytes) {
    if (!memory) {
        handle_spare(pool, buffer);
        return NULL;
    }
    put_in(pool, buffer, pool->last);
    buffer->memory = memory;
    buffer->bytes = buffer->whole = bytes;
    return buffer;
}

/* What is left of a free buffer behind its first `bytes` becomes one for itself. */
static void divide(weft_pool *pool, weft_buffer *buffer, size_t bytes) {
    weft_buffer *rest = handle_new(pool);
    if (!rest)
        return;
    rest->kind = BUFFER_FREE;
    rest->memory = (char *)buffer->memory + bytes;
    rest->bytes = buffer->bytes - bytes;
    rest->whole = 0;
    put_in(pool, rest, buffer);
    buffer->bytes = bytes;
}

static int wastes_little(const weft_buffer *buffer, size_t bytes, size_t little) {
    return buffer->bytes / 8 * 7 <= bytes + little;
}

static int divides(const weft_device *device, size_t bytes) {
    return device->backend->in_parts && bytes >= LEAST_DIVIDED;
}

/* The oldest free buffer that holds `bytes`, or a part of it; NULL where there is none that
 * can be divided or wastes little. A second run of some step finds the older ones as the
 * first did, and what that allocated behind them: it allocates nothing. */
static weft_buffer *reuse(weft_device *device, size_t bytes) {
    weft_pool *pool = device->pool;
    const size_t little = device->backend->in_host_memory ? LEAST_PART : LITTLE;
    weft_buffer *b = pool->buffers;
    while (b && (b->kind != BUFFER_FREE || b->bytes < bytes ||
                 !(divides(device, bytes) || wastes_little(b, bytes, little))))
        b = b->next;
    return b;
}

static size_t piece_for(const weft_device *device, size_t bytes) {
    const size_t eighth = (size_t)device->pool->use.held / 8 / LEAST_PART * LEAST_PART;
    const size_t piece = eighth < MOST_PIECE ? eighth : MOST_PIECE;
    return divides(device, bytes) && bytes < piece ? piece : bytes;
}

static weft_buffer *allocate(weft_device *device, size_t bytes) {
    weft_pool *pool = device->pool;
    weft_buffer *buffer = handle_new(pool);
    if (!buffer)
        return NULL;
    size_t piece = piece_for(device, bytes);
    void *memory = device->backend->allocate(device, piece);
    if (!memory) {
        device->backend->synchronize(device);
        pool_trim(device);
        piece = bytes;
        memory = device->backend->allocate(device, piece);
    }
    pool->use.held += memory ? piece : 0;
    return add(pool, buffer, memory, piece);
}

weft_buffer *pool_take(weft_device *device, size_t bytes, buffer_kind kind) {
    weft_pool *pool = device->pool;
    const size_t grain = bytes < LEAST_DIVIDED ? 256 : LEAST_PART;
    const size_t rounded = (bytes + grain - 1) / grain * grain;
    weft_buffer *buffer = rounded >= bytes ? reuse(device, rounded) : NULL;
    if (!buffer && rounded >= bytes)
        buffer = allocate(device, rounded);
    if (!buffer) {
        weft_fail(device, WEFT_E_MEMORY,
                  "out of memory: %zu bytes were asked for, %zu are in use", bytes,
                  (size_t)pool->use.used);
        return NULL;
    }
    if (divides(device, rounded) && buffer->bytes - rounded >= LEAST_PART)
        divide(pool, buffer, rounded);
    account(pool, buffer->bytes);
    return begin_use(pool, buffer, kind);
}

weft_buffer *pool_lend(weft_device *device, void *host, size_t bytes, u32 read_only) {
    weft_pool *pool = device->pool;
    weft_buffer *buffer = handle_new(pool);
    if (!buffer)
        return NULL;
    void *memory = device->backend->borrow(device, host, bytes, (int)read_only);
    if (!memory && weft_check(device) == WEFT_OK) {
        device->backend->synchronize(device);
        pool_trim(device);
        memory = device->backend->borrow(device, host, bytes, (int)read_only);
    }
    if (!add(pool, buffer, memory, bytes))
        return NULL;
    buffer->host = host;
    buffer->read_only = read_only;
    return begin_use(pool, buffer, BUFFER_BORROWED);
}

weft_buffer *pool_lend_memory(weft_device *device, void *memory, size_t bytes) {
    weft_pool *pool = device->pool;
    weft_buffer *buffer = handle_new(pool);
    if (!buffer)
        return NULL;
    buffer->host = NULL;
    buffer->read_only = 0;
    return begin_use(pool, add(pool, buffer, memory, bytes), BUFFER_BORROWED);
}

void pool_give_back(weft_device *device, weft_buffer *buffer) {
    release(device, buffer);
}
