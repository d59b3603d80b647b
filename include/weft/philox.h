/* Random numbers in kernels: a part of the dialect, for kernel files that include
 * <weft/philox.h> after <weft/kernel.h>. Nothing is kept from call to call: number i of a
 * stream is a function of (seed, stream, i), the same bits on every device.
 *
 *   philox(seed, stream, k)        block k: four u32, independent and uniform
 *   philox_u32 philox_u64          (seed, stream, i): uniform integers
 *   philox_f32 philox_f64          uniform in [0, 1): multiples of 2^-24, of 2^-53
 *   philox_normal_f32 ..._f64      normal, of mean 0 and variance 1
 *   philox_unit_f32(bits) ...      the same of random bits of one's own: u32 for f32, u64
 *   philox_normal_of_f32(bits) ... for f64
 *
 * Numbers 4k .. 4k + 3 of u32 are the words of block k, and u64 2k and 2k + 1 are its
 * halves, lower words first; floats are made of one number of as many bits. A kernel that
 * wants several numbers takes a stream for each, or all of a block.
 *
 * Normal numbers are the inverse of their distribution, so there are 2^32 (2^64) different
 * ones, of at most 6.3 (9.1) standard deviations, symmetric, and wrong by less than
 * 5e-7 (1e-15) of themselves. They use + - * alone, of f64 also / and sqrt, unfused: no
 * compiler for CPUs changes a bit. The f64 ones need a device with f64.
 *
 * Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * SC 2011 (Philox4x32-10; passes BigCrush; period 2^128 blocks a seed). Giles,
 * "Approximating the erfinv function", GPU Computing Gems 2, 2011 (f32: its form, with
 * coefficients for all 2^32 numbers). Wichura, "AS 241:
 * The percentage points of the normal distribution", Appl. Statist. 37 (1988) 477 (f64). */
#ifndef WEFT_PHILOX_H
#define WEFT_PHILOX_H

#ifndef WEFT_KERNEL_H
#include "kernel.h"
#endif

typedef struct philox_block {
    u32 x, y, z, w;
} philox_block;

enum { PHILOX_ROUNDS = 10 };

/* What the words x and z of a block are multiplied with in a round, and what is added to
 * them: the seed's halves, a step further each round. */
static inline u32 philox_factor_x(void) {
    return 0xd2511f53u;
}
static inline u32 philox_factor_z(void) {
    return 0xcd9e8d57u;
}
static inline u32 philox_key_x(u64 seed, int round) {
    return (u32)seed + (u32)round * 0x9e3779b9u;
}
static inline u32 philox_key_z(u64 seed, int round) {
    return (u32)(seed >> 32) + (u32)round * 0xbb67ae85u;
}

static inline philox_block philox(u64 seed, u64 stream, u64 k) {
    philox_block b = {(u32)k, (u32)(k >> 32), (u32)stream, (u32)(stream >> 32)};
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        const u64 p = (u64)philox_factor_x() * b.x, q = (u64)philox_factor_z() * b.z;
        b.x = (u32)(q >> 32) ^ b.y ^ philox_key_x(seed, round);
        b.y = (u32)q;
        b.z = (u32)(p >> 32) ^ b.w ^ philox_key_z(seed, round);
        b.w = (u32)p;
    }
    return b;
}

static inline u32 philox_u32(u64 seed, u64 stream, u64 i) {
    const philox_block b = philox(seed, stream, i >> 2);
    const u32 even = i & 2 ? b.z : b.x, odd = i & 2 ? b.w : b.y;
    return i & 1 ? odd : even;
}

static inline u64 philox_u64(u64 seed, u64 stream, u64 i) {
    const philox_block b = philox(seed, stream, i >> 1);
    const u32 low = i & 1 ? b.z : b.x, high = i & 1 ? b.w : b.y;
    return (u64)high << 32 | low;
}

static inline f32 philox_unit_f32(u32 bits) {
    return (f32)(i32)(bits >> 8) * 5.9604644775390625e-8f; /* 2^-24 */
}

static inline f32 philox_f32(u64 seed, u64 stream, u64 i) {
    return philox_unit_f32(philox_u32(seed, stream, i));
}

/* -log(x) for x of 2^-126 and above: off by less than 2^-23 of itself or of 1. */
static inline f32 philox_minus_log_f32(f32 x) {
    const u32 shifted = f32_bits(x) + (0x3f800000u - 0x3f3504f3u);
    const i32 exponent = (i32)(shifted >> 23) - 127;
    const f32 f = bits_f32((shifted & 0x007fffffu) + 0x3f3504f3u) - 1.0f, z = f * f;
    f32 p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    return (0.5f * z - p * f * z) - f - (f32)exponent * 0.693147181f;
}

/* The top bit is the sign. With m the others the lower tail is p = (m + 1/2) / 2^32, and
 * what is 0 at its middle is 1 - 2p; neither is got by subtracting from the other. */
