/* Operators that keep the laws, and that break them. */
#ifndef LAWS_KERNEL_H
#define LAWS_KERNEL_H

#include <weft/kernel.h>

static inline u32 laws_minus(u32 a, u32 b) {
    return a - b;
}

static inline u32 laws_last(u32 a, u32 b) {
    return b == 0 ? a : b;
}

static inline u32 laws_min(u32 a, u32 b) {
    return min(a, b);
}

static inline u32 laws_plus(u32 a, u32 b) {
    return a + b;
}

static inline f32 laws_most_of(f32 a, f32 b) {
    return max(a, b);
}
static inline f32 laws_mean(f32 a, f32 b) {
    return 0.5f * (a + b);
}
static inline f64 laws_difference(f64 a, f64 b) {
    return a - b;
}
static inline f64 laws_sum(f64 a, f64 b) {
    return a + b;
}
static inline f32 laws_product(f32 a, f32 b) {
    return a * b;
}
static inline f32 laws_longer(f32 a, f32 b) {
    return fabs(a) < fabs(b) ? b : a;
}
static inline f32 laws_twice(f32 a, f32 b) {
    return 2.0f * a + b;
}

#endif
