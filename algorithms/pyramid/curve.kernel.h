/* Cells of a cube along Morton's curve, and along Hilbert's, on which neighbours are
 * neighbours in space. (Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707
 * (2004) 381: from the largest cube down, turned as its curve begins.) */
#ifndef WEFT_CURVE_KERNEL_H
#define WEFT_CURVE_KERNEL_H

#include <weft/kernel.h>

/* Two zero bits before each of the lowest 21 bits; there are no others. */
static inline u64 curve_spread(u64 a) {
    a = (a | a << 32) & 0x001f00000000ffffu;
    a = (a | a << 16) & 0x001f0000ff0000ffu;
    a = (a | a << 8) & 0x100f00f00f00f00fu;
    a = (a | a << 4) & 0x10c30c30c30c30c3u;
    return (a | a << 2) & 0x1249249249249249u;
}

/* The place on Morton's curve. */
static inline u64 curve_morton(u32 x, u32 y, u32 z) {
    return curve_spread(x) << 2 | curve_spread(y) << 1 | curve_spread(z);
}

/* A step to the place on Hilbert's, of cells of 2^bits on each axis: one for each bit from
 * the last down to bit 1. */
static inline void curve_turn(u32 *x, u32 *y, u32 *z, i32 bit) {
    const u32 low = (1u << bit) - 1u;
    const u32 at_x = 0u - (*x >> bit & 1u), at_y = 0u - (*y >> bit & 1u),
              at_z = 0u - (*z >> bit & 1u);
    *x ^= low & at_x;
    const u32 swap_y = (*x ^ *y) & low & ~at_y;
    *x ^= swap_y | (low & at_y);
    *y ^= swap_y;
    const u32 swap_z = (*x ^ *z) & low & ~at_z;
    *x ^= swap_z | (low & at_z);
    *z ^= swap_z;
}

/* The place, after all of these. */
static inline u64 curve_place(u32 x, u32 y, u32 z) {
    y ^= x;
    z ^= y;
    u32 above = z >> 1; /* the parity of the bits of z above each */
    for (i32 shift = 1; shift < 32; shift *= 2)
        above ^= above >> shift;
    return curve_morton(x ^ above, y ^ above, z ^ above);
}

#endif
