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

/* Structs: of integers, of floats, of both with a hole between them. */
typedef struct laws_pair {
    u32 low;
    u16 count[2];
} laws_pair;
static inline laws_pair laws_pair_plus(laws_pair a, laws_pair b) {
    a.low += b.low;
    a.count[0] = (u16)(a.count[0] + b.count[0]);
    a.count[1] = (u16)(a.count[1] | b.count[1]);
    return a;
}
static inline laws_pair laws_pair_minus(laws_pair a, laws_pair b) {
    a.count[1] = (u16)(a.count[1] - b.count[1]);
    return a;
}
static inline laws_pair laws_pair_last(laws_pair a, laws_pair b) {
    return b.count[0] ? b : a;
}

typedef struct { /* a mean of so many */
    f32 mean, weight;
} laws_mean_of;
static inline laws_mean_of laws_mean_join(laws_mean_of a, laws_mean_of b) {
    if (a.weight == 0 || b.weight == 0)
        return a.weight == 0 ? b : a;
    a.mean = (a.mean * a.weight + b.mean * b.weight) / (a.weight + b.weight);
    a.weight += b.weight;
    return a;
}
static inline laws_mean_of laws_mean_halves(laws_mean_of a, laws_mean_of b) {
    if (a.weight == 0 || b.weight == 0)
        return a.weight == 0 ? b : a;
    a.mean = 0.5f * (a.mean + b.mean);
    return a;
}

typedef struct laws_heaviest {
    u32 id;
    f64 mass;
} laws_heaviest;
static inline laws_heaviest laws_heaviest_of(laws_heaviest a, laws_heaviest b) {
    return b.mass > a.mass || (b.mass == a.mass && b.id < a.id) ? b : a;
}
static inline laws_heaviest laws_heaviest_zero(laws_heaviest a, laws_heaviest b) {
    return b.mass > a.mass ? b : a;
}

/* Members that a reader of its text does not know: not tried. */
enum { LAWS_LENGTH = 2 };
typedef struct laws_unknown {
    u32 x[LAWS_LENGTH];
} laws_unknown;
static inline laws_unknown laws_unknown_minus(laws_unknown a, laws_unknown b) {
    a.x[0] -= b.x[0];
    return a;
}

#endif
