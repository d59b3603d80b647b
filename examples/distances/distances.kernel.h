#ifndef DISTANCES_KERNEL_H
#define DISTANCES_KERNEL_H

#include <weft/kernel.h>

/* A random number in [0, 1) that depends on i alone (the mixing of Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", 2014). */
static inline f32 distances_random(index_t i, u64 seed) {
    u64 bits = seed + ((u64)i + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return (f32)(u32)(bits >> 40) * 0x1p-24f;
}

/* The bin of the k-th pair (i, j); none for those with i >= j. */
static inline u32 distances_bin(index_t k, u32 points, f64 bins_per_length,
                                GLOBAL const f32 *x, GLOBAL const f32 *y,
                                GLOBAL const f32 *z) {
    const u32 i = (u32)(k / (index_t)points), j = (u32)(k % (index_t)points);
    const f64 dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
    return i < j ? (u32)(sqrt(dx * dx + dy * dy + dz * dz) * bins_per_length) : ~0u;
}

#endif
