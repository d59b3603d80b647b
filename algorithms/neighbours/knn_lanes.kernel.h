/* Members of a leaf that ask together, a lane each, and keys of their candidates: squared
 * distances in f32, which decide where they are far enough from each other.
 *
 * Places are f32 from one of those who ask, in a unit that those have less than one of to
 * it on each axis. With u = 2^-24, a candidate at d from one of them has a place that is
 * off by u (1 + d) on each axis, the other by u, their difference by u d more, and its
 * square by 2 sqrt(3) d u (2 + 2 d); products and sums add 3 u d^2. What rounding in f64,
 * and remainders of a period that is no more than 2^20 units, add is below u / 16. In all a
 * square is off by less than e(d) = u (10 d + 16 d^2).
 *
 * A key is the square in parts of KNN_FAR, cut, above the candidate's number. Where keys
 * differ by more than `off`, which is 2 e and 3 parts, so do the distances as defined, and
 * the same way. */
#ifndef WEFT_KNN_LANES_KERNEL_H
#define WEFT_KNN_LANES_KERNEL_H

#include "knn.kernel.h"
#include "knn_keys.kernel.h"

enum {
    KNN_NUMBER_BITS = 10,
    KNN_NUMBERS = 1 << KNN_NUMBER_BITS,
    KNN_FAR = (1 << 21) - 1,
    KNN_NO_KEY = 0x7fffffff, /* as far, and of no candidate */
    KNN_WITHIN = 2095000,    /* parts of the largest that counts */
    KNN_LIST_MOST = 2 * KNN_MOST,
    KNN_BESIDE_MOST =
        2 * (KNN_MOST / KNN_LEAF + 1) + 1 /* leaves that are looked at first */
};

typedef struct knn_lanes {
    i64 halo, begin, end; /* the members of the halo */
    i64 first;            /* the first who asks, */
    u32 asking;           /*   and how many do */
    i64 low, high;        /* leaves of the halo that are looked at first, */
    i64 from, to;         /*   and members among them: who asks, and more than k */
    i32 wraps;
    f64 period[3], center[3], scale; /* infinite: an axis without period */
    u32 k;
    i32 rows;                                     /* of a list: more than k */
    f32 x[KNN_LANES], y[KNN_LANES], z[KNN_LANES]; /* who asks */
    f32 factor[KNN_LANES], part[KNN_LANES];       /* parts of a square, and one */
    f32 limit[KNN_LANES];                         /* squares of candidates */
    i32 off[KNN_LANES];                           /* parts: what tells two keys apart */
    u32 numbers, waiting;                         /* candidates in lists; and others */
    u32 place[KNN_NUMBERS + 2 * KNN_KEYS];        /* of candidates, in the tree */
    f32 next_x[2 * KNN_KEYS], next_y[2 * KNN_KEYS], next_z[2 * KNN_KEYS]; /* who wait */
    i32 list[KNN_LIST_MOST * KNN_LANES], key[KNN_KEYS * KNN_LANES];
} knn_lanes;

/* A coordinate of the members of a leaf; those that it lacks are far away. */
static inline void knn_lanes_column(const knn_lanes *g, GLOBAL const f64 *x, i64 from,
                                    i32 axis, f32 *to) {
    const f64 center = g->center[axis], scale = g->scale, period = g->period[axis];
    if (g->wraps)
        for (index_t l = 0; l < KNN_LEAF; l++)
            to[l] = (f32)(points_remainder_near(x[from + l] - center, period) * scale);
    else
        for (index_t l = 0; l < KNN_LEAF; l++)
            to[l] = (f32)((x[from + l] - center) * scale);
    for (i64 l = g->end - from; l < KNN_LEAF; l++)
        to[l] = 0x1p40f;
}

static inline void knn_lanes_columns(const knn_tree *t, const knn_lanes *g, i64 from,
                                     f32 *x, f32 *y, f32 *z) {
    knn_lanes_column(g, t->x, from, 0, x);
    knn_lanes_column(g, t->y, from, 1, y);
    knn_lanes_column(g, t->z, from, 2, z);
}

