#ifndef MONTE_CARLO_KERNEL_H
#define MONTE_CARLO_KERNEL_H

#include <weft/kernel.h>
#include <weft/philox.h>

/* How many of two random points of the unit square lie in the quarter of a circle: a block
 * of random numbers is four coordinates. */
static inline u32 monte_carlo_inside(index_t k, u64 seed) {
    const philox_block b = philox(seed, 0, (u64)k);
    const f64 x = b.x * 0x1p-32, y = b.y * 0x1p-32, z = b.z * 0x1p-32, w = b.w * 0x1p-32;
    return (u32)(x * x + y * y < 1) + (u32)(z * z + w * w < 1);
}

#endif
