/* Subhalos of some halos among those of all. */
#ifndef WEFT_BATCHES_KERNEL_H
#define WEFT_BATCHES_KERNEL_H

#include <weft/kernel.h>

/* What is before those of a batch: halos, subhalos, members; and how many it has. */
typedef struct batches_before {
    i64 halos, subhalos, members, count;
} batches_before;

/* Numbers of the batch become those of all; `offset` has one more. */
static inline void batches_shift(index_t s, batches_before before, GLOBAL const u32 *halo,
                                 GLOBAL const u32 *parent, GLOBAL const i64 *offset,
                                 GLOBAL u32 *to_halo, GLOBAL u32 *to_parent,
                                 GLOBAL i64 *to_offset) {
    to_offset[s] = offset[s] + before.members;
    if ((i64)s == before.count)
        return;
    to_halo[s] = halo[s] + (u32)before.halos;
    to_parent[s] = parent[s] == 0xffffffffu ? parent[s] : parent[s] + (u32)before.subhalos;
}

#endif
