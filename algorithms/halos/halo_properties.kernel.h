/* Sums over the members of each halo, a block of members a work-item.
 * The blocks are leaves of a pyramid: a halo's sums depend on nothing but the halo. */
#ifndef WEFT_HALO_PROPERTIES_KERNEL_H
#define WEFT_HALO_PROPERTIES_KERNEL_H

#include "algorithms/points/points.kernel.h"
#include "algorithms/pyramid/pyramid.kernel.h"

enum { HALO_PROPERTIES_BLOCK = 256, HALO_PROPERTIES_BITS = 8 };
enum { HALO_PROPERTIES_LANES = 16, HALO_PROPERTIES_AHEAD = 16 };

/* Over a block: the mass, and the mass times the place relative to the first member. */
typedef struct halo_properties_sums {
    f64 mass, moment[3];
} halo_properties_sums;

/* Over a block, relative to the mean: the mass times the squared distance, the largest
 * squared distance; and relative to the first member, the bounds. */
typedef struct halo_properties_extent {
    f64 square, farthest, low[3], high[3];
} halo_properties_extent;

/* Of every member, halo by halo, its mass and a step an axis, [3][members]: how far its
 * place lies from that of its halo's first member, by the nearest image of the box, or with
 * box 0 its velocity from that one's. */
typedef struct halo_properties_members {
    i64 halos, members;
    points_period box;
    GLOBAL const i64 *offset;
    GLOBAL const f64 *mass;
    GLOBAL f64 *step;
} halo_properties_members;

static inline i64 halo_properties_first_block(GLOBAL const i64 *offset, i64 halo) {
    return pyramid_first(offset[halo], halo, HALO_PROPERTIES_BITS);
}

/* Numbers k * stride of an array of f32 or f64 (wide), as f64, in the members' order. */
static inline void halo_properties_gather(index_t i, i64 stride, i32 wide,
                                          GLOBAL const u32 *member, GLOBAL const u32 *words,
                                          GLOBAL f64 *to) {
    to[i] = points_coordinate(words, (index_t)(member[i] * stride), wide);
}

/* The steps of member i, on devices of many work-items. */
static inline void halo_properties_step(index_t i, points_coordinates from,
                                        halo_properties_members of,
                                        GLOBAL const u32 *member) {
    const i64 halo = pyramid_segment((i64)i, of.halos, of.offset);
    f64 first[3], at[3];
    points_read(&from, member[of.offset[halo]], first);
    points_read(&from, member[i], at);
    for (i32 axis = 0; axis < 3; axis++) {
        const f64 d = at[axis] - first[axis], box = of.box.axis[axis];
        of.step[(index_t)(axis * of.members) + i] = box > 0 ? points_remainder(d, box) : d;
    }
}

/* To the nearest image, where any of n steps is not there yet. */
static inline void halo_properties_wrap_steps(index_t n, f64 box, GLOBAL f64 *step) {
    u64 most = 0;
    for (index_t k = 0; k < n; k++)
        most = max(most, f64_bits(fabs(step[k])));
    if (!(box > 0) || most <= f64_bits(box / 2))
        return;
    for (index_t k = 0; k < n; k++)
        step[k] = points_remainder(step[k], box);
}

/* The same of the members of a block, on others. */
static inline void halo_properties_steps(index_t block, points_coordinates from,
                                         halo_properties_members of,
                                         GLOBAL const u32 *member) {
    const pyramid_range r =
        pyramid_range_of(block, of.halos, HALO_PROPERTIES_BITS, of.offset);
    f64 first[3], at[3];
    if (r.begin >= r.end)
        return;
    points_read(&from, member[of.offset[r.segment]], first);
    for (i64 k = r.begin; k < r.end; k++) {
        const index_t later =
            (index_t)member[min(k + HALO_PROPERTIES_AHEAD, of.members - 1)] *
            (index_t)from.stride;
        points_prefetch(from.x, later, from.wide);
        points_prefetch(from.z, later, from.wide);
        points_read(&from, member[k], at);
        for (i32 axis = 0; axis < 3; axis++)
            of.step[axis * of.members + k] = at[axis] - first[axis];
    }
    for (i32 axis = 0; axis < 3; axis++)
        halo_properties_wrap_steps((index_t)(r.end - r.begin), of.box.axis[axis],
                                   of.step + axis * of.members + r.begin);
}

static inline u32 halo_properties_is_odd(index_t i, GLOBAL const f64 *number) {
    return !(number[i] - number[i] == 0);
}

static inline u32 halo_properties_is_light(index_t i, GLOBAL const f64 *mass) {
    return !(mass[i] > 0) || mass[i] - mass[i] != 0;
}

static inline void halo_properties_sum(index_t block, halo_properties_members of,
                                       GLOBAL halo_properties_sums *sums) {
    const pyramid_range r =
        pyramid_range_of(block, of.halos, HALO_PROPERTIES_BITS, of.offset);
    halo_properties_sums sum = {0.0, {0.0, 0.0, 0.0}};
    for (i64 k = r.begin; k < r.end; k++) {
        sum.mass += of.mass[k];
        for (i32 axis = 0; axis < 3; axis++)
            sum.moment[axis] += of.mass[k] * of.step[axis * of.members + k];
    }
    sums[block] = sum;
}

