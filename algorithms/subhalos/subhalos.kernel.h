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

/* By halo, the main one first, then those with most members. */
static inline u64 subhalos_key(index_t s, GLOBAL const u32 *who, GLOBAL const u32 *halo,
                               GLOBAL const u32 *around, GLOBAL const i64 *offset) {
    const u32 c = who[s], count = (u32)(offset[c + 1] - offset[c]);
    const u32 inside = around[c] != subhalos_nobody;
    return (u64)halo[c] << 32 | (inside ? 0xffffffffu - count : 0u);
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
