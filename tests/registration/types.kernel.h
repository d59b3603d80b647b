/* One text for functions of several types. */
#ifndef TYPES_KERNEL_H
#define TYPES_KERNEL_H

#include <weft/kernel.h>

typedef struct types_pair {
    u32 a, b;
} types_pair;

/* No loop replaces this T, nor what only contains one: types_TWO. */
static inline u32 types_plain(index_t i, u32 T) {
    const u32 types_TWO = 2;
    return (u32)i * types_TWO + T;
}

#pragma weft for T : SUM in u8 : u32 i16 : i32 u32 : u32 u64 : u64 f32 : f32
static inline void types_axpy_T(index_t i, T a, GLOBAL const T *x, GLOBAL T *y, u32 n) {
    if (i < (index_t)n)
        y[i] = (T)((SUM)a * (SUM)x[i] + (SUM)y[i]);
}
#pragma weft end

#pragma weft for T in u32 u64 types_pair
#pragma weft for M in u32 i64
static inline T types_take_by_M_T(index_t i, GLOBAL const T *in, GLOBAL const M *map) {
    return in[map[i]];
}
#pragma weft end
#pragma weft end

#pragma weft for T in u32 i64
static inline T types_larger_T(T a, T b) {
    return a < b ? b : a;
}
#pragma weft end

static inline types_pair types_swapped(index_t i, GLOBAL const types_pair *in) {
    const types_pair out = {in[i].b, in[i].a};
    return out;
}

#endif
