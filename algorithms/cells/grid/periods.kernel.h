/* Which parts of its period an axis has particles in, and where they lie on both sides of a
 * place that has none. */
#ifndef WEFT_PERIODS_KERNEL_H
#define WEFT_PERIODS_KERNEL_H

#include "algorithms/points/points.kernel.h"

/* The bit of the part that a particle lies in, of every so many-th. box > 0. */
enum { PERIODS_PARTS = 64 };
static inline u64 periods_part(index_t i, i64 stride, i32 wide, f64 box,
                               GLOBAL const u32 *words) {
    const f64 x = points_coordinate(words, i * (index_t)stride, wide);
    const f64 part = points_wrap(x, box) / box * PERIODS_PARTS;
    return (u64)1 << (i32)min(part, (f64)(PERIODS_PARTS - 1));
}

/* A place on each axis, a number of f32; 0: the axis is left out. */
typedef struct periods_places {
    f64 from[3];
} periods_places;

/* The lowest coordinate that is not below a place, and the highest below it, of particles
 * [begin, end): as integers in the same order, of which compilers make vectors. */
static inline void periods_split_f32(index_t begin, index_t end, index_t stride,
                                     GLOBAL const u32 *words, f64 from, f64 *low,
                                     f64 *high) {
    const i32 place = points_ordered(f32_bits((f32)from));
    const i32 most = points_ordered(0x7f800000u), least = points_ordered(0xff800000u);
    i32 less = most, more = least;
    for (index_t p = begin; p < end; p++) {
        const i32 x = points_ordered(words[p * stride]);
        less = min(less, x >= place ? x : most);
        more = max(more, x < place ? x : least);
    }
    *low = points_less(points_of_ordered(less), *low);
    *high = points_more(points_of_ordered(more), *high);
}

/* The same of f64, as lanes side by side. */
static inline void periods_split_f64(index_t begin, index_t end, index_t stride,
                                     GLOBAL const u32 *words, f64 from, f64 *low,
                                     f64 *high) {
    f64 less[POINTS_LANES], more[POINTS_LANES];
    for (i32 l = 0; l < POINTS_LANES; l++) {
        less[l] = *low;
        more[l] = *high;
    }
    for (index_t p = begin; p < end; p += POINTS_LANES)
        for (i32 l = 0; l < POINTS_LANES; l++) {
            const index_t q = p + l < end ? p + l : end - 1; /* the last again */
            const f64 x = points_coordinate(words, q * stride, 1);
            less[l] = points_less(x >= from ? x : *low, less[l]);
            more[l] = points_more(x < from ? x : *high, more[l]);
        }
    for (i32 l = 0; l < POINTS_LANES; l++) {
        *low = points_less(less[l], *low);
        *high = points_more(more[l], *high);
    }
}

static inline void periods_split_axis(index_t begin, index_t end, index_t stride, i32 wide,
                                      GLOBAL const u32 *words, f64 from, f64 *low,
                                      f64 *high) {
    if (!(from > 0))
        return;
    if (wide)
        periods_split_f64(begin, end, stride, words, from, low, high);
    else if (stride == 3)
        periods_split_f32(begin, end, 3, words, from, low, high);
    else
        periods_split_f32(begin, end, stride, words, from, low, high);
}

/* Those of block i on each axis, as the `low` and `high` of a box; `empty` encloses
 * nothing.
 */
static inline void periods_split(index_t i, i64 n, i64 block, points_box empty,
                                 periods_places places, points_coordinates at,
                                 GLOBAL points_box *out) {
    const index_t begin = i * (index_t)block, each = (index_t)at.stride;
    const index_t end = n - begin < block ? (index_t)n : begin + (index_t)block;
    points_box b = empty;
    periods_split_axis(begin, end, each, at.wide, at.x, places.from[0], &b.low[0],
                       &b.high[0]);
    periods_split_axis(begin, end, each, at.wide, at.y, places.from[1], &b.low[1],
                       &b.high[1]);
    periods_split_axis(begin, end, each, at.wide, at.z, places.from[2], &b.low[2],
                       &b.high[2]);
    out[i] = b;
}

#endif
