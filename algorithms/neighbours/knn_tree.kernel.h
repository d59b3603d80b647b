/* Members of each halo in the order of a curve through it, and boxes around stretches of
 * them: the leaves and levels of a pyramid. */
#ifndef WEFT_KNN_TREE_KERNEL_H
#define WEFT_KNN_TREE_KERNEL_H

#include "algorithms/points/points.kernel.h"
#include "algorithms/pyramid/curve.kernel.h"
#include "algorithms/pyramid/pyramid.kernel.h"

enum { KNN_LEAF_BITS = 4, KNN_LEAF = 16, KNN_FAN_BITS = 2, KNN_FAN = 4, KNN_STRETCH = 8 };

/* Around members; `first` is the smallest of their places among all members. */
typedef struct knn_box {
    f64 low[3], high[3];
    i64 first;
} knn_box;

static inline knn_box knn_tree_nothing(void) {
    knn_box box;
    for (i32 k = 0; k < 3; k++) {
        box.low[k] = bits_f64((u64)0x7ff << 52);
        box.high[k] = -box.low[k];
    }
    box.first = (i64)1 << 62;
    return box;
}

static inline knn_box knn_tree_join(knn_box a, knn_box b) {
    for (i32 k = 0; k < 3; k++) {
        a.low[k] = min(a.low[k], b.low[k]);
        a.high[k] = max(a.high[k], b.high[k]);
    }
    a.first = min(a.first, b.first);
    return a;
}

/* Whether member i is no point. */
static inline u32 knn_tree_strange(index_t i, i64 points, GLOBAL const u32 *member) {
    return (i64)member[i] >= points;
}

/* The box around each stretch of 2^KNN_STRETCH members in the order of the input. */
static inline void knn_tree_stretch(index_t i, i64 halos, points_coordinates at,
                                    GLOBAL const i64 *offset, GLOBAL const u32 *member,
                                    GLOBAL knn_box *box) {
    const pyramid_range r = pyramid_range_of(i, halos, KNN_STRETCH, offset);
    knn_box b = knn_tree_nothing();
    for (i64 m = r.begin; m < r.end; m++) {
        const index_t k = (index_t)(member ? member[m] : (u32)m) * (index_t)at.stride;
        const f64 x = points_coordinate(at.x, k, at.wide);
        const f64 y = points_coordinate(at.y, k, at.wide);
        const f64 z = points_coordinate(at.z, k, at.wide);
        b.low[0] = min(b.low[0], x), b.high[0] = max(b.high[0], x);
        b.low[1] = min(b.low[1], y), b.high[1] = max(b.high[1], y);
        b.low[2] = min(b.low[2], z), b.high[2] = max(b.high[2], z);
    }
    box[i] = b;
}

/* The box around halo i, and whether members are nearest the shorter way across an axis:
 * where no axis is longer than half its period none is. */
static inline void knn_tree_frame(index_t i, points_period period, GLOBAL const i64 *offset,
                                  GLOBAL const knn_box *stretch, GLOBAL knn_box *frame,
                                  GLOBAL u32 *wraps) {
    const i64 from = pyramid_first(offset[i], i, KNN_STRETCH);
    const i64 count = pyramid_count(offset[i + 1] - offset[i], KNN_STRETCH);
    knn_box b = knn_tree_nothing();
    for (i64 k = 0; k < count; k++)
        b = knn_tree_join(b, stretch[from + k]);
    u32 across = 0;
    for (i32 k = 0; k < 3; k++)
        across |= period.axis[k] > 0 && !(b.high[k] - b.low[k] <= period.axis[k] / 2);
    frame[i] = b;
    wraps[i] = across;
}

/* Which of 2^bits equal parts of [low, low + width] x lies in. */
static inline u32 knn_tree_part(f64 x, f64 low, f64 width, i32 bits) {
    const f64 parts = (f64)((u64)1 << bits);
    const f64 part = width > 0 ? (x / 2 - low / 2) / width * 2 * parts : 0;
    return part < parts ? (u32)part : (1u << bits) - 1u;
}

