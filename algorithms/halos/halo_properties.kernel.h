/* Sums over the members of each halo, a block of members a work-item.
 * The blocks are leaves of a pyramid: a halo's sums depend on nothing but the halo. */
#ifndef HALO_PROPERTIES_KERNEL_H
#define HALO_PROPERTIES_KERNEL_H

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

/* Of every member, halo by halo, its mass and one number an axis: its place, or with
 * box 0 its velocity. */
typedef struct halo_properties_members {
    i64 halos;
    f64 box_x, box_y, box_z;
    GLOBAL const i64 *offset;
    GLOBAL const f64 *mass, *x, *y, *z;
} halo_properties_members;

/* remainder(d, box); d itself where box is 0. */
static inline f64 halo_properties_remainder(f64 d, f64 box) {
    return box > 0 ? points_remainder(d, box) : d;
}

static inline i64 halo_properties_first_block(GLOBAL const i64 *offset, i64 halo) {
    return pyramid_first(offset[halo], halo, HALO_PROPERTIES_BITS);
}

/* A member's numbers relative to those of its halo's first. */
typedef struct halo_properties_step {
    f64 d[3];
} halo_properties_step;

static inline halo_properties_step halo_properties_from(halo_properties_members of,
                                                        i64 first, i64 k) {
    halo_properties_step step;
    step.d[0] = halo_properties_remainder(of.x[k] - of.x[first], of.box_x);
    step.d[1] = halo_properties_remainder(of.y[k] - of.y[first], of.box_y);
    step.d[2] = halo_properties_remainder(of.z[k] - of.z[first], of.box_z);
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

static inline void halo_properties_sum(index_t block, halo_properties_members of,
                                       GLOBAL halo_properties_sums *sums) {
    const i64 halo = pyramid_owner(block, of.halos, HALO_PROPERTIES_BITS, of.offset);
    const i64 begin = halo_properties_begin(of.offset, halo, block);
    const i64 end = halo_properties_end(of.offset, halo, begin);
    f64 total = 0.0, sum_x = 0.0, sum_y = 0.0, sum_z = 0.0;
    for (i64 k = begin; k < end; k++) {
        const halo_properties_step step = halo_properties_from(of, of.offset[halo], k);
        total += of.mass[k];
        sum_x += of.mass[k] * step.d[0];
        sum_y += of.mass[k] * step.d[1];
        sum_z += of.mass[k] * step.d[2];
    }
    sums[block].mass = total;
    sums[block].moment[0] = sum_x;
    sums[block].moment[1] = sum_y;
    sums[block].moment[2] = sum_z;
}

/* mean[3 halo ..]: relative to the first member. */
static inline void halo_properties_mean(index_t halo, GLOBAL const i64 *offset,
                                        GLOBAL const halo_properties_sums *sums,
                                        GLOBAL f64 *mass, GLOBAL f64 *mean) {
    const i64 end = halo_properties_first_block(offset, halo + 1);
    f64 total = 0.0, sum_x = 0.0, sum_y = 0.0, sum_z = 0.0;
    for (i64 block = halo_properties_first_block(offset, halo); block < end; block++) {
        total += sums[block].mass;
        sum_x += sums[block].moment[0];
        sum_y += sums[block].moment[1];
        sum_z += sums[block].moment[2];
    }
    mass[halo] = total;
    mean[3 * halo] = sum_x / total;
    mean[3 * halo + 1] = sum_y / total;
    mean[3 * halo + 2] = sum_z / total;
}

static inline void halo_properties_spread(index_t block, halo_properties_members of,
                                          GLOBAL const f64 *mean,
                                          GLOBAL halo_properties_extent *extents) {
    const i64 halo = pyramid_owner(block, of.halos, HALO_PROPERTIES_BITS, of.offset);
    const i64 begin = halo_properties_begin(of.offset, halo, block);
    const i64 end = halo_properties_end(of.offset, halo, begin);
    halo_properties_extent extent = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (i64 k = begin; k < end; k++) {
        const halo_properties_step step = halo_properties_from(of, of.offset[halo], k);
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
    const f64 box[3] = {of.box_x, of.box_y, of.box_z};
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
        if (box[axis] > 0.0 && all.high[axis] - all.low[axis] >= 0.5 * box[axis])
            far = 1;
    }
    center[3 * halo] = halo_properties_wrap(of.x[first] + mean[3 * halo], box[0]);
    center[3 * halo + 1] = halo_properties_wrap(of.y[first] + mean[3 * halo + 1], box[1]);
    center[3 * halo + 2] = halo_properties_wrap(of.z[first] + mean[3 * halo + 2], box[2]);
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
    velocity[3 * halo] = of.x[first] + mean[3 * halo];
    velocity[3 * halo + 1] = of.y[first] + mean[3 * halo + 1];
    velocity[3 * halo + 2] = of.z[first] + mean[3 * halo + 2];
    dispersion[halo] = sqrt(square / (3.0 * mass[halo]));
}

#endif
