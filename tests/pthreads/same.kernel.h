/* Kernels whose work is uneven, and operators whose rounding shows the association. */
#ifndef WEFT_TESTS_PTHREADS_SAME_KERNEL_H
#define WEFT_TESTS_PTHREADS_SAME_KERNEL_H

#include <weft/kernel.h>

static inline f32 same_plus_f32(f32 a, f32 b) {
    return a + b;
}
static inline f64 same_plus_f64(f64 a, f64 b) {
    return a + b;
}

/* Numbers of many magnitudes. */
static inline f32 same_f32(index_t i, u32 seed) {
    const u32 h = ((u32)i + seed) * 2654435761u;
    return (f32)(h >> 8) * bits_f32((100 + (h & 31)) << 23);
}
static inline f64 same_f64(index_t i, u32 seed) {
    return same_f32(i, seed) / 3.0;
}

static inline u32 same_head(index_t i, u32 length) {
    return ((u32)i * 2654435761u) % length == 0;
}

/* Ever more work: Collatz steps of the numbers below i's share. */
static inline void same_uneven(index_t i, i64 n, GLOBAL u32 *steps) {
    const u32 rounds = i > n - n / 64 ? 200 : 1;
    u32 sum = 0;
    for (u32 r = 0; r < rounds; r++) {
        u64 x = (u64)i + r + 1;
        for (u32 k = 0; k < 60 && x != 1; k++, sum++)
            x = x % 2 ? 3 * x + 1 : x / 2;
    }
    steps[i] = sum;
}

static inline f32 same_pull(f32 sum, f32 a, f32 b) {
    return sum + (b - a) * 0.3f;
}

#endif
