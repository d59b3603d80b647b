/* Particles along Morton's curve, in cells, and tiles of them. */
#ifndef GRAVITY_SORT_KERNEL_H
#define GRAVITY_SORT_KERNEL_H

#include <weft/kernel.h>

/* Two zero bits before each of the lowest 21 bits. */
static inline u64 gravity_sort_spread(u64 a) {
    a &= 0x1fffffu;
    a = (a | a << 32) & 0x001f00000000ffffu;
    a = (a | a << 16) & 0x001f0000ff0000ffu;
    a = (a | a << 8) & 0x100f00f00f00f00fu;
    a = (a | a << 4) & 0x10c30c30c30c30c3u;
    return (a | a << 2) & 0x1249249249249249u;
}

static inline u64 gravity_sort_place(u32 x, u32 y, u32 z) {
    return gravity_sort_spread(x) << 2 | gravity_sort_spread(y) << 1 |
           gravity_sort_spread(z);
}

static inline u64 gravity_sort_key(index_t i, GLOBAL const u32 *x, GLOBAL const u32 *y,
                                   GLOBAL const u32 *z) {
    return gravity_sort_place(x[i] >> 11, y[i] >> 11, z[i] >> 11);
}

/* A block is a cube of 2^(3 span) cells; a tile up to GRAVITY_TILE particles of one. */
enum { GRAVITY_TILE = 16, GRAVITY_SPAN = 1 };

/* Cells begin at sorted particle start[cell]; shift: from keys to cells. Work-item i does
 * those after the cell of the particle before, up to that of particle i. */
static inline void gravity_sort_start(index_t i, i64 count, i64 cells, i32 shift,
                                      GLOBAL const u64 *key, GLOBAL u32 *start) {
    const i64 from = i == 0 ? 0 : (i64)(key[i - 1] >> shift) + 1;
    const i64 upto = i == count ? cells : (i64)(key[i] >> shift);
    for (i64 c = from; c <= upto; c++)
        start[c] = (u32)i;
}

static inline u32 gravity_sort_tiles(index_t block, GLOBAL const u32 *start) {
    const i64 first = (i64)block << (3 * GRAVITY_SPAN);
    const u32 count = start[first + (1 << (3 * GRAVITY_SPAN))] - start[first];
    return (count + GRAVITY_TILE - 1) / GRAVITY_TILE;
}

#endif
