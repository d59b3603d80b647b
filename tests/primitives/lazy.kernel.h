/* An array, seen through a generator. */
#ifndef LAZY_KERNEL_H
#define LAZY_KERNEL_H

#include <weft/kernel.h>

typedef struct lazy_twelve {
    f32 x, y, z;
} lazy_twelve;

static inline u8 lazy_u8(index_t i, GLOBAL const u8 *x) {
    return x[i];
}
static inline u32 lazy_u32(index_t i, GLOBAL const u32 *x) {
    return x[i];
}
static inline i64 lazy_i64(index_t i, GLOBAL const i64 *x) {
    return x[i];
}
static inline f32 lazy_f32(index_t i, GLOBAL const f32 *x) {
    return x[i];
}
static inline f64 lazy_f64(index_t i, GLOBAL const f64 *x) {
    return x[i];
}
static inline lazy_twelve lazy_struct(index_t i, GLOBAL const lazy_twelve *x) {
    return x[i];
}

/* Counting, and every sixteenth number. */
static inline u32 lazy_index(index_t i, u32 zero) {
    return (u32)i + zero;
}
static inline u32 lazy_odd_sixteenth(index_t i, u32 zero) {
    return (i & 15) == 1 ? 7 : zero;
}
static inline u32 lazy_sixteenth(index_t i, u32 first) {
    return (u32)i * 16 + first;
}

static inline u32 lazy_triangle(index_t i) {
    return (u32)(i * (i + 1) / 2);
}

/* What one computes, in another: a call of its function. */
static inline u32 lazy_taken_at(index_t i, u32 most, GLOBAL const u32 *x) {
    const u32 at = lazy_triangle(i);
    return x[at < most ? at : most] + lazy_sixteenth(i, 3);
}

#endif