/* How far the first members are from the center on an axis, at most. */
static inline f64 knn_lanes_reach(const knn_lanes *g, GLOBAL const f64 *x, i32 axis) {
    f64 most = 0;
    for (i64 p = g->from; p < g->to; p++) {
        const f64 d = x[p] - g->center[axis];
        most = max(most, fabs(g->wraps ? points_remainder_near(d, g->period[axis]) : d));
    }
    return most;
}

/* Where places are from, and their unit; 0 where f32 would not do, or where a candidate may
 * be the shorter way around an axis, which none is that is within 4.6 units. */
static inline i32 knn_lanes_frame(const knn_tree *t, knn_lanes *g) {
    const i64 middle = g->first + g->asking / 2;
    g->center[0] = t->x[middle];
    g->center[1] = t->y[middle];
    g->center[2] = t->z[middle];
    const f64 reach = max(knn_lanes_reach(g, t->x, 0),
                          max(knn_lanes_reach(g, t->y, 1), knn_lanes_reach(g, t->z, 2)));
    if (!(reach > 0x1p-400 && reach < 0x1p400))
        return 0;
    g->scale = bits_f64((u64)(2045 - (f64_bits(reach) >> 52)) << 52);
    for (i32 axis = 0; axis < 3; axis++)
        if (g->wraps && t->period.axis[axis] > 0 &&
            !(20 * reach < g->period[axis] && g->period[axis] * g->scale <= 0x1p20))
            return 0;
    return 1;
}

static inline f32 knn_lanes_square(const knn_lanes *g, index_t l, f32 x, f32 y, f32 z) {
    const f32 dx = x - g->x[l], dy = y - g->y[l], dz = z - g->z[l];
    return (dx * dx + dy * dy) + dz * dz;
}

/* Parts, by the farthest of the first members, among whom are the center and one at half a
 * unit or more from it: no square is below 1 / 16, and no error above 8 parts. The larger
 * of two numbers without a comparison, which would keep gcc from vectors. */
static inline void knn_lanes_parts(knn_lanes *g, const f32 *x, const f32 *y, const f32 *z,
                                   index_t count) {
    f32 most[KNN_LANES];
    for (index_t l = 0; l < KNN_LANES; l++)
        most[l] = 0;
    for (index_t c = 0; c < count; c++)
        for (index_t l = 0; l < KNN_LANES; l++) {
            const f32 d2 = knn_lanes_square(g, l, x[c], y[c], z[c]);
            most[l] = 0.5f * ((most[l] + d2) + fabs(most[l] - d2));
        }
    for (index_t l = 0; l < KNN_LANES; l++) {
        const f32 far = most[l], factor = (f32)KNN_WITHIN / far;
        const f32 error = 0x1p-24f * (10.0f * sqrt(far) + 16.0f * far) * factor;
        g->factor[l] = factor;
        g->part[l] = far * (1.0f / (f32)KNN_WITHIN);
        g->off[l] = (i32)(2 * error) + 4;
    }
}

/* Puts KNN_KEYS candidates, from number `numbers` on, into all lists, but for who asks. */
static inline void knn_lanes_put(knn_lanes *g, const f32 *x, const f32 *y, const f32 *z,
                                 i64 self) {
    for (index_t c = 0; c < KNN_KEYS; c++)
        for (index_t l = 0; l < KNN_LANES; l++) {
            const f32 parts = knn_lanes_square(g, l, x[c], y[c], z[c]) * g->factor[l];
            g->key[c * KNN_LANES + l] = (i32)min((f32)KNN_FAR, parts) << KNN_NUMBER_BITS |
                                        ((i32)g->numbers + (i32)c);
        }
    for (i64 l = 0; l < (i64)g->asking && self >= 0; l++)
        g->key[(self + l) * KNN_LANES + l] = KNN_NO_KEY;
    knn_keys_put(g->list, g->rows, g->key);
    g->numbers += KNN_KEYS;
    const i32 *last = g->list + ((i32)g->k - 1) * KNN_LANES;
    for (index_t l = 0; l < KNN_LANES; l++)
        g->limit[l] = (f32)((last[l] >> KNN_NUMBER_BITS) + 1 + g->off[l]) * g->part[l];
}

#endif
