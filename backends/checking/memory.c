/* Memory between guarded zones. */
#include "checking.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Differs from byte to byte, so that no value repeated over a zone passes for it. */
static unsigned char zone_byte(size_t k) {
    return (unsigned char)(0xc3 + 37 * k);
}

void *checking_allocate(weft_device *device, size_t bytes) {
    checking_state *state = device->state;
    if (bytes > SIZE_MAX - 2 * CHECKING_ZONE)
        return NULL;
    checking_block *block = malloc(sizeof *block);
    char *base = block ? host_allocate(device, bytes + 2 * CHECKING_ZONE) : NULL;
    if (!base) {
        free(block);
        return NULL;
    }
    *block =
        (checking_block){base + CHECKING_ZONE, base + CHECKING_ZONE + bytes, state->blocks};
    state->blocks = block;
    memset(block->begin, 0xa5, bytes);
    for (size_t k = 0; k < CHECKING_ZONE; k++) {
        base[k] = (char)zone_byte(k);
        block->end[k] = (char)zone_byte(k);
    }
    return block->begin;
}

void checking_release(weft_device *device, void *memory) {
    checking_state *state = device->state;
    checking_block **link = &state->blocks;
    while ((*link)->begin != memory)
        link = &(*link)->next;
    checking_block *block = *link;
    checking_zones(device, "what ran last");
    *link = block->next;
    host_release(device, block->begin - CHECKING_ZONE);
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
    checking_release(device, memory);
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
    for (checking_block *b = state->blocks; b; b = b->next)
        for (size_t k = 0; k < CHECKING_ZONE; k++) {
            const int below = (b->begin - CHECKING_ZONE)[k] != (char)zone_byte(k);
            if (!below && b->end[k] == (char)zone_byte(k))
                continue;
            for (size_t z = 0; z < CHECKING_ZONE; z++) /* said once */
                (b->begin - CHECKING_ZONE)[z] = b->end[z] = (char)zone_byte(z);
            return weft_fail(device, WEFT_E_CHECK,
                             "%s: wrote %s a buffer of %zu bytes that it was not given",
                             what, below ? "before" : "beyond",
                             (size_t)(b->end - b->begin));
        }
    return WEFT_OK;
}
