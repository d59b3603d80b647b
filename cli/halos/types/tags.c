#include "tags.h"

#include <stdlib.h>

bool tags_new(struct tags *tags, int64_t most) {
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)most)
        slots *= 2;
    *tags = (struct tags){.mask = slots - 1};
    tags->tag = malloc((size_t)(most + 1) * sizeof *tags->tag);
    tags->place = malloc((size_t)slots * sizeof *tags->place);
    for (uint64_t s = 0; tags->place && s < slots; ++s)
        tags->place[s] = -1;
    return tags->tag && tags->place;
}

void tags_free(struct tags *tags) {
    free(tags->tag);
    free(tags->place);
    *tags = (struct tags){0};
}

int64_t tags_place(struct tags *tags, int64_t tag) {
    const uint64_t mixed = (uint64_t)tag * 0x9e3779b97f4a7c15u;
    uint64_t slot = (mixed >> 20 ^ mixed >> 44) & tags->mask;
    while (tags->place[slot] >= 0 && tags->tag[tags->place[slot]] != tag)
        slot = (slot + 1) & tags->mask;
    if (tags->place[slot] < 0) {
        tags->tag[tags->n] = tag;
        tags->place[slot] = tags->n++;
    }
    return tags->place[slot];
}
