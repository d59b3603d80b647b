#ifndef PAIRS_KERNEL_H
#define PAIRS_KERNEL_H

#include <weft/kernel.h>

typedef struct pairs_point {
    f32 x, y, z;
    u32 mass;
} pairs_point;

typedef struct pairs_sum {
    u64 mass;
    u32 count, farthest;
} pairs_sum;

static inline f32 pairs_squared(pairs_point a, pairs_point b) {
    const f32 dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

/* How many lie within a length, and their mass: whole numbers. */
static inline u32 pairs_count(u32 count, pairs_point a, pairs_point b, f32 length2) {
    return count + (pairs_squared(a, b) <= length2 ? 1u : 0u);
}

static inline pairs_sum pairs_weigh(pairs_sum sum, pairs_point a, pairs_point b,
                                    f32 length2, u32 times) {
    const f32 d2 = pairs_squared(a, b);
    if (d2 <= length2) {
        sum.mass += (u64)times * b.mass;
        sum.count++;
    }
    sum.farthest = max(sum.farthest, f32_bits(d2));
    return sum;
}

static inline f32 pairs_potential(f32 sum, pairs_point a, pairs_point b, f32 epsilon2) {
    return sum - (f32)b.mass / sqrt(pairs_squared(a, b) + epsilon2);
}

static inline i64 pairs_less(i64 count, i64 a, i64 b) {
    return count + (b < a ? 1 : 0);
}

#endif
