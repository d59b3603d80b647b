/* The pool: memory that arrays lie in, and the handles by which arrays name it. */
#ifndef WEFT_CORE_POOL_H
#define WEFT_CORE_POOL_H

#include "core.h"

typedef enum buffer_kind {
    BUFFER_FREE,
    BUFFER_ARRAY,
    BUFFER_SCRATCH,
    BUFFER_BORROWED
} buffer_kind;

/* A handle. It is never freed, so that arrays that outlive their memory are found out: each
 * use of it has a turn of its own, which the arrays of that use keep. */
typedef struct weft_buffer {
    const weft_pool *pool; /* NULL: of a device that was closed */
    void *memory;
    size_t bytes;
    size_t whole; /* bytes that were allocated there; 0: a part, which follows on the one
                   * before it in the list */
    buffer_kind kind;
    u32 uses;
    i64 scope; /* of scratch: how many scopes were open */
    void *host;
    u32 read_only;
    struct weft_buffer *before, *next;
    struct weft_buffer *below; /* of scratch: what was taken before it */
} weft_buffer;

struct weft_pool {
    weft_buffer *buffers, *last; /* with memory, the oldest first */
    weft_buffer *spare;          /* handles without */
    weft_buffer *scratch;        /* what was taken last of what is in use */
    i64 scopes;
    u64 family; /* the device's */
    weft_memory use;
};

/* A handle that is in no list; NULL: out of memory. */
weft_buffer *handle_new(weft_pool *pool);
/* Puts one aside that names no memory any more. */
void handle_spare(weft_pool *pool, weft_buffer *buffer);
/* Leaves those that are put aside to other pools. */
void handles_retire(weft_pool *pool);

/* What weft_array.turn of this use is: how many there were, and the kind. */
u32 pool_turn(const weft_buffer *buffer);

/* A handle of `bytes` of memory for a use of that kind; NULL after reporting why not. */
weft_buffer *pool_take(weft_device *device, size_t bytes, buffer_kind kind);
/* Ends the use; the memory stays with the pool. */
void pool_put_back(weft_pool *pool, weft_buffer *buffer);

/* Ends the innermost scope, and the uses of its scratch. */
void pool_end_scope(weft_pool *pool);

/* A handle of memory of the caller's, and its end. NULL: there is no memory. */
weft_buffer *pool_lend(weft_device *device, void *host, size_t bytes, u32 read_only);
/* The same of memory that the backend has a handle of already. */
weft_buffer *pool_lend_memory(weft_device *device, void *memory, size_t bytes);
void pool_give_back(weft_device *device, weft_buffer *buffer);

/* Releases all memory that nobody uses. */
void pool_trim(weft_device *device);

#endif
