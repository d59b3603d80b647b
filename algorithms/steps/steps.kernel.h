/* Kicks and drifts of integers. */
#ifndef STEPS_KERNEL_H
#define STEPS_KERNEL_H

#include <weft/kernel.h>

/* Rounded, so that it is odd in x: halves away from 0. */
static inline f64 steps_round(f64 x) {
    const f64 size = floor(fabs(x) + 0.5);
    return x < 0.0 ? -size : size;
}

/* A product beyond 2^52 units has whole ones alone; those beyond a box are turns. */
static inline void steps_drift(index_t i, f64 by, GLOBAL const i64 *momentum,
                               GLOBAL u32 *position) {
    const f64 moved = steps_round((f64)momentum[i] * by);
    const f64 turns = 4294967296.0 * floor(fabs(moved) / 4294967296.0);
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
