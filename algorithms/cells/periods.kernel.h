/* Which parts of its period an axis has particles in. */
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

/* The periods of the axes, or 0, and where each begins. */
typedef struct periods_frame {
    f64 box[3], from[3];
} periods_frame;

static inline f64 periods_inside(f64 x, f64 box, f64 from) {
    const f64 inside = box > 0 ? points_wrap(x, box) : x;
    return inside < from ? inside + box : inside;
}

/* A particle's x, y and z moved into periods that begin there. */
static inline void periods_move(index_t i, periods_frame frame, points_coordinates at,
                                GLOBAL f64 *place) {
    const index_t k = i * (index_t)at.stride;
    place[3 * i] =
        periods_inside(points_coordinate(at.x, k, at.wide), frame.box[0], frame.from[0]);
    place[3 * i + 1] =
        periods_inside(points_coordinate(at.y, k, at.wide), frame.box[1], frame.from[1]);
    place[3 * i + 2] =
        periods_inside(points_coordinate(at.z, k, at.wide), frame.box[2], frame.from[2]);
}

#endif
