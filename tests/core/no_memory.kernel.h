#ifndef NO_MEMORY_KERNEL_H
#define NO_MEMORY_KERNEL_H

#include <weft/kernel.h>

static inline u32 no_memory_key(index_t i, u32 bits) {
    return ((u32)i * 2654435761u) >> (32 - bits);
}

static inline u32 no_memory_is_odd(index_t i, GLOBAL const u32 *x) {
    return x[i] % 2;
}

static inline f32 no_memory_coordinate(index_t i, u32 salt) {
    return (f32)(((u32)i + salt) * 2654435761u >> 16);
}

static inline u32 no_memory_pairs(u32 sum, u32 a, u32 b) {
    return sum + a * b;
}

static inline int no_memory_falling(u32 a, u32 b) {
    return a > b;
}

#endif
