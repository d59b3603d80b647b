/* Passes of Stockham's transform, and lines of real numbers as half as many complex ones.
 * Neighbouring work-items do neighbouring numbers. */
#ifndef FOURIER_KERNEL_H
#define FOURIER_KERNEL_H

#include "fourier_factors.kernel.h"

/* Where complex numbers lie: number l of row r of a block at l * line + r * row from its
 * first one on. */
typedef struct fourier_order {
    i64 line, row;
} fourier_order;

/* Blocks, one after the other, of n rows of `inner` numbers; rows are transformed with each
 * other. The root is that of n * each. */
typedef struct fourier_pass {
    i64 n, inner, each;
    i64 done; /* the product of the radices before */
    fourier_order from, to;
    i32 radix, inverse;
} fourier_pass;

/* The butterfly of work-item t: element r of its input is at from + r * from_step, element
 * k of its output at to + k * to_step; its twiddles are powers of root `turn`. */
typedef struct fourier_butterfly {
    index_t from, from_step, to, to_step, turn;
} fourier_butterfly;

static inline fourier_butterfly fourier_find(index_t t, fourier_pass a) {
    const index_t inner = (index_t)a.inner, flies = (index_t)a.n / a.radix;
    const index_t l = t % inner, row = t / inner, block = row / flies;
    const index_t fly = row - block * flies, done = (index_t)a.done, p = fly / done;
    const index_t base = 2 * block * (index_t)a.n * inner;
    const index_t from = 2 * (index_t)a.from.row, to = 2 * (index_t)a.to.row;
    fourier_butterfly f;
    f.from = base + 2 * l * (index_t)a.from.line + fly * from;
    f.from_step = flies * from;
    f.to = base + 2 * l * (index_t)a.to.line + (fly + done * (a.radix - 1) * p) * to;
    f.to_step = done * to;
    f.turn = p * done * (index_t)a.each;
    return f;
}

/* `root` has cos, -sin and sin of 2 pi k / n for all k. A product's real part is a sum with
 * the third: gcc 12 fuses a difference beside a sum, -ffp-contract=off or not. */
#pragma weft for T in f32 f64
typedef struct fourier_quad_T {
    T re[4], im[4];
} fourier_quad_T;

static inline fourier_quad_T fourier_get_T(GLOBAL const T *x, index_t step) {
    const fourier_quad_T z = {{x[0], x[step], x[2 * step], x[3 * step]},
                              {x[1], x[step + 1], x[2 * step + 1], x[3 * step + 1]}};
    return z;
}

static inline void fourier_put_T(fourier_quad_T z, GLOBAL T *y, index_t step) {
    for (i32 k = 0; k < 4; k++) {
        y[k * step] = z.re[k];
        y[k * step + 1] = z.im[k];
    }
}

/* Radix 4. */
static inline fourier_quad_T fourier_cross_T(fourier_quad_T x, i32 inverse, index_t turn,
                                             GLOBAL const T *root) {
    const i32 plus = inverse ? 2 : 1, minus = 3 - plus;
    const T sign = inverse ? (T)-1 : (T)1;
    GLOBAL const T *w = root + 3 * turn, *v = root + 6 * turn, *u = root + 9 * turn;
    const T s0r = x.re[0] + x.re[2], s0i = x.im[0] + x.im[2];
    const T d0r = x.re[0] - x.re[2], d0i = x.im[0] - x.im[2];
    const T s1r = x.re[1] + x.re[3], s1i = x.im[1] + x.im[3];
    const T d1r = sign * (x.im[1] - x.im[3]), d1i = sign * (x.re[3] - x.re[1]);
    const T y1r = d0r + d1r, y1i = d0i + d1i;
    const T y2r = s0r - s1r, y2i = s0i - s1i;
    const T y3r = d0r - d1r, y3i = d0i - d1i;
    fourier_quad_T y;
    y.re[0] = s0r + s1r;
    y.im[0] = s0i + s1i;
    y.re[1] = w[0] * y1r + w[minus] * y1i;
    y.im[1] = w[0] * y1i + w[plus] * y1r;
    y.re[2] = v[0] * y2r + v[minus] * y2i;
    y.im[2] = v[0] * y2i + v[plus] * y2r;
    y.re[3] = u[0] * y3r + u[minus] * y3i;
    y.im[3] = u[0] * y3i + u[plus] * y3r;
    return y;
}

static inline void fourier_four_T(index_t t, fourier_pass a, GLOBAL const T *root,
                                  GLOBAL const T *in, GLOBAL T *out) {
    const fourier_butterfly f = fourier_find(t, a);
    const fourier_quad_T x = fourier_get_T(in + f.from, f.from_step);
    fourier_put_T(fourier_cross_T(x, a.inverse, f.turn, root), out + f.to, f.to_step);
}

/* Number k of each of the quads. */
static inline fourier_quad_T fourier_row_T(i32 k, const fourier_quad_T *x,
                                           const fourier_quad_T *y, const fourier_quad_T *z,
                                           const fourier_quad_T *w) {
    const fourier_quad_T row = {{x->re[k], y->re[k], z->re[k], w->re[k]},
                                {x->im[k], y->im[k], z->im[k], w->im[k]}};
    return row;
}

