/* Sums over the members of each halo, a block of members a work-item; of their places, and
 * where they move, of their velocities: side 0, and side 1.
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

/* Of every member, halo by halo, its mass and on each side a step an axis,
 * [sides][3][members]: how far its place lies from that of its halo's first member, by the
 * nearest image of the box; and its velocity from that one's. */
typedef struct halo_properties_members {
    i64 halos, members, blocks, sides;
    points_period box;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *member;
    GLOBAL f64 *mass, *step;
} halo_properties_members;

static inline i64 halo_properties_first_block(GLOBAL const i64 *offset, i64 halo) {
    return pyramid_first(offset[halo], halo, HALO_PROPERTIES_BITS);
}

static inline pyramid_range halo_properties_range(const halo_properties_members *h,
                                                  i64 block) {
    return pyramid_range_of(block, h->halos, HALO_PROPERTIES_BITS, h->offset);
}

/* The place and the velocity of a particle. */
static inline void halo_properties_read(const points_coordinates *at,
                                        const points_coordinates *flow, u32 who, f64 *to) {
    points_read(at, who, to);
    points_read(flow, who, to + 3);
}

/* What there is of member i, where many work-items run; `of` is the halo of each, or
 * NULL. */
static inline void halo_properties_step(index_t i, points_coordinates at,
                                        points_coordinates flow, points_masses masses,
                                        halo_properties_members h, GLOBAL const u32 *of) {
    const i64 halo = of ? (i64)of[i] : pyramid_segment((i64)i, h.halos, h.offset);
    const u32 own = h.member[i];
    f64 first[6], now[6];
    halo_properties_read(&at, &flow, h.member[h.offset[halo]], first);
    halo_properties_read(&at, &flow, own, now);
    for (i32 k = 0; k < 6; k++) {
        const f64 d = now[k] - first[k], box = k < 3 ? h.box.axis[k] : 0.0;
        if (k < 3 * h.sides)
            h.step[(index_t)(k * h.members) + i] = box > 0 ? points_remainder(d, box) : d;
    }
    h.mass[i] = points_mass(&masses, own);
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
static inline void halo_properties_steps(index_t block, points_coordinates at,
                                         points_coordinates flow, points_masses masses,
                                         halo_properties_members h) {
    const pyramid_range r = halo_properties_range(&h, (i64)block);
    f64 first[6], now[6];
    if (r.begin >= r.end)
        return;
    halo_properties_read(&at, &flow, h.member[h.offset[r.segment]], first);
    for (i64 k = r.begin; k < r.end; k++) {
        const u32 later = h.member[min(k + HALO_PROPERTIES_AHEAD, h.members - 1)];
        points_ask(&at, later);
        points_ask(&flow, later);
        halo_properties_read(&at, &flow, h.member[k], now);
        for (i32 axis = 0; axis < 3 * h.sides; axis++)
            h.step[axis * h.members + k] = now[axis] - first[axis];
        h.mass[k] = points_mass(&masses, h.member[k]);
    }
    for (i32 axis = 0; axis < 3; axis++)
        halo_properties_wrap_steps((index_t)(r.end - r.begin), h.box.axis[axis],
                                   h.step + axis * h.members + r.begin);
}

static inline u32 halo_properties_is_odd(index_t i, GLOBAL const f64 *number) {
    return !(number[i] - number[i] == 0);
}

static inline u32 halo_properties_is_light(index_t i, GLOBAL const f64 *mass) {
    return !(mass[i] > 0) || mass[i] - mass[i] != 0;
}

/* Sums over a block, of one side after the other. */
static inline void halo_properties_sum(index_t t, halo_properties_members h,
                                       GLOBAL halo_properties_sums *sums) {
    const i64 side = (i64)t / h.blocks;
    const pyramid_range r = halo_properties_range(&h, (i64)t - side * h.blocks);
    GLOBAL const f64 *step = h.step + side * 3 * h.members;
    halo_properties_sums sum = {0.0, {0.0, 0.0, 0.0}};
    for (i64 k = r.begin; k < r.end; k++) {
        sum.mass += h.mass[k];
        for (i32 axis = 0; axis < 3; axis++)
            sum.moment[axis] += h.mass[k] * step[axis * h.members + k];
    }
    sums[t] = sum;
}

/* A place wrapped into 0 <= x < box; as it is where box is 0. */
static inline f64 halo_properties_wrap(f64 x, f64 box) {
    if (box == 0.0 || x - x != 0.0)
        return x;
    const f64 w = points_wrap(x, box);
    return w < box ? w : 0.0;
}

/* The mass of each halo, and its mean place, side 1 velocity: from the first member, and as
 * it is. */
static inline void halo_properties_mean(index_t t, points_coordinates at,
                                        points_coordinates flow, halo_properties_members h,
                                        GLOBAL const halo_properties_sums *sums,
                                        GLOBAL f64 *mass, GLOBAL f64 *mean,
                                        GLOBAL f64 *center, GLOBAL f64 *velocity) {
    const i64 side = (i64)t / h.halos, halo = (i64)t - side * h.halos;
    const i64 end = halo_properties_first_block(h.offset, halo + 1);
    GLOBAL f64 *to = (side ? velocity : center) + 3 * halo;
    halo_properties_sums all = {0.0, {0.0, 0.0, 0.0}};
    f64 first[6];
    sums += side * h.blocks;
    for (i64 block = halo_properties_first_block(h.offset, halo); block < end; block++) {
        all.mass += sums[block].mass;
        for (i32 axis = 0; axis < 3; axis++)
            all.moment[axis] += sums[block].moment[axis];
    }
    halo_properties_read(&at, &flow, h.member[h.offset[halo]], first);
    if (side == 0)
        mass[halo] = all.mass;
    for (i32 axis = 0; axis < 3; axis++) {
        const f64 from = side ? first[3 + axis] : first[axis];
        mean[3 * t + axis] = all.moment[axis] / all.mass;
        to[axis] =
            halo_properties_wrap(from + mean[3 * t + axis], side ? 0.0 : h.box.axis[axis]);
    }
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

static inline void halo_properties_spread(index_t t, halo_properties_members h,
                                          GLOBAL const f64 *mean,
                                          GLOBAL halo_properties_extent *extents) {
    const i64 side = (i64)t / h.blocks;
    const pyramid_range r = halo_properties_range(&h, (i64)t - side * h.blocks);
    GLOBAL const f64 *step = h.step + side * 3 * h.members;
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
            halo_properties_along(n, mean[3 * (side * h.halos + r.segment) + axis],
                                  step + axis * h.members + k, square, low[axis],
                                  high[axis]);
        for (i32 lane = 0; lane < n; lane++) {
            extent.square += h.mass[k + lane] * square[lane];
            extent.farthest = max(extent.farthest, square[lane]);
        }
    }
    for (i32 axis = 0; axis < 3; axis++)
        for (i32 lane = 0; lane < HALO_PROPERTIES_LANES; lane++) {
            extent.low[axis] = min(extent.low[axis], low[axis][lane]);
            extent.high[axis] = max(extent.high[axis], high[axis][lane]);
        }
    extents[t] = extent;
}

/* How far the members reach from the mean place, whether around half the box, and how much
 * their velocities differ. */
static inline void halo_properties_finish(index_t halo, halo_properties_members h,
                                          GLOBAL const halo_properties_extent *extents,
                                          GLOBAL const f64 *mass, GLOBAL f64 *radius,
                                          GLOBAL u8 *wraps, GLOBAL f64 *dispersion) {
    const i64 end = halo_properties_first_block(h.offset, halo + 1);
    halo_properties_extent all = {0.0, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (i64 block = halo_properties_first_block(h.offset, halo); block < end; block++) {
        all.farthest = max(all.farthest, extents[block].farthest);
        for (i32 axis = 0; axis < 3; axis++) {
            all.low[axis] = min(all.low[axis], extents[block].low[axis]);
            all.high[axis] = max(all.high[axis], extents[block].high[axis]);
        }
        if (h.sides > 1)
            all.square += extents[h.blocks + block].square;
    }
    u8 far = 0;
    for (i32 axis = 0; axis < 3; axis++) {
        const f64 box = h.box.axis[axis];
        if (box > 0.0 && all.high[axis] - all.low[axis] >= 0.5 * box)
            far = 1;
    }
    radius[halo] = sqrt(all.farthest);
    wraps[halo] = far;
    if (h.sides > 1)
        dispersion[halo] = sqrt(all.square / (3.0 * mass[halo]));
}

#endif
