/* Sums over the members of each halo, a block of members a work-item.
 * The blocks are leaves of a pyramid: a halo's sums depend on nothing but the halo. */
#ifndef WEFT_HALO_PROPERTIES_KERNEL_H
#define WEFT_HALO_PROPERTIES_KERNEL_H

#include "algorithms/points/points.kernel.h"
#include "algorithms/pyramid/pyramid.kernel.h"

enum { HALO_PROPERTIES_BLOCK = 256, HALO_PROPERTIES_BITS = 8 };

/* Over a block: the mass, and the mass times the place relative to the first member. */
typedef struct halo_properties_sums {
    f64 mass, moment[3];
} halo_properties_sums;

/* Over a block, relative to the mean: the mass times the squared distance, the largest
 * squared distance; and relative to the first member, the bounds. */
typedef struct halo_properties_extent {
    f64 square, farthest, low[3], high[3];
} halo_properties_extent;

typedef struct halo_properties_vector {
    f64 d[3];
} halo_properties_vector;

/* Of every member, halo by halo, its mass and one number an axis, [3][members]: its place,
 * or with box 0 its velocity. */
typedef struct halo_properties_members {
    i64 halos, members;
    halo_properties_vector box;
    GLOBAL const i64 *offset;
    GLOBAL const f64 *mass, *at;
} halo_properties_members;

static inline i64 halo_properties_first_block(GLOBAL const i64 *offset, i64 halo) {
    return pyramid_first(offset[halo], halo, HALO_PROPERTIES_BITS);
}

/* A member's numbers relative to those of its halo's first. */
static inline halo_properties_vector halo_properties_from(halo_properties_members of,
                                                          i64 first, i64 k) {
    halo_properties_vector step;
    for (i32 axis = 0; axis < 3; axis++) {
        GLOBAL const f64 *at = of.at + axis * of.members;
        const f64 d = at[k] - at[first], box = of.box.d[axis];
        step.d[axis] = box > 0 ? points_remainder(d, box) : d;
    }
    return step;
}

/* The first member of a block, and the end of its members: empty where a halo has no use
 * for its last number. */
static inline i64 halo_properties_begin(GLOBAL const i64 *offset, i64 halo, i64 block) {
    return offset[halo] +
           (block - halo_properties_first_block(offset, halo)) * HALO_PROPERTIES_BLOCK;
}
static inline i64 halo_properties_end(GLOBAL const i64 *offset, i64 halo, i64 begin) {
    return min(begin + HALO_PROPERTIES_BLOCK, offset[halo + 1]);
}

/* Numbers k * stride of an array of f32 or f64 (wide), as f64, in the members' order. */
static inline void halo_properties_gather(index_t i, i64 stride, i32 wide,
                                          GLOBAL const u32 *member, GLOBAL const u32 *words,
                                          GLOBAL f64 *to) {
    to[i] = points_coordinate(words, (index_t)(member[i] * stride), wide);
}

/* All three axes at once, since they lie side by side: [3][members]. */
static inline void halo_properties_axes(index_t i, points_coordinates from, i64 members,
                                        GLOBAL const u32 *member, GLOBAL f64 *to) {
    const index_t k = (index_t)member[i] * (index_t)from.stride;
    to[i] = points_coordinate(from.x, k, from.wide);
    to[(index_t)members + i] = points_coordinate(from.y, k, from.wide);
    to[2 * (index_t)members + i] = points_coordinate(from.z, k, from.wide);
}

static inline void halo_properties_sum(index_t block, halo_properties_members of,
                                       GLOBAL halo_properties_sums *sums) {
    const i64 halo = pyramid_owner(block, of.halos, HALO_PROPERTIES_BITS, of.offset);
    const i64 begin = halo_properties_begin(of.offset, halo, block);
    const i64 end = halo_properties_end(of.offset, halo, begin);
    halo_properties_sums sum = {0.0, {0.0, 0.0, 0.0}};
    for (i64 k = begin; k < end; k++) {
        const halo_properties_vector step = halo_properties_from(of, of.offset[halo], k);
        sum.mass += of.mass[k];
        for (i32 axis = 0; axis < 3; axis++)
            sum.moment[axis] += of.mass[k] * step.d[axis];
    }
    sums[block] = sum;
}

