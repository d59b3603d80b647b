#ifndef IN_TURN_KERNEL_H
#define IN_TURN_KERNEL_H

#include <weft/kernel.h>
#include <weft/index.h>

static inline u32 in_turn_key(index_t i, u32 bits) {
    return ((u32)i * 2654435761u) >> (32 - bits);
}
static inline u32 in_turn_odd(index_t i, GLOBAL const u32 *x) {
    return x[i] % 2;
}
static inline u32 in_turn_turned(index_t i, u32 ny, u32 nx) {
    const weft_index2 at = weft_index_at2(i, ny);
    return (u32)weft_index_flat2(at.y, at.x, nx);
}
static inline int in_turn_falling(u32 a, u32 b) {
    return a > b;
}

#endif
