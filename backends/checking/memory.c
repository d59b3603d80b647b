/* Memory between watched zones, between pages that nobody may touch. */
#define _DEFAULT_SOURCE
#include "checking.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

checking_memory *checking_memory_new(void) {
    checking_memory *memory = calloc(1, sizeof *memory);
    pthread_mutexattr_t again;
    if (!memory)
        return NULL;
    memory->users = 1;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&memory->lock, &again);
    pthread_mutexattr_destroy(&again);
    return memory;
}

void checking_memory_share(checking_memory *memory) {
    pthread_mutex_lock(&memory->lock);
    memory->users++;
    pthread_mutex_unlock(&memory->lock);
}

void checking_memory_leave(checking_memory *memory) {
    if (!memory)
        return;
    pthread_mutex_lock(&memory->lock);
    const int users = --memory->users;
    pthread_mutex_unlock(&memory->lock);
    if (users > 0)
        return;
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

void checking_lock(const weft_device *device) {
    const checking_state *state = device->state;
    pthread_mutex_lock(&state->memory->lock);
}

void checking_unlock(const weft_device *device) {
    const checking_state *state = device->state;
    pthread_mutex_unlock(&state->memory->lock);
}

/* Differs from byte to byte, so that no value repeated over a zone passes for it. */
static char zone_byte(size_t k) {
    return (char)(unsigned char)(0xc3 + 37 * k);
}

static void mark_zones(const checking_block *b) {
    for (size_t k = 0; k < CHECKING_ZONE; k++)
        (b->begin - CHECKING_ZONE)[k] = b->end[k] = zone_byte(k);
}

/* The device's allocator gives the memory and its zones, without pages around it. */
static int allocate(weft_device *device, checking_block *block, size_t bytes) {
    block->mapped = bytes + 2 * CHECKING_ZONE;
    block->base = host_allocate(device, block->mapped);
    block->begin = block->base + CHECKING_ZONE;
    block->end = block->begin + bytes;
    return block->base != NULL;
}

/* Readable pages in the middle of others. */
static int map(checking_block *block, size_t bytes) {
    const size_t inner = (bytes + 2 * CHECKING_ZONE + PAGE - 1) / PAGE * PAGE;
    block->mapped = inner + 2 * (size_t)CHECKING_GUARD;
    block->base = mmap(NULL, block->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block->base == MAP_FAILED)
        return 0;
    char *readable = block->base + CHECKING_GUARD;
    if (mprotect(readable, inner, PROT_READ | PROT_WRITE) != 0) {
        munmap(block->base, block->mapped);
        return 0;
    }
    /* As close to what lies beyond as the alignment allows. */
    const size_t before = inner - CHECKING_ZONE - (bytes + 63) / 64 * 64;
    block->begin = readable + (before >= CHECKING_ZONE ? before : CHECKING_ZONE);
    block->end = block->begin + bytes;
    return 1;
}

void *checking_allocate(weft_device *device, size_t bytes) {
    checking_memory *all = ((checking_state *)device->state)->memory;
    checking_block *block = malloc(sizeof *block);
    if (!block || bytes > SIZE_MAX / 2 ||
        !(device->allocator.allocate ? allocate(device, block, bytes)
                                     : map(block, bytes))) {
        free(block);
        return NULL;
    }
    memset(block->begin, 0xa5, bytes);
    mark_zones(block);
    checking_lock(device);
    block->next = all->blocks;
    all->blocks = block;
    checking_unlock(device);
    return block->begin;
}

void checking_release(weft_device *device, void *memory, size_t bytes) {
    (void)bytes;
    checking_lock(device);
    checking_block **link = &((checking_state *)device->state)->memory->blocks;
    while ((*link)->begin != memory)
        link = &(*link)->next;
    checking_block *block = *link;
    checking_zones(device, "what ran last");
    *link = block->next;
    checking_unlock(device);
    if (device->allocator.allocate)
        host_release(device, block->base, block->mapped);
    else
        munmap(block->base, block->mapped);
    free(block);
}

void *checking_borrow(weft_device *device, void *host, size_t bytes, int read_only) {
    (void)read_only;
    void *memory = checking_allocate(device, bytes);
    if (memory)
        memcpy(memory, host, bytes);
    return memory;
}

weft_status checking_give_back(weft_device *device, void *memory, void *host, size_t bytes,
                               int read_only) {
    if (!read_only)
        checking_read(device, memory, 0, host, bytes);
    checking_release(device, memory, bytes);
    return weft_check(device);
}

weft_status checking_write(weft_device *device, void *memory, size_t offset,
                           const void *host, size_t bytes) {
    checking_lock(device);
    host_write(device, memory, offset, host, bytes);
    checking_unlock(device);
    return WEFT_OK;
}

weft_status checking_read(weft_device *device, void *memory, size_t offset, void *host,
                          size_t bytes) {
    checking_lock(device);
    host_read(device, memory, offset, host, bytes);
    checking_unlock(device);
    return WEFT_OK;
}

const checking_block *checking_find(const weft_device *device, const void *memory) {
    checking_lock(device);
    const checking_block *block = ((const checking_state *)device->state)->memory->blocks;
    while (block && block->begin != memory)
        block = block->next;
    checking_unlock(device);
    return block;
}

/* May run while the zones are poisoned for the address sanitizer. */
__attribute__((no_sanitize("address"))) static weft_status
look_at_zones(weft_device *device, const char *what) {
    const checking_state *state = device->state;
    for (checking_block *b = state->memory->blocks; b; b = b->next) {
        int below = 0, beyond = 0;
        for (size_t k = 0; k < CHECKING_ZONE; k++) {
            below |= (b->begin - CHECKING_ZONE)[k] ^ zone_byte(k);
            beyond |= b->end[k] ^ zone_byte(k);
        }
        if (!below && !beyond)
            continue;
        mark_zones(b); /* said once */
        return weft_fail(device, WEFT_E_CHECK,
                         "%s: wrote %s a buffer of %zu bytes that it was not given", what,
                         below ? "before" : "beyond", (size_t)(b->end - b->begin));
    }
    return WEFT_OK;
}

weft_status checking_zones(weft_device *device, const char *what) {
    checking_lock(device);
    const weft_status status = look_at_zones(device, what);
    checking_unlock(device);
    return status;
}
