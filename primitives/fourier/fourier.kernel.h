/* Passes of Stockham's transform, and lines of real numbers as half as many complex ones.
 */
#ifndef FOURIER_KERNEL_H
#define FOURIER_KERNEL_H

#include "fourier_factors.kernel.h"

/* Blocks, one after the other, of n rows of `inner` complex numbers, of the last block
 * `last`; rows are transformed with each other. A work-item does up to FOURIER_ROW numbers
 * side by side of one butterfly. */
typedef struct fourier_pass {
    i64 n, inner, last, blocks;
    i64 parts; /* of a row: inner / FOURIER_ROW, rounded up */
    i64 done;  /* the product of the radices before */
    i32 radix, inverse;
} fourier_pass;

/* The butterfly of work-item t: element r of its input is from + r * from_step, element k
 * of its output to + k * to_step; its twiddles are powers of root `turn` of n. */
typedef struct fourier_butterfly {
    i64 from, from_step, to, to_step, turn;
    i32 count;
} fourier_butterfly;

static inline fourier_butterfly fourier_find(i64 t, fourier_pass a) {
    const i64 flies = a.n / a.radix, part = t % a.parts, fly = t / a.parts % flies;
    const i64 block = t / a.parts / flies, width = block == a.blocks - 1 ? a.last : a.inner;
    const i64 left = width - part * FOURIER_ROW;
    const i64 q = fly % a.done, p = fly / a.done;
    const i64 base = block * a.n * a.inner + part * FOURIER_ROW;
    fourier_butterfly f;
    f.from = base + fly * width;
    f.from_step = flies * width;
    f.to = base + (q + a.done * a.radix * p) * width;
    f.to_step = a.done * width;
    f.turn = p * a.done;
    f.count = left < 0 ? 0 : left < FOURIER_ROW ? (i32)left : FOURIER_ROW;
    return f;
}

/* `root` has cos, -sin and sin of 2 pi k / n for all k. A product's real part is a sum with
 * the third: gcc 12 fuses a difference beside a sum, -ffp-contract=off or not. */
#pragma weft for T in f32 f64
/* Radix 4. */
static inline void fourier_four_T(index_t t, fourier_pass a, GLOBAL const T *root,
                                  GLOBAL const T *in, GLOBAL T *out) {
    const fourier_butterfly f = fourier_find(t, a);
    const i32 plus = a.inverse ? 2 : 1, minus = 3 - plus;
    const T sign = a.inverse ? (T)-1 : (T)1;
    GLOBAL const T *w = root + 3 * f.turn, *v = root + 6 * f.turn, *u = root + 9 * f.turn;
    const T wr = w[0], wi = w[plus], wj = w[minus];
    const T vr = v[0], vi = v[plus], vj = v[minus];
    const T ur = u[0], ui = u[plus], uj = u[minus];
    for (i32 l = 0; l < f.count; l++) {
        GLOBAL const T *x = in + 2 * (f.from + l);
        GLOBAL T *y = out + 2 * (f.to + l);
        const T x0r = x[0], x0i = x[1];
        const T x1r = x[2 * f.from_step], x1i = x[2 * f.from_step + 1];
        const T x2r = x[4 * f.from_step], x2i = x[4 * f.from_step + 1];
        const T x3r = x[6 * f.from_step], x3i = x[6 * f.from_step + 1];
        const T s0r = x0r + x2r, s0i = x0i + x2i, d0r = x0r - x2r, d0i = x0i - x2i;
        const T s1r = x1r + x3r, s1i = x1i + x3i;
        const T d1r = sign * (x1i - x3i), d1i = sign * (x3r - x1r);
        const T y1r = d0r + d1r, y1i = d0i + d1i;
        const T y2r = s0r - s1r, y2i = s0i - s1i;
        const T y3r = d0r - d1r, y3i = d0i - d1i;
        y[0] = s0r + s1r;
        y[1] = s0i + s1i;
        y[2 * f.to_step] = wr * y1r + wj * y1i;
        y[2 * f.to_step + 1] = wr * y1i + wi * y1r;
        y[4 * f.to_step] = vr * y2r + vj * y2i;
        y[4 * f.to_step + 1] = vr * y2i + vi * y2r;
        y[6 * f.to_step] = ur * y3r + uj * y3i;
        y[6 * f.to_step + 1] = ur * y3i + ui * y3r;
    }
}

