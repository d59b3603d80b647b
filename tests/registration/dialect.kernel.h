/* Every word of the dialect. */
#ifndef DIALECT_KERNEL_H
#define DIALECT_KERNEL_H

#include <weft/kernel.h>

static inline void dialect_exact_f32(index_t i, GLOBAL const f32 *x, GLOBAL const f32 *y,
                                     GLOBAL f32 *out) {
    GLOBAL f32 *o = out + 6 * i;
    o[0] = fabs(x[i]);
    o[1] = floor(x[i]);
    o[2] = ceil(x[i]);
    o[3] = min(x[i], y[i]);
    o[4] = max(x[i], y[i]);
    o[5] = x[i] * y[i] + y[i];
}

static inline void dialect_exact_f64(index_t i, GLOBAL const f64 *x, GLOBAL const f64 *y,
                                     GLOBAL f64 *out) {
    GLOBAL f64 *o = out + 8 * i;
    o[0] = fabs(x[i]);
    o[1] = floor(x[i]);
    o[2] = ceil(x[i]);
    o[3] = min(x[i], y[i]);
    o[4] = max(x[i], y[i]);
    o[5] = x[i] * y[i] + y[i];
    o[6] = sqrt(fabs(x[i]));
    o[7] = x[i] / y[i];
}

static inline void dialect_rounded_f32(index_t i, GLOBAL const f32 *x, GLOBAL f32 *out) {
    GLOBAL f32 *o = out + 10 * i;
    o[0] = sqrt(x[i]);
    o[1] = exp(x[i]);
    o[2] = log(x[i]);
    o[3] = sin(x[i]);
    o[4] = cos(x[i]);
    o[5] = pow(x[i], 1.5f);
    o[6] = rsqrt(x[i]);
    o[7] = rsqrt_rough(x[i]);
    o[8] = mad(x[i], x[i], 2.0f);
    o[9] = rsqrt_guess(x[i]);
}

/* u is below 1. */
static inline void dialect_functions_f32(index_t i, GLOBAL const f32 *x,
                                         GLOBAL const f32 *u, GLOBAL f32 *out) {
    GLOBAL f32 *o = out + 20 * i;
    o[0] = cbrt(x[i]);
    o[1] = hypot(x[i], u[i]);
    o[2] = round(x[i]);
    o[3] = trunc(x[i]);
    o[4] = fmod(x[i], u[i]);
    o[5] = fmin(x[i], u[i]);
    o[6] = fmax(x[i], u[i]);
    o[7] = copysign(x[i], -u[i]);
    o[8] = exp2(u[i]);
    o[9] = log2(x[i]);
    o[10] = log10(x[i]);
    o[11] = tan(u[i]);
    o[12] = asin(u[i]);
    o[13] = acos(u[i]);
    o[14] = atan(x[i]);
    o[15] = atan2(x[i], u[i]);
    o[16] = sinh(u[i]);
    o[17] = cosh(u[i]);
    o[18] = tanh(x[i]);
    o[19] = (f32)(sizeof(tan(x[i])) + sizeof(atan2(x[i], u[i])) == 2 * sizeof(f32));
}

static inline void dialect_rounded_f64(index_t i, GLOBAL const f64 *x, GLOBAL f64 *out) {
    GLOBAL f64 *o = out + 5 * i;
    o[0] = exp(x[i]);
    o[1] = log(x[i]);
    o[2] = sin(x[i]);
    o[3] = cos(x[i]);
    o[4] = pow(x[i], 1.5);
}

static SELDOM u64 dialect_zeros(u64 x) {
    return clz(x);
}

static inline void dialect_integers(index_t i, GLOBAL const u64 *x, GLOBAL u64 *out) {
    GLOBAL u64 *o = out + 12 * i;
    prefetch(x + i + 1, 1);
    prefetch_far(x + i + 2, 1);
    const u64 a = x[i], b = x[i] >> 7;
    o[0] = popcount(a);
    o[1] = dialect_zeros(a);
    o[2] = popcount((u32)a);
    o[3] = clz((u32)a);
    o[4] = min(a, b);
    o[5] = max((i64)a, (i64)b) < 0 ? 1u : 0u;
    o[6] = max((u32)a, (u32)b);
    o[7] = min((i32)a, (i32)b) < 0 ? 1u : 0u;
    o[8] = f32_bits(bits_f32((u32)a & 0x7f7fffffu));
    o[9] = f64_bits(bits_f64(a & 0x7fe7ffffffffffffu));
    o[10] = f32_bits((f32)(u32)a);
    o[11] = f64_bits((f64)a);
}

static inline void dialect_atomics(index_t i, u32 n, GLOBAL u32 *cell, GLOBAL u32 *owner) {
    const u32 k = (u32)i;
    atomic_add_u32(cell, k);
    atomic_min_u32(cell + 1, (k + n / 2) % n);
    atomic_max_u32(cell + 2, (k + n / 2) % n);
    atomic_or_u32(cell + 3, 1u << k % 32);
    if (atomic_cas_u32(cell + 4, 0, k + 1) == 0)
        atomic_store_u32(cell + 5, k + 1);
    atomic_store_u32(owner + k, atomic_load_u32(owner + k) + k);
}

#ifdef WEFT_ATOMIC_U64
static inline void dialect_atomics_wide(index_t i, u64 n, GLOBAL u64 *cell) {
    const u64 k = (u64)i, high = (u64)1 << 40;
    atomic_add_u64(cell, k * high);
    atomic_min_u64(cell + 1, (k + n / 2) % n * high);
    atomic_max_u64(cell + 2, (k + n / 2) % n * high);
    atomic_or_u64(cell + 3, (u64)1 << k % 64);
    if (atomic_cas_u64(cell + 4, 0, k + high) == 0)
        atomic_store_u64(cell + 5, atomic_load_u64(cell + 4));
}
#endif

#endif
