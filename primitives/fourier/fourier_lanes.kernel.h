/* All passes of FOURIER_ROW lines side by side while they are in a thread's cache. What
 * each number goes through is what it does in fourier.kernel.h, step by step. */
#ifndef FOURIER_LANES_KERNEL_H
#define FOURIER_LANES_KERNEL_H

#include "fourier_factors.kernel.h"

enum { FOURIER_ROW = 16, FOURIER_LANES_ROW = 2 * FOURIER_ROW };

/* Blocks, one after the other, of n rows of `inner` complex numbers, which have `parts` of
 * up to FOURIER_ROW numbers. Work-item t does the parts from t * items / turns on, in room
 * of its own: two times n rows of FOURIER_ROW real parts and as many imaginary ones. */
typedef struct fourier_lanes {
    i64 n, inner, parts, items, turns;
    i32 inverse;
} fourier_lanes;

static inline i64 fourier_lanes_room(i64 n) {
    return 2 * n * FOURIER_LANES_ROW;
}

#pragma weft for T in f32 f64
/* What is kept apart from rows, so that a compiler sees that it is. */
typedef struct fourier_lanes_sums_T {
    T re[FOURIER_ROW], im[FOURIER_ROW];
} fourier_lanes_sums_T;

static inline void fourier_lanes_get_T(fourier_lanes_sums_T *s, GLOBAL const T *row) {
    for (i32 l = 0; l < FOURIER_ROW; l++) {
        s->re[l] = row[l];
        s->im[l] = row[FOURIER_ROW + l];
    }
}

static inline void fourier_lanes_put_T(const fourier_lanes_sums_T *s, GLOBAL T *row) {
    for (i32 l = 0; l < FOURIER_ROW; l++)
        row[l] = s->re[l];
    for (i32 l = 0; l < FOURIER_ROW; l++)
        row[FOURIER_ROW + l] = s->im[l];
}

/* y times w, of which `minus` is the imaginary part with the other sign. */
static inline void fourier_lanes_turn_T(const fourier_lanes_sums_T *y, T re, T im, T minus,
                                        GLOBAL T *row) {
    fourier_lanes_sums_T s;
    for (i32 l = 0; l < FOURIER_ROW; l++) {
        s.re[l] = re * y->re[l] + minus * y->im[l];
        s.im[l] = re * y->im[l] + im * y->re[l];
    }
    fourier_lanes_put_T(&s, row);
}

static inline void fourier_lanes_four_T(i64 n, i64 done, i32 inverse, GLOBAL const T *root,
                                        GLOBAL const T *in, GLOBAL T *out) {
    const i64 flies = n / 4, step = flies * FOURIER_LANES_ROW;
    const i64 to_step = done * FOURIER_LANES_ROW;
    const i32 plus = inverse ? 2 : 1, minus = 3 - plus;
    const T sign = inverse ? (T)-1 : (T)1;
    for (i64 p = 0; p < flies / done; p++) {
        const i64 turn = 3 * p * done;
        GLOBAL const T *w = root + turn, *v = w + turn, *u = v + turn;
        for (i64 q = 0; q < done; q++) {
            GLOBAL const T *x = in + (p * done + q) * FOURIER_LANES_ROW;
            GLOBAL T *y = out + (q + 4 * done * p) * FOURIER_LANES_ROW;
            fourier_lanes_sums_T x0, x1, x2, x3, y0, y1, y2, y3;
            fourier_lanes_get_T(&x0, x);
            fourier_lanes_get_T(&x1, x + step);
            fourier_lanes_get_T(&x2, x + 2 * step);
            fourier_lanes_get_T(&x3, x + 3 * step);
            for (i32 l = 0; l < FOURIER_ROW; l++) {
                const T s0r = x0.re[l] + x2.re[l], s0i = x0.im[l] + x2.im[l];
                const T d0r = x0.re[l] - x2.re[l], d0i = x0.im[l] - x2.im[l];
                const T s1r = x1.re[l] + x3.re[l], s1i = x1.im[l] + x3.im[l];
                const T d1r = sign * (x1.im[l] - x3.im[l]);
                const T d1i = sign * (x3.re[l] - x1.re[l]);
                y0.re[l] = s0r + s1r, y0.im[l] = s0i + s1i;
                y1.re[l] = d0r + d1r, y1.im[l] = d0i + d1i;
                y2.re[l] = s0r - s1r, y2.im[l] = s0i - s1i;
                y3.re[l] = d0r - d1r, y3.im[l] = d0i - d1i;
            }
            fourier_lanes_put_T(&y0, y);
            fourier_lanes_turn_T(&y1, w[0], w[plus], w[minus], y + to_step);
            fourier_lanes_turn_T(&y2, v[0], v[plus], v[minus], y + 2 * to_step);
            fourier_lanes_turn_T(&y3, u[0], u[plus], u[minus], y + 3 * to_step);
        }
    }
}

