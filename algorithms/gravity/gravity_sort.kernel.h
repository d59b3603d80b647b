/* Particles along Morton's curve, in blocks, and tiles of them. */
#ifndef GRAVITY_SORT_KERNEL_H
#define GRAVITY_SORT_KERNEL_H

#include "algorithms/pyramid/curve.kernel.h"

static inline u64 gravity_sort_key(index_t i, GLOBAL const u32 *x, GLOBAL const u32 *y,
                                   GLOBAL const u32 *z) {
    return curve_morton(x[i] >> 11, y[i] >> 11, z[i] >> 11);
}

/* Blocks are cubes; a tile is up to GRAVITY_TILE particles of one, side by side. */
enum { GRAVITY_TILE = 16 };

/* Blocks begin at sorted particle start[block]; shift: from keys to blocks. Work-item i
 * does those after the block of the particle before, up to that of particle i. */
static inline void gravity_sort_start(index_t i, i64 count, i64 blocks, i32 shift,
                                      GLOBAL const u64 *key, GLOBAL u32 *start) {
    const i64 from = i == 0 ? 0 : (i64)(key[i - 1] >> shift) + 1;
    const i64 upto = i == count ? blocks : (i64)(key[i] >> shift);
    for (i64 b = from; b <= upto; b++)
        start[b] = (u32)i;
}

static inline u32 gravity_sort_tiles(index_t block, GLOBAL const u32 *start) {
    return (start[block + 1] - start[block] + GRAVITY_TILE - 1) / GRAVITY_TILE;
}

#endif
