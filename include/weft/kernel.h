/* The dialect: what a kernel file may use beyond plain C. A host compiler includes this
 * file; the OpenCL backend pastes it before the kernels. Kernel files include it first.
 *
 *   names      i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, index_t, GLOBAL, CONSTANT
 *   generic    of f32 and f64 alike: sqrt cbrt hypot fabs floor ceil round trunc fmod fmin
 *              fmax copysign exp exp2 log log2 log10 pow sin cos tan asin acos atan atan2
 *              sinh cosh tanh; min max (both arguments of one type, NaN undefined),
 *              popcount clz (of u32 and u64), fma(a, b, c), a * b + c rounded once (a call
 *              of the C library where the machine that is compiled for has no such
 *              instruction)
 *   fast       of f32: rsqrt(x), 1 / sqrt(x) for x of 2^-126 and above with a relative
 *              error below 2^-17 (below 2^-126 it may be infinite); rsqrt_rough(x), the
 *              same with an error below 2^-10; rsqrt_guess(x), with one below 0.0344;
 *              mad(a, b, c), a * b + c, fused or not
 *   hints      prefetch(p, 1): what p points to will be used soon; prefetch_far(p, 1): in a
 *              while, for the second cache; nothing in OpenCL; SELDOM before a function:
 *              callers seldom need it, and keep their registers to themselves; nothing on
 *              GPUs
 *   bits       f32_bits f64_bits bits_f32 bits_f64: the same bits as another type
 *   atomics    on u32: atomic_load_u32 atomic_store_u32 atomic_cas_u32 atomic_min_u32
 *              atomic_max_u32 atomic_add_u32 atomic_or_u32, all relaxed, which return the
 *              value before; the same on u64 if WEFT_ATOMIC_U64 is defined
 *
 * Rules: parameters are no size_t, bool or pointers other than arrays (or bundles of them);
 * names of functions begin with the name of the file, as weft-embed requires, so that none
 * is that of an OpenCL built-in (distance, length, mix, step, ...); tables at file scope
 * are CONSTANT; double literals have no suffix, float literals an f; i64 literals are cast;
 * `half` is reserved. No other operation is fused. On the host, sqrt, min and the other
 * generic functions are macros: include kernel files after all other headers. */
#ifndef WEFT_KERNEL_H
#define WEFT_KERNEL_H

#ifdef __OPENCL_VERSION__

#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double f64;
#define WEFT_HAS_F64
#endif
typedef char i8;
typedef uchar u8;
typedef short i16;
typedef ushort u16;
typedef int i32;
typedef uint u32;
typedef long i64;
typedef ulong u64;
typedef float f32;
typedef WEFT_INDEX index_t;
#define GLOBAL __global
#define CONSTANT __constant