static inline void fourier_lanes_any_T(i64 n, i64 done, i32 radix, i32 inverse,
                                       GLOBAL const T *root, GLOBAL const T *in,
                                       GLOBAL T *out) {
    const i64 flies = n / radix;
    const i32 plus = inverse ? 2 : 1, minus = 3 - plus;
    for (i64 fly = 0; fly < flies; fly++) {
        const i64 p = fly / done, to = fly - p * done + done * radix * p;
        for (i32 k = 0; k < radix; k++) {
            fourier_lanes_sums_T s, x;
            fourier_lanes_get_T(&s, in + fly * FOURIER_LANES_ROW);
            for (i32 r = 1; r < radix; r++) {
                GLOBAL const T *w = root + 3 * (flies * (k * r % radix));
                const T wr = w[0], wi = w[plus], wj = w[minus];
                fourier_lanes_get_T(&x, in + (fly + r * flies) * FOURIER_LANES_ROW);
                for (i32 l = 0; l < FOURIER_ROW; l++) {
                    s.re[l] += wr * x.re[l] + wj * x.im[l];
                    s.im[l] += wr * x.im[l] + wi * x.re[l];
                }
            }
            GLOBAL const T *v = root + 3 * (k * p * done);
            fourier_lanes_turn_T(&s, v[0], v[plus], v[minus],
                                 out + (to + k * done) * FOURIER_LANES_ROW);
        }
    }
}

/* All passes of the n rows that lie in the first half of the room; returns where they lie
 * then. */
static inline GLOBAL T *fourier_lanes_pass_T(i64 n, i32 inverse, GLOBAL const T *root,
                                             GLOBAL T *room) {
    GLOBAL T *now = room, *next = room + n * FOURIER_LANES_ROW;
    for (i64 done = 1; done < n;) {
        const i32 radix = fourier_factors_next(n / done);
        if (radix == 4)
            fourier_lanes_four_T(n, done, inverse, root, now, next);
        else
            fourier_lanes_any_T(n, done, radix, inverse, root, now, next);
        GLOBAL T *last = now;
        now = next;
        next = last;
        done *= radix;
    }
    return now;
}

/* Lines of complex numbers side by side, in place. */
static inline void fourier_lanes_axis_T(index_t t, fourier_lanes a, GLOBAL const T *root,
                                        GLOBAL T *rooms, GLOBAL T *numbers) {
    GLOBAL T *room = rooms + (i64)t * fourier_lanes_room(a.n);
    const i64 upto = ((i64)t + 1) * a.items / a.turns;
    for (i64 item = (i64)t * a.items / a.turns; item < upto; item++) {
        const i64 block = item / a.parts, first = (item - block * a.parts) * FOURIER_ROW;
        const i32 count = (i32)min((i64)FOURIER_ROW, a.inner - first);
        GLOBAL T *at = numbers + 2 * (block * a.n * a.inner + first);
        for (i64 k = 0; k < a.n; k++) {
            GLOBAL T *row = room + k * FOURIER_LANES_ROW;
            GLOBAL const T *from = at + 2 * k * a.inner;
            for (i32 l = 0; l < count; l++) {
                row[l] = from[2 * l];
                row[FOURIER_ROW + l] = from[2 * l + 1];
            }
            for (i32 l = count; l < FOURIER_ROW; l++)
                row[l] = row[FOURIER_ROW + l] = (T)0;
        }
        GLOBAL const T *done = fourier_lanes_pass_T(a.n, a.inverse, root, room);
        for (i64 k = 0; k < a.n; k++) {
            GLOBAL const T *row = done + k * FOURIER_LANES_ROW;
            GLOBAL T *to = at + 2 * k * a.inner;
            for (i32 l = 0; l < count; l++) {
                to[2 * l] = row[l];
                to[2 * l + 1] = row[FOURIER_ROW + l];
            }
        }
    }
}

/* Lines along the last axis, a.inner of them in all, of 2 a.n real numbers, which are taken
 * as half as many complex ones. `whole` is the root of 2 a.n. */