/* The mass of a halo, and its mean relative to the first member. */
static inline void halo_properties_add(i64 halo, GLOBAL const i64 *offset,
                                       GLOBAL const halo_properties_sums *sums, f64 *mass,
                                       f64 *mean) {
    const i64 end = halo_properties_first_block(offset, halo + 1);
    halo_properties_sums all = {0.0, {0.0, 0.0, 0.0}};
    for (i64 block = halo_properties_first_block(offset, halo); block < end; block++) {
        all.mass += sums[block].mass;
        for (i32 axis = 0; axis < 3; axis++)
            all.moment[axis] += sums[block].moment[axis];
    }
    *mass = all.mass;
    for (i32 axis = 0; axis < 3; axis++)
        mean[axis] = all.moment[axis] / all.mass;
}

/* mean[3 halo ..]. */
static inline void halo_properties_mean(index_t halo, GLOBAL const i64 *offset,
                                        GLOBAL const halo_properties_sums *sums,
                                        GLOBAL f64 *mass, GLOBAL f64 *mean) {
    f64 all, of[3];
    halo_properties_add((i64)halo, offset, sums, &all, of);
    mass[halo] = all;
    for (i32 axis = 0; axis < 3; axis++)
        mean[3 * halo + axis] = of[axis];
}

/* The bounds of n steps along an axis, and what they add to squares of distances from the
 * mean. */
static inline void halo_properties_along(i32 n, f64 mean, GLOBAL const f64 *step,
                                         f64 *square, f64 *low, f64 *high) {
    for (i32 lane = 0; lane < n; lane++) {
        const f64 d = step[lane], from_mean = d - mean;
        square[lane] += from_mean * from_mean;
        low[lane] = min(low[lane], d);
        high[lane] = max(high[lane], d);
    }
}

static inline void halo_properties_spread(index_t block, halo_properties_members of,
                                          GLOBAL const f64 *mean,
                                          GLOBAL halo_properties_extent *extents) {
    const pyramid_range r =
        pyramid_range_of(block, of.halos, HALO_PROPERTIES_BITS, of.offset);
    halo_properties_extent extent = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    f64 low[3][HALO_PROPERTIES_LANES], high[3][HALO_PROPERTIES_LANES];
    for (i32 axis = 0; axis < 3; axis++)
        for (i32 lane = 0; lane < HALO_PROPERTIES_LANES; lane++)
            low[axis][lane] = high[axis][lane] = 0.0;
    for (i64 k = r.begin; k < r.end; k += HALO_PROPERTIES_LANES) {
        const i32 n = (i32)min(r.end - k, (i64)HALO_PROPERTIES_LANES);
        f64 square[HALO_PROPERTIES_LANES];
        for (i32 lane = 0; lane < HALO_PROPERTIES_LANES; lane++)
            square[lane] = 0.0;
        for (i32 axis = 0; axis < 3; axis++)
            halo_properties_along(n, mean[3 * r.segment + axis],
                                  of.step + axis * of.members + k, square, low[axis],
                                  high[axis]);
        for (i32 lane = 0; lane < n; lane++) {
            extent.square += of.mass[k + lane] * square[lane];
            extent.farthest = max(extent.farthest, square[lane]);
        }
    }
    for (i32 axis = 0; axis < 3; axis++)
        for (i32 lane = 0; lane < HALO_PROPERTIES_LANES; lane++) {
            extent.low[axis] = min(extent.low[axis], low[axis][lane]);
            extent.high[axis] = max(extent.high[axis], high[axis][lane]);
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

/* The mean place or velocity of each. */
static inline void halo_properties_center(index_t halo, points_coordinates from,
                                          halo_properties_members of,
                                          GLOBAL const u32 *member, GLOBAL const f64 *mean,
                                          GLOBAL f64 *center) {
    f64 first[3];
    points_read(&from, member[of.offset[halo]], first);
    for (i32 axis = 0; axis < 3; axis++)
        center[3 * halo + axis] =
            halo_properties_wrap(first[axis] + mean[3 * halo + axis], of.box.axis[axis]);
}

/* How far the members reach from the mean place, and whether around half the box. */
static inline void halo_properties_reach(index_t halo, halo_properties_members of,
                                         GLOBAL const halo_properties_extent *extents,
                                         GLOBAL f64 *radius, GLOBAL u8 *wraps) {
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
        const f64 box = of.box.axis[axis];
        if (box > 0.0 && all.high[axis] - all.low[axis] >= 0.5 * box)
            far = 1;
    }
    radius[halo] = sqrt(all.farthest);
    wraps[halo] = far;
}

static inline void halo_properties_disperse(index_t halo, GLOBAL const i64 *offset,
                                            GLOBAL const f64 *mass,
                                            GLOBAL const halo_properties_extent *extents,
                                            GLOBAL f64 *dispersion) {
    const i64 end = halo_properties_first_block(offset, halo + 1);
    f64 square = 0.0;
    for (i64 block = halo_properties_first_block(offset, halo); block < end; block++)
        square += extents[block].square;
    dispersion[halo] = sqrt(square / (3.0 * mass[halo]));
}

#endif
