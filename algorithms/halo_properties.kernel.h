/* Sums over the members of each halo, a block of members a work-item.
 *
 * Blocks never cross halos, and are counted without a scan: halo h owns the numbers from
 * offset[h] / 256 + h up to where halo h + 1 begins, which are as many as it needs or one
 * more. A halo's sums so depend on nothing but the halo. */
#ifndef HALO_PROPERTIES_KERNEL_H
#define HALO_PROPERTIES_KERNEL_H

#include "points.kernel.h"

enum { HALO_PROPERTIES_BLOCK = 256 };

/* Over a block: the mass, and the mass times the place relative to the first member. */
typedef struct halo_properties_sums {
    f64 mass, moment[3];
} halo_properties_sums;

/* Over a block, relative to the mean: the mass times the squared distance, the largest
 * squared distance; and relative to the first member, the bounds. */
typedef struct halo_properties_extent {
    f64 square, farthest, low[3], high[3];
} halo_properties_extent;

/* remainder(d, box); d itself where box is 0. */
static inline f64 halo_properties_remainder(f64 d, f64 box) {
    return box > 0 ? points_remainder(d, box) : d;
}

static inline i64 halo_properties_first_block(GLOBAL const i64 *offset, i64 halo) {
    return offset[halo] / HALO_PROPERTIES_BLOCK + halo;
}

/* The last halo whose blocks begin at or before `block`. */
static inline i64 halo_properties_halo(GLOBAL const i64 *offset, i64 halos, i64 block) {
    i64 low = 0, high = halos;
    while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        if (halo_properties_first_block(offset, middle) <= block)
            low = middle;
        else
            high = middle;
    }
    return low;
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

static inline void halo_properties_sum(index_t block, i64 halos, f64 box_x, f64 box_y,
                                       f64 box_z, GLOBAL const i64 *offset,
                                       GLOBAL const f64 *mass, GLOBAL const f64 *x,
                                       GLOBAL const f64 *y, GLOBAL const f64 *z,
                                       GLOBAL halo_properties_sums *sums) {
    const i64 halo = halo_properties_halo(offset, halos, block);
    const i64 first = offset[halo], begin = halo_properties_begin(offset, halo, block);
    const i64 end = halo_properties_end(offset, halo, begin);
    f64 total = 0.0, sum_x = 0.0, sum_y = 0.0, sum_z = 0.0;
    for (i64 k = begin; k < end; k++) {
        total += mass[k];
        sum_x += mass[k] * halo_properties_remainder(x[k] - x[first], box_x);
        sum_y += mass[k] * halo_properties_remainder(y[k] - y[first], box_y);
        sum_z += mass[k] * halo_properties_remainder(z[k] - z[first], box_z);
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

static inline void halo_properties_spread(index_t block, i64 halos, f64 box_x, f64 box_y,
                                          f64 box_z, GLOBAL const i64 *offset,
                                          GLOBAL const f64 *mass, GLOBAL const f64 *x,
                                          GLOBAL const f64 *y, GLOBAL const f64 *z,
                                          GLOBAL const f64 *mean,
                                          GLOBAL halo_properties_extent *extents) {
    const i64 halo = halo_properties_halo(offset, halos, block);
    const i64 first = offset[halo], begin = halo_properties_begin(offset, halo, block);
    const i64 end = halo_properties_end(offset, halo, begin);
    halo_properties_extent extent = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (i64 k = begin; k < end; k++) {
        f64 d[3], square = 0.0;
        d[0] = halo_properties_remainder(x[k] - x[first], box_x);
        d[1] = halo_properties_remainder(y[k] - y[first], box_y);
        d[2] = halo_properties_remainder(z[k] - z[first], box_z);
        for (i32 axis = 0; axis < 3; axis++) {
            const f64 from_mean = d[axis] - mean[3 * halo + axis];
            square += from_mean * from_mean;
            extent.low[axis] = min(extent.low[axis], d[axis]);
            extent.high[axis] = max(extent.high[axis], d[axis]);
        }
        extent.square += mass[k] * square;
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

static inline void halo_properties_place(index_t halo, f64 box_x, f64 box_y, f64 box_z,
                                         GLOBAL const i64 *offset, GLOBAL const f64 *x,
                                         GLOBAL const f64 *y, GLOBAL const f64 *z,
                                         GLOBAL const f64 *mean,
                                         GLOBAL const halo_properties_extent *extents,
                                         GLOBAL f64 *center, GLOBAL f64 *radius,
                                         GLOBAL u8 *wraps) {
    const f64 box[3] = {box_x, box_y, box_z};
    const i64 first = offset[halo], end = halo_properties_first_block(offset, halo + 1);
    halo_properties_extent all = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (i64 block = halo_properties_first_block(offset, halo); block < end; block++) {
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
    center[3 * halo] = halo_properties_wrap(x[first] + mean[3 * halo], box_x);
    center[3 * halo + 1] = halo_properties_wrap(y[first] + mean[3 * halo + 1], box_y);
    center[3 * halo + 2] = halo_properties_wrap(z[first] + mean[3 * halo + 2], box_z);
    radius[halo] = sqrt(all.farthest);
    wraps[halo] = far;
}

static inline void halo_properties_move(index_t halo, GLOBAL const i64 *offset,
                                        GLOBAL const f64 *x, GLOBAL const f64 *y,
                                        GLOBAL const f64 *z, GLOBAL const f64 *mass,
                                        GLOBAL const f64 *mean,
                                        GLOBAL const halo_properties_extent *extents,
                                        GLOBAL f64 *velocity, GLOBAL f64 *dispersion) {
    const i64 first = offset[halo], end = halo_properties_first_block(offset, halo + 1);
    f64 square = 0.0;
    for (i64 block = halo_properties_first_block(offset, halo); block < end; block++)
        square += extents[block].square;
    velocity[3 * halo] = x[first] + mean[3 * halo];
    velocity[3 * halo + 1] = y[first] + mean[3 * halo + 1];
    velocity[3 * halo + 2] = z[first] + mean[3 * halo + 2];
    dispersion[halo] = sqrt(square / (3.0 * mass[halo]));
}

#endif