static inline void fourier_lanes_split_T(index_t t, fourier_lanes a, GLOBAL const T *root,
                                         GLOBAL const T *whole, GLOBAL T *rooms,
                                         GLOBAL const T *real, GLOBAL T *spectrum) {
    const i64 n = a.n, upto = ((i64)t + 1) * a.items / a.turns;
    GLOBAL T *room = rooms + (i64)t * fourier_lanes_room(n);
    for (i64 item = (i64)t * a.items / a.turns; item < upto; item++) {
        const i64 first = item * FOURIER_ROW;
        const i32 count = (i32)min((i64)FOURIER_ROW, a.inner - first);
        for (i32 l = 0; l < FOURIER_ROW; l++) {
            GLOBAL const T *from = real + 2 * (first + l) * n;
            for (i64 k = 0; k < n; k++) {
                room[k * FOURIER_LANES_ROW + l] = l < count ? from[2 * k] : (T)0;
                room[k * FOURIER_LANES_ROW + FOURIER_ROW + l] =
                    l < count ? from[2 * k + 1] : (T)0;
            }
        }
        GLOBAL const T *done = fourier_lanes_pass_T(n, a.inverse, root, room);
        for (i64 k = 0; k <= n; k++) {
            const T wr = whole[3 * k], wi = whole[3 * k + 1], wj = whole[3 * k + 2];
            fourier_lanes_sums_T z, other, s;
            fourier_lanes_get_T(&z, done + k % n * FOURIER_LANES_ROW);
            fourier_lanes_get_T(&other, done + (n - k) % n * FOURIER_LANES_ROW);
            for (i32 l = 0; l < FOURIER_ROW; l++) {
                const T sr = z.re[l] + other.re[l], si = z.im[l] - other.im[l];
                const T dr = z.im[l] + other.im[l], di = other.re[l] - z.re[l];
                s.re[l] = (T)0.5 * (sr + (wr * dr + wj * di));
                s.im[l] = (T)0.5 * (si + (wr * di + wi * dr));
            }
            for (i32 l = 0; l < count; l++) {
                GLOBAL T *to = spectrum + 2 * ((first + l) * (n + 1) + k);
                to[0] = s.re[l];
                to[1] = s.im[l];
            }
        }
    }
}

static inline void fourier_lanes_join_T(index_t t, fourier_lanes a, GLOBAL const T *root,
                                        GLOBAL const T *whole, GLOBAL T *rooms,
                                        GLOBAL const T *spectrum, GLOBAL T *real) {
    const i64 n = a.n, upto = ((i64)t + 1) * a.items / a.turns;
    GLOBAL T *room = rooms + (i64)t * fourier_lanes_room(n);
    for (i64 item = (i64)t * a.items / a.turns; item < upto; item++) {
        const i64 first = item * FOURIER_ROW;
        const i32 count = (i32)min((i64)FOURIER_ROW, a.inner - first);
        for (i64 k = 0; k < n; k++) {
            const T wr = whole[3 * k], wi = whole[3 * k + 1], wj = whole[3 * k + 2];
            fourier_lanes_sums_T z, other, s;
            for (i32 l = 0; l < FOURIER_ROW; l++) {
                const i64 line = (first + min(l, count - 1)) * (n + 1);
                z.re[l] = spectrum[2 * (line + k)];
                z.im[l] = spectrum[2 * (line + k) + 1];
                other.re[l] = spectrum[2 * (line + n - k)];
                other.im[l] = spectrum[2 * (line + n - k) + 1];
            }
            for (i32 l = 0; l < FOURIER_ROW && k == 0; l++)
                z.im[l] = other.im[l] = (T)0;
            for (i32 l = 0; l < FOURIER_ROW; l++) {
                const T sr = z.re[l] + other.re[l], si = z.im[l] - other.im[l];
                const T dr = z.re[l] - other.re[l], di = z.im[l] + other.im[l];
                s.re[l] = sr - (wr * di + wj * dr);
                s.im[l] = si + (wr * dr + wi * di);
            }
            fourier_lanes_put_T(&s, room + k * FOURIER_LANES_ROW);
        }
        GLOBAL const T *done = fourier_lanes_pass_T(n, a.inverse, root, room);
        for (i32 l = 0; l < count; l++) {
            GLOBAL T *to = real + 2 * (first + l) * n;
            for (i64 k = 0; k < n; k++) {
                to[2 * k] = done[k * FOURIER_LANES_ROW + l];
                to[2 * k + 1] = done[k * FOURIER_LANES_ROW + FOURIER_ROW + l];
            }
        }
    }
}
#pragma weft end

#endif