/* Two passes of radix 4, without a way through memory between them. */
static inline void fourier_sixteen_T(index_t t, fourier_pass a, GLOBAL const T *root,
                                     GLOBAL const T *in, GLOBAL T *out) {
    const fourier_butterfly f = fourier_find(t, a);
    const index_t step = 4 * f.from_step, next = (index_t)a.n / 16 * (index_t)a.each;
    GLOBAL const T *at = in + f.from;
    fourier_quad_T x = fourier_get_T(at, step);
    fourier_quad_T y = fourier_get_T(at + f.from_step, step);
    fourier_quad_T z = fourier_get_T(at + 2 * f.from_step, step);
    fourier_quad_T w = fourier_get_T(at + 3 * f.from_step, step);
    x = fourier_cross_T(x, a.inverse, f.turn, root);
    y = fourier_cross_T(y, a.inverse, f.turn + next, root);
    z = fourier_cross_T(z, a.inverse, f.turn + 2 * next, root);
    w = fourier_cross_T(w, a.inverse, f.turn + 3 * next, root);
    for (i32 k = 0; k < 4; k++)
        fourier_put_T(
            fourier_cross_T(fourier_row_T(k, &x, &y, &z, &w), a.inverse, 4 * f.turn, root),
            out + f.to + k * f.to_step, 4 * f.to_step);
}

/* Any radix, by definition. */
static inline void fourier_define_T(i32 radix, fourier_butterfly f, fourier_pass a,
                                    GLOBAL const T *root, GLOBAL const T *in,
                                    GLOBAL T *out) {
    const i32 plus = a.inverse ? 2 : 1, minus = 3 - plus;
    const index_t one = (index_t)a.n / radix * (index_t)a.each;
    T xr[FOURIER_MOST_RADIX], xi[FOURIER_MOST_RADIX];
    for (i32 r = 0; r < radix; r++) {
        xr[r] = in[f.from + r * f.from_step];
        xi[r] = in[f.from + r * f.from_step + 1];
    }
    for (i32 k = 0; k < radix; k++) {
        T re = xr[0], im = xi[0];
        for (i32 r = 1; r < radix; r++) {
            GLOBAL const T *w = root + 3 * (one * (k * r % radix));
            re += w[0] * xr[r] + w[minus] * xi[r];
            im += w[0] * xi[r] + w[plus] * xr[r];
        }
        GLOBAL const T *v = root + 3 * (k * f.turn);
        out[f.to + k * f.to_step] = v[0] * re + v[minus] * im;
        out[f.to + k * f.to_step + 1] = v[0] * im + v[plus] * re;
    }
}

/* Known radices keep their numbers in registers. */
static inline void fourier_any_T(index_t t, fourier_pass a, GLOBAL const T *root,
                                 GLOBAL const T *in, GLOBAL T *out) {
    const fourier_butterfly f = fourier_find(t, a);
    if (a.radix == 2)
        fourier_define_T(2, f, a, root, in, out);
    else if (a.radix == 3)
        fourier_define_T(3, f, a, root, in, out);
    else if (a.radix == 5)
        fourier_define_T(5, f, a, root, in, out);
    else
        fourier_define_T(7, f, a, root, in, out);
}

/* From transforms z of lines of so many pairs of real numbers to lines of one more complex
 * number, and back. Work-item t does one number. `root` is that of 2 * pairs * each. */
static inline void fourier_split_T(index_t t, i64 pairs, i64 each, GLOBAL const T *root,
                                   GLOBAL const T *in, GLOBAL T *out) {
    const index_t m = (index_t)pairs, line = t / (m + 1), k = t - line * (m + 1);
    GLOBAL const T *z = in + 2 * (line * m + (k == m ? 0 : k));
    GLOBAL const T *other = in + 2 * (line * m + (k == 0 ? 0 : m - k));
    const T sr = z[0] + other[0], si = z[1] - other[1];
    const T dr = z[1] + other[1], di = other[0] - z[0];
    GLOBAL const T *w = root + 3 * k * (index_t)each;
    out[2 * t] = (T)0.5 * (sr + (w[0] * dr + w[2] * di));
    out[2 * t + 1] = (T)0.5 * (si + (w[0] * di + w[1] * dr));
}

static inline void fourier_join_T(index_t t, i64 pairs, i64 each, GLOBAL const T *root,
                                  GLOBAL const T *in, GLOBAL T *out) {
    const index_t m = (index_t)pairs, line = t / m, k = t - line * m;
    GLOBAL const T *z = in + 2 * (line * (m + 1) + k);
    GLOBAL const T *other = in + 2 * (line * (m + 1) + m - k);
    const T zi = k == 0 ? (T)0 : z[1], oi = k == 0 ? (T)0 : other[1];
    const T sr = z[0] + other[0], si = zi - oi;
    const T dr = z[0] - other[0], di = zi + oi;
    GLOBAL const T *w = root + 3 * k * (index_t)each;
    out[2 * t] = sr - (w[0] * di + w[2] * dr);
    out[2 * t + 1] = si + (w[0] * dr + w[1] * di);
}
#pragma weft end

#endif
