/* Memory between watched zones, between pages that nobody may touch. */
#define _DEFAULT_SOURCE
#include "checking.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

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
    checking_state *state = device->state;
    checking_block *block = malloc(sizeof *block);
    if (!block || bytes > SIZE_MAX / 2 ||
        !(device->allocator.allocate ? allocate(device, block, bytes)
                                     : map(block, bytes))) {
        free(block);
        return NULL;
    }
    block->next = state->blocks;
    state->blocks = block;
    memset(block->begin, 0xa5, bytes);
    mark_zones(block);
    return block->begin;
}

void checking_release(weft_device *device, void *memory, size_t bytes) {
    (void)bytes;
    checking_state *state = device->state;
    checking_block **link = &state->blocks;
    while ((*link)->begin != memory)
        link = &(*link)->next;
    checking_block *block = *link;
    checking_zones(device, "what ran last");
    *link = block->next;
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
        memcpy(host, memory, bytes);
    checking_release(device, memory, bytes);
    return weft_check(device);
}

const checking_block *checking_find(const weft_device *device, const void *memory) {
    const checking_state *state = device->state;
    const checking_block *block = state->blocks;
    while (block && block->begin != memory)
        block = block->next;
    return block;
}

/* May run while the zones are poisoned for the address sanitizer. */
__attribute__((no_sanitize("address"))) weft_status checking_zones(weft_device *device,
                                                                   const char *what) {
    const checking_state *state = device->state;
    for (checking_block *b = state->blocks; b; b = b->next) {
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
