/* Random numbers in a kernel of one's own. */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H

#include <weft/kernel.h>
#include <weft/philox.h>

static inline void random_block(index_t i, GLOBAL const u32 *counter, GLOBAL const u32 *key,
                                GLOBAL u32 *out) {
    GLOBAL const u32 *c = counter + 4 * i, *k = key + 2 * i;
    const philox_block b =
        philox((u64)k[1] << 32 | k[0], (u64)c[3] << 32 | c[2], (u64)c[1] << 32 | c[0]);
    out[4 * i] = b.x;
    out[4 * i + 1] = b.y;
    out[4 * i + 2] = b.z;
    out[4 * i + 3] = b.w;
}
static inline u32 random_in_circle(index_t i, u64 seed) {
    const f32 x = philox_f32(seed, 0, (u64)i), y = philox_f32(seed, 1, (u64)i);
    return x * x + y * y < 1.0f;
}
static inline void random_normal_of(index_t i, GLOBAL const u32 *bits, GLOBAL f32 *out) {
    out[i] = philox_normal_of_f32(bits[i]);
}
static inline void random_long_normal_of(index_t i, GLOBAL const u64 *bits,
                                         GLOBAL f64 *out) {
    out[i] = philox_normal_of_f64(bits[i]);
}

#endif
