/* Element i of arrays of random numbers. */
#ifndef WEFT_RANDOM_KERNEL_H
#define WEFT_RANDOM_KERNEL_H

#include <weft/kernel.h>
#include <weft/philox.h>

static inline u32 random_u32(index_t i, u64 seed, u64 stream) {
    return philox_u32(seed, stream, (u64)i);
}
static inline u64 random_u64(index_t i, u64 seed, u64 stream) {
    return philox_u64(seed, stream, (u64)i);
}
static inline f32 random_f32(index_t i, u64 seed, u64 stream) {
    return philox_f32(seed, stream, (u64)i);
}
static inline f64 random_f64(index_t i, u64 seed, u64 stream) {
    return philox_f64(seed, stream, (u64)i);
}
static inline f32 random_normal_f32(index_t i, u64 seed, u64 stream) {
    return philox_normal_f32(seed, stream, (u64)i);
}
static inline f64 random_normal_f64(index_t i, u64 seed, u64 stream) {
    return philox_normal_f64(seed, stream, (u64)i);
}

#endif