/* The place of a cell on Hilbert's curve, of 2^bits on each axis. */
static inline u64 knn_tree_curve(u32 x, u32 y, u32 z, i32 bits) {
    for (i32 bit = bits - 1; bit > 0; bit--)
        curve_turn(&x, &y, &z, bit);
    return curve_place(x, y, z);
}

/* The halo of each member, and its place on the curve through the halo's cube. */
static inline void knn_tree_key(index_t m, i64 halos, i32 bits, points_coordinates at,
                                GLOBAL const i64 *offset, GLOBAL const u32 *member,
                                GLOBAL const knn_box *frame, GLOBAL u64 *key) {
    const i64 halo = pyramid_segment(m, halos, offset);
    const index_t k = (index_t)(member ? member[m] : (u32)m) * (index_t)at.stride;
    const knn_box b = frame[halo];
    const f64 width = max(b.high[0] / 2 - b.low[0] / 2,
                          max(b.high[1] / 2 - b.low[1] / 2, b.high[2] / 2 - b.low[2] / 2)) *
                      2;
    const u32 x = knn_tree_part(points_coordinate(at.x, k, at.wide), b.low[0], width, bits);
    const u32 y = knn_tree_part(points_coordinate(at.y, k, at.wide), b.low[1], width, bits);
    const u32 z = knn_tree_part(points_coordinate(at.z, k, at.wide), b.low[2], width, bits);
    key[m] = (u64)halo << 3 * bits | knn_tree_curve(x, y, z, bits);
}

/* Coordinates in that order; those of the last again, where a whole leaf is read. */
static inline void knn_tree_place(index_t i, i64 members, points_coordinates at,
                                  GLOBAL const u32 *member, GLOBAL const u32 *order,
                                  GLOBAL f64 *x, GLOBAL f64 *y, GLOBAL f64 *z) {
    const u32 m = order[min((i64)i, members - 1)];
    const index_t k = (index_t)(member ? member[m] : m) * (index_t)at.stride;
    x[i] = points_coordinate(at.x, k, at.wide);
    y[i] = points_coordinate(at.y, k, at.wide);
    z[i] = points_coordinate(at.z, k, at.wide);
}

/* The box around each leaf. */
static inline void knn_tree_leaf(index_t i, i64 halos, GLOBAL const i64 *offset,
                                 GLOBAL const u32 *order, GLOBAL const f64 *x,
                                 GLOBAL const f64 *y, GLOBAL const f64 *z,
                                 GLOBAL knn_box *box) {
    const pyramid_range r = pyramid_range_of(i, halos, KNN_LEAF_BITS, offset);
    knn_box b = knn_tree_nothing();
    for (i64 p = r.begin; p < r.end; p++) {
        b.low[0] = min(b.low[0], x[p]), b.high[0] = max(b.high[0], x[p]);
        b.low[1] = min(b.low[1], y[p]), b.high[1] = max(b.high[1], y[p]);
        b.low[2] = min(b.low[2], z[p]), b.high[2] = max(b.high[2], z[p]);
        b.first = min(b.first, (i64)order[p]);
    }
    box[i] = b;
}

/* Around KNN_FAN blocks of the level below, whose blocks are of 2^bits members. */
static inline void knn_tree_level(index_t i, i64 halos, i64 bits, GLOBAL const i64 *offset,
                                  GLOBAL const knn_box *below, GLOBAL knn_box *box) {
    const pyramid_range r = pyramid_range_of(i, halos, bits + KNN_FAN_BITS, offset);
    knn_box b = knn_tree_nothing();
    if (r.begin < r.end) {
        const i64 from = offset[r.segment];
        const i64 first = pyramid_first(from, r.segment, bits) + ((r.begin - from) >> bits);
        const i64 count = pyramid_count(r.end - r.begin, bits);
        for (i64 k = 0; k < count; k++)
            b = knn_tree_join(b, below[first + k]);
    }
    box[i] = b;
}

#endif