/* Any radix, by definition. */
static inline void fourier_any_T(index_t t, fourier_pass a, GLOBAL const T *root,
                                 GLOBAL const T *in, GLOBAL T *out) {
    const fourier_butterfly f = fourier_find(t, a);
    const i32 plus = a.inverse ? 2 : 1, minus = 3 - plus;
    const i64 one = a.n / a.radix;
    for (i32 k = 0; k < a.radix; k++) {
        T re[FOURIER_ROW], im[FOURIER_ROW];
        for (i32 l = 0; l < f.count; l++) {
            re[l] = in[2 * (f.from + l)];
            im[l] = in[2 * (f.from + l) + 1];
        }
        for (i32 r = 1; r < a.radix; r++) {
            GLOBAL const T *w = root + 3 * (one * (k * r % a.radix));
            GLOBAL const T *x = in + 2 * (f.from + r * f.from_step);
            const T wr = w[0], wi = w[plus], wj = w[minus];
            for (i32 l = 0; l < f.count; l++) {
                const T xr = x[2 * l], xi = x[2 * l + 1];
                re[l] += wr * xr + wj * xi;
                im[l] += wr * xi + wi * xr;
            }
        }
        GLOBAL const T *v = root + 3 * (k * f.turn);
        GLOBAL T *y = out + 2 * (f.to + k * f.to_step);
        const T vr = v[0], vi = v[plus], vj = v[minus];
        for (i32 l = 0; l < f.count; l++) {
            y[2 * l] = vr * re[l] + vj * im[l];
            y[2 * l + 1] = vr * im[l] + vi * re[l];
        }
    }
}

/* Lines of m complex numbers into blocks of FOURIER_ROW lines side by side, or back; work-
 * items count numbers of the blocks. */
static inline void fourier_weave_T(index_t t, i64 m, i64 lines, i32 back,
                                   GLOBAL const T *in, GLOBAL T *out) {
    const i64 block = t / (m * FOURIER_ROW), left = lines - block * FOURIER_ROW;
    const i64 width = left < FOURIER_ROW ? left : FOURIER_ROW;
    const i64 within = t - block * m * FOURIER_ROW;
    const i64 line = block * FOURIER_ROW + within % width;
    const i64 at = line * m + within / width;
    const i64 from = back ? t : at, to = back ? at : t;
    out[2 * to] = in[2 * from];
    out[2 * to + 1] = in[2 * from + 1];
}

/* From blocks of transforms z of lines of pairs of real numbers to lines of m + 1 complex
 * numbers, and back. Work-item t does one, or one of m. `root` is that of 2 m. */
static inline void fourier_split_T(index_t t, i64 m, i64 lines, GLOBAL const T *root,
                                   GLOBAL const T *in, GLOBAL T *out) {
    const i64 line = t / (m + 1), k = t % (m + 1), block = line / FOURIER_ROW;
    const i64 left = lines - block * FOURIER_ROW;
    const i64 width = left < FOURIER_ROW ? left : FOURIER_ROW;
    const i64 first = block * m * FOURIER_ROW + line % FOURIER_ROW;
    GLOBAL const T *z = in + 2 * (first + k % m * width);
    GLOBAL const T *other = in + 2 * (first + (m - k) % m * width);
    const T sr = z[0] + other[0], si = z[1] - other[1];
    const T dr = z[1] + other[1], di = other[0] - z[0];
    GLOBAL const T *w = root + 3 * k;
    out[2 * t] = (T)0.5 * (sr + (w[0] * dr + w[2] * di));
    out[2 * t + 1] = (T)0.5 * (si + (w[0] * di + w[1] * dr));
}

static inline void fourier_join_T(index_t t, i64 m, i64 lines, GLOBAL const T *root,
                                  GLOBAL const T *in, GLOBAL T *out) {
    const i64 block = t / (m * FOURIER_ROW), left = lines - block * FOURIER_ROW;
    const i64 width = left < FOURIER_ROW ? left : FOURIER_ROW;
    const i64 within = t - block * m * FOURIER_ROW, k = within / width;
    const i64 line = block * FOURIER_ROW + within % width;
    GLOBAL const T *z = in + 2 * (line * (m + 1) + k);
    GLOBAL const T *other = in + 2 * (line * (m + 1) + m - k);
    const T zi = k == 0 ? (T)0 : z[1], oi = k == 0 ? (T)0 : other[1];
    const T sr = z[0] + other[0], si = zi - oi;
    const T dr = z[0] - other[0], di = zi + oi;
    GLOBAL const T *w = root + 3 * k;
    out[2 * t] = sr - (w[0] * di + w[2] * dr);
    out[2 * t + 1] = si + (w[0] * dr + w[1] * di);
}
#pragma weft end

#endif
