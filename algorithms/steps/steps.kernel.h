/* Kicks and drifts of integers. */
#ifndef STEPS_KERNEL_H
#define STEPS_KERNEL_H

#include <weft/kernel.h>

/* floor(x) of x >= 0, in what compilers have vectors for. */
static inline f64 steps_floor(f64 x) {
    const f64 near = (x + 0x1p52) - 0x1p52, below = near > x ? near - 1.0 : near;
    return x < 0x1p52 ? below : x;
}

/* Rounded, so that it is odd in x: halves away from 0. From 2^52 on there are no halves. */
static inline f64 steps_round(f64 x) {
    const f64 size = steps_floor(fabs(x) < 0x1p52 ? fabs(x) + 0.5 : fabs(x));
    return x < 0.0 ? -size : size;
}

/* A product beyond 2^52 units has whole ones alone; those beyond a box are turns. */
static inline void steps_drift(index_t i, f64 by, GLOBAL const i64 *momentum,
                               GLOBAL u32 *position) {
    const f64 moved = steps_round((f64)momentum[i] * by);
    const f64 turns = 4294967296.0 * steps_floor(fabs(moved) / 4294967296.0);
    const u32 size = (u32)(fabs(moved) - turns);
    position[i] = moved < 0.0 ? position[i] - size : position[i] + size;
}

static inline u32 steps_is_bad(index_t i, f64 by, GLOBAL const f64 *acceleration) {
    return !(fabs(acceleration[i] * by) <= 1152921504606846976.0);
}

static inline void steps_kick(index_t i, f64 by, GLOBAL const f64 *acceleration,
                              GLOBAL i64 *momentum) {
    const f64 kick = steps_round(acceleration[i] * by);
    momentum[i] = (i64)((u64)momentum[i] + (u64)(i64)kick);
}

#endif
