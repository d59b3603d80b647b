/* Random modes, and what first and second order make of them. */
#ifndef ICS_KERNEL_H
#define ICS_KERNEL_H

#include <weft/kernel.h>
#include <weft/philox.h>

/* Wave numbers of mode t of a spectrum; `kept` where none is that of Nyquist, or all 0. */
typedef struct ics_wave {
    i64 k[3], square;
    i32 kept;
} ics_wave;

static inline i64 ics_signed(i64 i, i64 n) {
    return 2 * i > n ? i - n : i;
}

static inline ics_wave ics_find(index_t t, i64 n) {
    const i64 planes = n / 2 + 1, row = t / planes;
    ics_wave w;
    w.k[0] = ics_signed(row / n, n);
    w.k[1] = ics_signed(row % n, n);
    w.k[2] = t % planes;
    w.square = w.k[0] * w.k[0] + w.k[1] * w.k[1] + w.k[2] * w.k[2];
    w.kept = w.square > 0 && 2 * w.k[0] < n && 2 * w.k[1] < n && 2 * w.k[2] < n;
    return w;
}

/* Of k and -k, which are both in the plane of k[2] = 0, one has the numbers. */
static inline void ics_modes(index_t t, i64 n, u64 seed, i32 fixed,
                             GLOBAL const f64 *amplitude, GLOBAL f64 *spectrum) {
    const ics_wave w = ics_find(t, n);
    const i32 turned = w.k[2] == 0 && (w.k[1] < 0 || (w.k[1] == 0 && w.k[0] < 0));
    const i64 x = turned ? -w.k[0] : w.k[0], y = turned ? -w.k[1] : w.k[1];
    const u64 key = (u64)(x + 1048576) << 42 | (u64)(y + 1048576) << 21 | (u64)w.k[2];
    const philox_block b = philox(seed, 0, key);
    const f64 g = philox_normal_of_f64((u64)b.y << 32 | b.x);
    const f64 h = philox_normal_of_f64((u64)b.w << 32 | b.z);
    const f64 size = fixed ? sqrt(g * g + h * h) : 1.4142135623730951;
    const f64 a = w.kept ? amplitude[w.square] : 0.0;
    spectrum[2 * t] = a * (g / size);
    spectrum[2 * t + 1] = a * ((turned ? -h : h) / size);
}

static inline void ics_hessian(index_t t, i64 n, i32 i, i32 j, GLOBAL const f64 *spectrum,
                               GLOBAL f64 *out) {
    const ics_wave w = ics_find(t, n);
    const f64 factor = w.kept ? (f64)(w.k[i] * w.k[j]) / (f64)w.square : 0.0;
    out[2 * t] = factor * spectrum[2 * t];
    out[2 * t + 1] = factor * spectrum[2 * t + 1];
}

static inline void ics_combine(index_t i, GLOBAL const f64 *xx, GLOBAL const f64 *yy,
                               GLOBAL const f64 *zz, GLOBAL f64 *sum) {
    sum[i] = (xx[i] * yy[i] + xx[i] * zz[i]) + yy[i] * zz[i];
}

static inline void ics_subtract(index_t i, GLOBAL const f64 *xy, GLOBAL f64 *sum) {
    sum[i] -= xy[i] * xy[i];
}

static inline void ics_divide(index_t t, f64 by, GLOBAL f64 *x) {
    x[t] /= by;
}

/* `length` is box / (2 pi). */
static inline void ics_displace(index_t t, i64 n, i32 axis, f64 length,
                                GLOBAL const f64 *spectrum, GLOBAL f64 *out) {
    const ics_wave w = ics_find(t, n);
    const f64 factor = w.kept ? length * (f64)w.k[axis] / (f64)w.square : 0.0;
    out[2 * t] = -factor * spectrum[2 * t + 1];
    out[2 * t + 1] = factor * spectrum[2 * t];
}

#endif
