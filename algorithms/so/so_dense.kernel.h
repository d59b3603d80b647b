/* A sphere around a center, and whether it is dense. */
#ifndef WEFT_SO_DENSE_KERNEL_H
#define WEFT_SO_DENSE_KERNEL_H

#include "algorithms/so/around/so_search.kernel.h"

/* Bounds on sixth powers and squares are off by less than this for their roundings. */
CONSTANT f64 SO_DOUBT = 1e-9;

/* Around a center: how far it came, room for how many particles it needs there, of which
 * so many are in its list, by shells so wide, and what was found for each threshold. */
typedef struct so_sphere {
    f64 center[3], reach, width;
    i64 need, listed;
    i64 count[SO_SEARCH_MOST];
    f64 mass[SO_SEARCH_MOST];
} so_sphere;

/* a b, as a sum of two f64, exactly: the product of Dekker 1971, "A floating-point
 * technique for extending the available precision", by Veltkamp's splitting. */
static inline f64 so_product(f64 a, f64 b, f64 *rest) {
    const f64 p = a * b, ta = a * 134217729.0, tb = b * 134217729.0;
    const f64 a1 = ta - (ta - a), b1 = tb - (tb - b), a2 = a - a1, b2 = b - b1;
    *rest = a2 * b2 - (p - a1 * b1 - a2 * b1 - a1 * b2);
    return p;
}

/* The cube root of x > 0, to nearest: Halley's steps, and a last one from the exact
 * residual. */
static inline f64 so_cube_root(f64 x) {
    f64 y = bits_f64(f64_bits(x) / 3 + ((u64)0x2a9f7893 << 32)), rest, rest2;
    for (i32 k = 0; k < 3; k++) {
        const f64 cube = y * y * y;
        y = y * ((cube + 2 * x) / (2 * cube + x));
    }
    const f64 square = so_product(y, y, &rest), cube = so_product(square, y, &rest2);
    return y + ((x - cube) - (rest2 + rest * y)) / (3 * square);
}

static inline i32 so_dense(f64 mass, f64 q, f64 r2) {
    return mass * mass * q > r2 * r2 * r2;
}

/* Whether of `count` particles of that mass within reach the last crossing is known: there
 * are no others, or none past the reach can be dense, or the next one is not after the last
 * that is. */
static inline i32 so_is_last(const so_search *s, i64 points, i64 count, f64 mass, i32 dense,
                             f64 q, f64 reach) {
    const f64 most = dense ? min(mass + s->greatest, s->all_mass) : s->all_mass;
    return (!s->in_part && count == points) ||
           !so_dense(most, q * (1 + SO_DOUBT), reach * reach);
}

#endif
