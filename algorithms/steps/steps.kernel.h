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
static inline u32 steps_moved(u32 position, f64 by, i64 momentum) {
    const f64 moved = steps_round((f64)momentum * by);
    const f64 turns = 4294967296.0 * steps_floor(fabs(moved) / 4294967296.0);
    const u32 size = (u32)(fabs(moved) - turns);
    return moved < 0.0 ? position - size : position + size;
}

static inline void steps_drift(index_t i, f64 by, GLOBAL const i64 *px,
                               GLOBAL const i64 *py, GLOBAL const i64 *pz, GLOBAL u32 *x,
                               GLOBAL u32 *y, GLOBAL u32 *z) {
    x[i] = steps_moved(x[i], by, px[i]);
    y[i] = steps_moved(y[i], by, py[i]);
    z[i] = steps_moved(z[i], by, pz[i]);
}

static inline u32 steps_is_large(f64 by, f64 acceleration) {
    return !(fabs(acceleration * by) <= 1152921504606846976.0);
}

static inline u32 steps_is_bad(index_t i, f64 by, GLOBAL const f64 *acceleration) {
    return steps_is_large(by, acceleration[i]);
}

static inline u32 steps_are_bad(index_t i, f64 by, GLOBAL const f64 *ax,
                                GLOBAL const f64 *ay, GLOBAL const f64 *az) {
    return steps_is_large(by, ax[i]) | steps_is_large(by, ay[i]) |
           steps_is_large(by, az[i]);
}

static inline i64 steps_kicked(i64 momentum, f64 by, f64 acceleration) {
    return (i64)((u64)momentum + (u64)(i64)steps_round(acceleration * by));
}

static inline void steps_kick(index_t i, f64 by, GLOBAL const f64 *ax, GLOBAL const f64 *ay,
                              GLOBAL const f64 *az, GLOBAL i64 *px, GLOBAL i64 *py,
                              GLOBAL i64 *pz) {
    px[i] = steps_kicked(px[i], by, ax[i]);
    py[i] = steps_kicked(py[i], by, ay[i]);
    pz[i] = steps_kicked(pz[i], by, az[i]);
}

#endif
