/* From candidates that hold members to subhalos in their order. */
#ifndef WEFT_SUBHALOS_KERNEL_H
#define WEFT_SUBHALOS_KERNEL_H

#include <weft/kernel.h>

CONSTANT u32 subhalos_nobody = 0xffffffffu;

static inline u32 subhalos_is_held(index_t m, GLOBAL const u32 *held) {
    return held[m] != subhalos_nobody;
}

static inline u32 subhalos_is_some(index_t c, GLOBAL const i64 *offset) {
    return offset[c + 1] > offset[c];
}

static inline u32 subhalos_size(index_t s, GLOBAL const u32 *who,
                                GLOBAL const i64 *offset) {
    return (u32)(offset[who[s] + 1] - offset[who[s]]);
}

/* By halo, then by how many subhalos are around. */
static inline u64 subhalos_key(index_t s, GLOBAL const u32 *who, GLOBAL const u32 *halo,
                               GLOBAL const u32 *around, GLOBAL const i64 *offset) {
    u32 depth = 0;
    for (u32 c = around[who[s]]; c != subhalos_nobody; c = around[c])
        depth += offset[c + 1] > offset[c];
    return (u64)halo[who[s]] << 32 | depth;
}

/* The nearest around that is a subhalo, and how many are. */
static inline void subhalos_climb(index_t s, GLOBAL const u32 *who,
                                  GLOBAL const u32 *around, GLOBAL const u32 *number,
                                  GLOBAL u32 *parent, GLOBAL u32 *depth,
                                  GLOBAL u8 *is_main) {
    u32 above = subhalos_nobody, count = 0;
    for (u32 c = around[who[s]]; c != subhalos_nobody; c = around[c])
        if (number[c] != subhalos_nobody) {
            above = count == 0 ? number[c] : above;
            count++;
        }
    parent[s] = above;
    depth[s] = count;
    is_main[s] = around[who[s]] == subhalos_nobody;
}

#endif
