/* Handles of memory, those that name none. */
#include "pool.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Handles of devices that were closed. They serve later devices, and are never freed, so
 * that arrays that outlive their device are found out, too. */
static weft_buffer *retired;
static atomic_flag retired_in_use = ATOMIC_FLAG_INIT;

static void lock_retired(void) {
    while (atomic_flag_test_and_set_explicit(&retired_in_use, memory_order_acquire))
        ;
}

static void unlock_retired(void) {
    atomic_flag_clear_explicit(&retired_in_use, memory_order_release);
}

void handles_retire(weft_pool *pool) {
    weft_buffer *const buffers = pool->spare, *last = buffers;
    for (weft_buffer *b = buffers; b; b = b->next) {
        b->pool = NULL;
        last = b;
    }
    pool->spare = NULL;
    if (!last)
        return;
    lock_retired();
    last->next = retired;
    retired = buffers;
    unlock_retired();
}

static weft_buffer *take_retired(void) {
    lock_retired();
    weft_buffer *buffer = retired;
    if (buffer)
        retired = buffer->next;
    unlock_retired();
    return buffer;
}

weft_buffer *handle_new(weft_pool *pool) {
    weft_buffer *buffer = pool->spare;
    if (buffer)
        pool->spare = buffer->next;
    else
        buffer = take_retired();
    if (!buffer)
        buffer = calloc(1, sizeof *buffer);
    if (buffer)
        buffer->pool = pool;
    return buffer;
}

void handle_spare(weft_pool *pool, weft_buffer *buffer) {
    buffer->next = pool->spare;
    pool->spare = buffer;
}