#ifdef WEFT_PTX /* off by less than 2^-22, says NVIDIA's "PTX ISA" of rsqrt.approx */
static inline f32 weft_rsqrt_f32(f32 x) {
    f32 y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#define rsqrt(x) weft_rsqrt_f32(x)
#endif
#define rsqrt_rough(x) rsqrt(x)
#define prefetch(p, n) ((void)(p), (void)(n))
#define prefetch_far(p, n) ((void)(p), (void)(n))
#ifndef SELDOM /* told on CPUs */
#define SELDOM
#endif
#define rsqrt_guess(x) rsqrt(x)
#define f32_bits(x) as_uint((f32)(x))
#define bits_f32(x) as_float((u32)(x))
#ifdef cl_khr_fp64
#define f64_bits(x) as_ulong((f64)(x))
#define bits_f64(x) as_double((u64)(x))
#endif

#define atomic_load_u32(p) (*(volatile GLOBAL u32 *)(p))
#define atomic_store_u32(p, v) ((void)(*(volatile GLOBAL u32 *)(p) = (v)))
#define atomic_cas_u32(p, expected, desired) atomic_cmpxchg(p, expected, desired)
#define atomic_min_u32(p, v) atomic_min(p, v)
#define atomic_max_u32(p, v) atomic_max(p, v)
#define atomic_add_u32(p, v) atomic_add(p, v)
#define atomic_or_u32(p, v) atomic_or(p, v)
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define WEFT_ATOMIC_U64
#define atomic_load_u64(p) (*(volatile GLOBAL u64 *)(p))
#define atomic_store_u64(p, v) ((void)(*(volatile GLOBAL u64 *)(p) = (v)))
#define atomic_cas_u64(p, expected, desired) atom_cmpxchg(p, expected, desired)
#define atomic_min_u64(p, v) atom_min(p, v)
#define atomic_max_u64(p, v) atom_max(p, v)
#define atomic_add_u64(p, v) atom_add(p, v)
#define atomic_or_u64(p, v) atom_or(p, v)
#endif

#else /* the host */

#include <math.h>
#include <string.h>
#include "short_names.h"

#define GLOBAL
#define CONSTANT static const
#define WEFT_HAS_F64

#define WEFT_OF_F32(x, single, f) _Generic((x), f32 : single, default : f)
#define sqrt(x) WEFT_OF_F32(x, sqrtf, sqrt)(x)
#define cbrt(x) WEFT_OF_F32(x, cbrtf, cbrt)(x)
#define hypot(x, y) WEFT_OF_F32((x) + (y), hypotf, hypot)(x, y)
#define fabs(x) WEFT_OF_F32(x, fabsf, fabs)(x)
#define floor(x) WEFT_OF_F32(x, floorf, floor)(x)
#define ceil(x) WEFT_OF_F32(x, ceilf, ceil)(x)
#define round(x) WEFT_OF_F32(x, roundf, round)(x)
#define trunc(x) WEFT_OF_F32(x, truncf, trunc)(x)
#define fmod(x, y) WEFT_OF_F32((x) + (y), fmodf, fmod)(x, y)
#define fmin(x, y) WEFT_OF_F32((x) + (y), fminf, fmin)(x, y)
#define fmax(x, y) WEFT_OF_F32((x) + (y), fmaxf, fmax)(x, y)
#define copysign(x, y) WEFT_OF_F32((x) + (y), copysignf, copysign)(x, y)
#define exp(x) WEFT_OF_F32(x, expf, exp)(x)
#define exp2(x) WEFT_OF_F32(x, exp2f, exp2)(x)
#define log(x) WEFT_OF_F32(x, logf, log)(x)
#define log2(x) WEFT_OF_F32(x, log2f, log2)(x)
#define log10(x) WEFT_OF_F32(x, log10f, log10)(x)
#define pow(x, y) WEFT_OF_F32(x, powf, pow)(x, y)
#define sin(x) WEFT_OF_F32(x, sinf, sin)(x)
#define cos(x) WEFT_OF_F32(x, cosf, cos)(x)
#define tan(x) WEFT_OF_F32(x, tanf, tan)(x)
#define asin(x) WEFT_OF_F32(x, asinf, asin)(x)
#define acos(x) WEFT_OF_F32(x, acosf, acos)(x)
#define atan(x) WEFT_OF_F32(x, atanf, atan)(x)
#define atan2(y, x) WEFT_OF_F32((y) + (x), atan2f, atan2)(y, x)
#define sinh(x) WEFT_OF_F32(x, sinhf, sinh)(x)
#define cosh(x) WEFT_OF_F32(x, coshf, cosh)(x)
#define tanh(x) WEFT_OF_F32(x, tanhf, tanh)(x)
#define fma(a, b, c) WEFT_OF_F32(a, fmaf, fma)(a, b, c)
#define rsqrt(x) weft_rsqrt_f32(x)
#define rsqrt_rough(x) weft_rsqrt_rough_f32(x)
#define rsqrt_guess(x) weft_rsqrt_guess_f32(x)
#define mad(a, b, c) ((a) * (b) + (c))
#define prefetch(p, n) ((void)(n), __builtin_prefetch(p))
#define prefetch_far(p, n) ((void)(n), __builtin_prefetch(p, 0, 2))
#define SELDOM __attribute__((noinline))
#define popcount(x) _Generic((x), u32 : weft_popcount_u32, u64 : weft_popcount_u64)(x)
#define clz(x) _Generic((x), u32 : weft_clz_u32, u64 : weft_clz_u64)(x)
#define WEFT_EXTREME(which, x)                                                             \
    _Generic((x), u32                                                                      \
             : weft_##which##_u32, i64                                                     \
             : weft_##which##_i64, u64                                                     \
             : weft_##which##_u64, f32                                                     \
             : weft_##which##_f32, f64                                                     \
             : weft_##which##_f64, default                                                 \
             : weft_##which##_i32)
#define min(x, y) WEFT_EXTREME(min, (x) + (y))(x, y)
#define max(x, y) WEFT_EXTREME(max, (x) + (y))(x, y)

static inline u32 weft_popcount_u32(u32 x) {
    return (u32)__builtin_popcount(x);
}
static inline u64 weft_popcount_u64(u64 x) {
    return (u64)__builtin_popcountll(x);
}
static inline u32 weft_clz_u32(u32 x) {
    return x ? (u32)__builtin_clz(x) : 32;
}
static inline u64 weft_clz_u64(u64 x) {
    return x ? (u64)__builtin_clzll(x) : 64;
}
static inline i32 weft_min_i32(i32 x, i32 y) {
    return y < x ? y : x;
}
static inline u32 weft_min_u32(u32 x, u32 y) {
    return y < x ? y : x;
}
static inline i64 weft_min_i64(i64 x, i64 y) {
    return y < x ? y : x;
}
static inline u64 weft_min_u64(u64 x, u64 y) {
    return y < x ? y : x;
}
static inline f32 weft_min_f32(f32 x, f32 y) {
    return y < x ? y : x;
}
static inline f64 weft_min_f64(f64 x, f64 y) {
    return y < x ? y : x;
}
static inline i32 weft_max_i32(i32 x, i32 y) {
    return x < y ? y : x;
}
static inline u32 weft_max_u32(u32 x, u32 y) {
    return x < y ? y : x;
}
static inline i64 weft_max_i64(i64 x, i64 y) {
    return x < y ? y : x;
}
static inline u64 weft_max_u64(u64 x, u64 y) {
    return x < y ? y : x;
}
static inline f32 weft_max_f32(f32 x, f32 y) {
    return x < y ? y : x;
}
static inline f64 weft_max_f64(f64 x, f64 y) {
    return x < y ? y : x;
}

static inline u32 f32_bits(f32 x) {
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline u64 f64_bits(f64 x) {
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline f32 bits_f32(u32 bits) {
    f32 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline f64 bits_f64(u64 bits) {
    f64 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Half of the exponent, and a straight line for the rest. */
static inline f32 weft_rsqrt_guess_f32(f32 x) {
    return bits_f32(0x5f37642fu - (f32_bits(x) >> 1));
}
/* A guess off by 3.5 %, and Newton's step with its factors such that what is left, 6.51e-4,
 * is as small above as below. (Moroz, Walczyk, Hrynchyshyn, Holimath, Cieslinski, "Fast
 * calculation of inverse square root with the use of magic constant", Appl. Math. Comput.
 * 316 (2018) 245.) Vectors of it are faster than division. */
static inline f32 weft_rsqrt_rough_f32(f32 x) {
    const f32 y = bits_f32(0x5f1ffff9u - (f32_bits(x) >> 1)), h = 0.703952253f * x;
    return y * (1.68191409f - h * y * y);
}
/* Another step leaves 6.4e-7. */
static inline f32 weft_rsqrt_f32(f32 x) {
    const f32 y = weft_rsqrt_rough_f32(x), h = 0.5f * x;
    return y * (1.5f - h * y * y);
}

#define WEFT_ATOMIC_U64
#define atomic_load_u32(p) __atomic_load_n((u32 *)(p), __ATOMIC_RELAXED)
#define atomic_store_u32(p, v) __atomic_store_n((u32 *)(p), (v), __ATOMIC_RELAXED)
#define atomic_add_u32(p, v) __atomic_fetch_add((u32 *)(p), (v), __ATOMIC_RELAXED)
#define atomic_or_u32(p, v) __atomic_fetch_or((u32 *)(p), (v), __ATOMIC_RELAXED)
#define atomic_load_u64(p) __atomic_load_n((u64 *)(p), __ATOMIC_RELAXED)
#define atomic_store_u64(p, v) __atomic_store_n((u64 *)(p), (v), __ATOMIC_RELAXED)
#define atomic_add_u64(p, v) __atomic_fetch_add((u64 *)(p), (v), __ATOMIC_RELAXED)
#define atomic_or_u64(p, v) __atomic_fetch_or((u64 *)(p), (v), __ATOMIC_RELAXED)

static inline u32 atomic_cas_u32(u32 *p, u32 expected, u32 desired) {
    __atomic_compare_exchange_n(p, &expected, desired, 0, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return expected;
}
static inline u64 atomic_cas_u64(u64 *p, u64 expected, u64 desired) {
    __atomic_compare_exchange_n(p, &expected, desired, 0, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return expected;
}
static inline u32 atomic_min_u32(u32 *p, u32 v) {
    u32 seen = atomic_load_u32(p);
    while (v < seen && atomic_cas_u32(p, seen, v) != seen)
        seen = atomic_load_u32(p);
    return seen;
}
static inline u32 atomic_max_u32(u32 *p, u32 v) {
    u32 seen = atomic_load_u32(p);
    while (v > seen && atomic_cas_u32(p, seen, v) != seen)
        seen = atomic_load_u32(p);
    return seen;
}
static inline u64 atomic_min_u64(u64 *p, u64 v) {
    u64 seen = atomic_load_u64(p);
    while (v < seen && atomic_cas_u64(p, seen, v) != seen)
        seen = atomic_load_u64(p);
    return seen;
}
static inline u64 atomic_max_u64(u64 *p, u64 v) {
    u64 seen = atomic_load_u64(p);
    while (v > seen && atomic_cas_u64(p, seen, v) != seen)
        seen = atomic_load_u64(p);
    return seen;
}

#endif
#endif