/* mean[3 halo ..]: relative to the first member. */
static inline void halo_properties_mean(index_t halo, GLOBAL const i64 *offset,
                                        GLOBAL const halo_properties_sums *sums,
                                        GLOBAL f64 *mass, GLOBAL f64 *mean) {
    const i64 end = halo_properties_first_block(offset, halo + 1);
    halo_properties_sums all = {0.0, {0.0, 0.0, 0.0}};
    for (i64 block = halo_properties_first_block(offset, halo); block < end; block++) {
        all.mass += sums[block].mass;
        for (i32 axis = 0; axis < 3; axis++)
            all.moment[axis] += sums[block].moment[axis];
    }
    mass[halo] = all.mass;
    for (i32 axis = 0; axis < 3; axis++)
        mean[3 * halo + axis] = all.moment[axis] / all.mass;
}

static inline void halo_properties_spread(index_t block, halo_properties_members of,
                                          GLOBAL const f64 *mean,
                                          GLOBAL halo_properties_extent *extents) {
    const i64 halo = pyramid_owner(block, of.halos, HALO_PROPERTIES_BITS, of.offset);
    const i64 begin = halo_properties_begin(of.offset, halo, block);
    const i64 end = halo_properties_end(of.offset, halo, begin);
    halo_properties_extent extent = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (i64 k = begin; k < end; k++) {
        const halo_properties_vector step = halo_properties_from(of, of.offset[halo], k);
        f64 square = 0.0;
        for (i32 axis = 0; axis < 3; axis++) {
            const f64 from_mean = step.d[axis] - mean[3 * halo + axis];
            square += from_mean * from_mean;
            extent.low[axis] = min(extent.low[axis], step.d[axis]);
            extent.high[axis] = max(extent.high[axis], step.d[axis]);
        }
        extent.square += of.mass[k] * square;
        extent.farthest = max(extent.farthest, square);
    }
    extents[block] = extent;
}

/* A place wrapped into 0 <= x < box; as it is where box is 0. */
static inline f64 halo_properties_wrap(f64 x, f64 box) {
    if (box == 0.0 || x - x != 0.0)
        return x;
    const f64 w = points_wrap(x, box);
    return w < box ? w : 0.0;
}

static inline void halo_properties_place(index_t halo, halo_properties_members of,
                                         GLOBAL const f64 *mean,
                                         GLOBAL const halo_properties_extent *extents,
                                         GLOBAL f64 *center, GLOBAL f64 *radius,
                                         GLOBAL u8 *wraps) {
    const i64 first = of.offset[halo];
    const i64 end = halo_properties_first_block(of.offset, halo + 1);
    halo_properties_extent all = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (i64 block = halo_properties_first_block(of.offset, halo); block < end; block++) {
        all.farthest = max(all.farthest, extents[block].farthest);
        for (i32 axis = 0; axis < 3; axis++) {
            all.low[axis] = min(all.low[axis], extents[block].low[axis]);
            all.high[axis] = max(all.high[axis], extents[block].high[axis]);
        }
    }
    u8 far = 0;
    for (i32 axis = 0; axis < 3; axis++) {
        const f64 box = of.box.d[axis], at = of.at[axis * of.members + first];
        if (box > 0.0 && all.high[axis] - all.low[axis] >= 0.5 * box)
            far = 1;
        center[3 * halo + axis] = halo_properties_wrap(at + mean[3 * halo + axis], box);
    }
    radius[halo] = sqrt(all.farthest);
    wraps[halo] = far;
}

static inline void halo_properties_move(index_t halo, halo_properties_members of,
                                        GLOBAL const f64 *mass, GLOBAL const f64 *mean,
                                        GLOBAL const halo_properties_extent *extents,
                                        GLOBAL f64 *velocity, GLOBAL f64 *dispersion) {
    const i64 first = of.offset[halo];
    const i64 end = halo_properties_first_block(of.offset, halo + 1);
    f64 square = 0.0;
    for (i64 block = halo_properties_first_block(of.offset, halo); block < end; block++)
        square += extents[block].square;
    for (i32 axis = 0; axis < 3; axis++)
        velocity[3 * halo + axis] =
            of.at[axis * of.members + first] + mean[3 * halo + axis];
    dispersion[halo] = sqrt(square / (3.0 * mass[halo]));
}

#endif