static inline f32 philox_normal_of_f32(u32 bits) {
    const u32 m = bits & 0x7fffffffu;
    const f32 twice = ((f32)(i32)m + 0.5f) * 4.6566128730773926e-10f; /* 2^-31 */
    const f32 x = ((f32)(i32)(0x7fffffffu - m) + 0.5f) * 4.6566128730773926e-10f;
    const f32 w = philox_minus_log_f32(twice * (1.0f + x));
    const int tail = w >= 5.0f;
    f32 r = bits_f32(0x5f375a86u - (f32_bits(w < 1.0f ? 1.0f : w) >> 1)); /* 1 / sqrt(w) */
    r = r * (1.5f - 0.5f * w * r * r);
    r = r * (1.5f - 0.5f * w * r * r);
    r = r * (1.5f - 0.5f * w * r * r);
    const f32 v = tail ? w * r - 3.5f : w - 2.5f;
    f32 p = tail ? 3.30081541e-05f : 0.0f;
    p = p * v + (tail ? 1.11099061e-05f : 3.19436039e-08f);
    p = p * v + (tail ? -0.000363594618f : 4.83949182e-07f);
    p = p * v + (tail ? 0.000756815214f : -4.88550636e-06f);
    p = p * v + (tail ? -0.000943043768f : -6.19446708e-06f);
    p = p * v + (tail ? 0.00145996145f : 0.000308740187f);
    p = p * v + (tail ? -0.00291879275f : -0.00177308355f);
    p = p * v + (tail ? 0.00465175538f : -0.00590765904f);
    p = p * v + (tail ? 1.42463429f : 0.348802717f);
    p = p * v + (tail ? 4.71708857f : 2.12331347f);
    const f32 z = p * x;
    return bits_f32(f32_bits(z) ^ (bits & 0x80000000u));
}

static inline f32 philox_normal_f32(u64 seed, u64 stream, u64 i) {
    return philox_normal_of_f32(philox_u32(seed, stream, i));
}

#ifdef WEFT_HAS_F64

static inline f64 philox_unit_f64(u64 bits) {
    return (f64)(i64)(bits >> 11) * 1.1102230246251565e-16; /* 2^-53 */
}

static inline f64 philox_f64(u64 seed, u64 stream, u64 i) {
    return philox_unit_f64(philox_u64(seed, stream, i));
}

/* -log(x) for normal x, by the series of 2 atanh((m - 1) / (m + 1)). */
static inline f64 philox_minus_log_f64(f64 x) {
    const u64 root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
    const u64 shifted = f64_bits(x) + (one - root);
    const i64 exponent = (i64)(shifted >> 52) - 1023;
    const f64 m = bits_f64((shifted & 0x000fffffffffffff) + root);
    const f64 s = (m - 1.0) / (m + 1.0), z = s * s;
    f64 p = 1.0 / 21.0;
    p = p * z + 1.0 / 19.0;
    p = p * z + 1.0 / 17.0;
    p = p * z + 1.0 / 15.0;
    p = p * z + 1.0 / 13.0;
    p = p * z + 1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z + 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z + 1.0 / 3.0;
    return -(f64)exponent * 0.6931471805599453094 - (2.0 * s + 2.0 * s * z * p);
}

/* As philox_normal_of_f32, with the lower tail in 2^64ths. */
static inline f64 philox_normal_of_f64(u64 bits) {
    const u64 sign = (u64)1 << 63, m = bits & (sign - 1);
    const f64 lower = ((f64)(i64)m + 0.5) * 5.421010862427522e-20; /* 2^-64 */
    const f64 q = ((f64)(i64)(sign - 1 - m) + 0.5) * 5.421010862427522e-20;
    const f64 far = sqrt(philox_minus_log_f64(lower));
    const int middle = q <= 0.425, near = far <= 5.0;
    const f64 r = middle ? 0.180625 - q * q : near ? far - 1.6 : far - 5.0;
    f64 a = middle ? 2509.0809287301226727
            : near ? 7.7454501427834140764e-4
                   : 2.01033439929228813265e-7;
    a = a * r + (middle ? 33430.575583588128105
                 : near ? 2.27238449892691845833e-2
                        : 2.71155556874348757815e-5);
    a = a * r + (middle ? 67265.770927008700853
                 : near ? 2.41780725177450611770e-1
                        : 1.24266094738807843860e-3);
    a = a * r + (middle ? 45921.953931549871457
                 : near ? 1.27045825245236838258
                        : 2.65321895265761230930e-2);
    a = a * r + (middle ? 13731.693765509461125
                 : near ? 3.64784832476320460504
                        : 2.96560571828504891230e-1);
    a = a * r + (middle ? 1971.5909503065514427
                 : near ? 5.76949722146069140550
                        : 1.78482653991729133580);
    a = a * r + (middle ? 133.14166789178437745
                 : near ? 4.63033784615654529590
                        : 5.46378491116411436990);
    a = a * r + (middle ? 3.3871328727963666080
                 : near ? 1.42343711074968357734
                        : 6.65790464350110377720);
    f64 b = middle ? 5226.495278852854561
            : near ? 1.05075007164441684324e-9
                   : 2.04426310338993978564e-15;
    b = b * r + (middle ? 28729.085735721942674
                 : near ? 5.47593808499534494600e-4
                        : 1.42151175831644588870e-7);
    b = b * r + (middle ? 39307.895800092710610
                 : near ? 1.51986665636164571966e-2
                        : 1.84631831751005468180e-5);
    b = b * r + (middle ? 21213.794301586595867
                 : near ? 1.48103976427480074590e-1
                        : 7.86869131145613259100e-4);
    b = b * r + (middle ? 5394.1960214247511077
                 : near ? 6.89767334985100004550e-1
                        : 1.48753612908506148525e-2);
    b = b * r + (middle ? 687.18700749205790830
                 : near ? 1.67638483018380384940
                        : 1.36929880922735805310e-1);
    b = b * r + (middle ? 42.313330701600911252
                 : near ? 2.05319162663775882187
                        : 5.99832206555887937690e-1);
    b = b * r + 1.0;
    const f64 z = (middle ? q : 1.0) * a / b;
    return bits_f64(f64_bits(z) ^ (bits & sign));
}

static inline f64 philox_normal_f64(u64 seed, u64 stream, u64 i) {
    return philox_normal_of_f64(philox_u64(seed, stream, i));
}

#endif
#endif
