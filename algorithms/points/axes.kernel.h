/* How fast coordinates change from particle to particle of the input. */
#ifndef WEFT_AXES_KERNEL_H
#define WEFT_AXES_KERNEL_H

#include "points.kernel.h"

/* Of an axis: how far it is from each of some particles to the next, all together, and
 * where they lie. */
typedef struct axes_course {
    f64 way, low, high;
} axes_course;

/* Axis i, of every so many-th particle. Coordinates that are no numbers, or lie outside of
 * their period, make a way that is of no use. */
static inline void axes_follow(index_t i, i64 some, i64 every, f64 box_x, f64 box_y,
                               f64 box_z, points_coordinates at,
                               GLOBAL axes_course *course) {
    GLOBAL const u32 *words = i == 0 ? at.x : i == 1 ? at.y : at.z;
    const f64 box = i == 0 ? box_x : i == 1 ? box_y : box_z;
    f64 before = points_coordinate(words, 0, at.wide);
    axes_course c;
    c.way = 0;
    c.low = c.high = before;
    for (i64 k = 1; k < some; k++) {
        const f64 x = points_coordinate(words, (index_t)(k * every * at.stride), at.wide);
        const f64 step = fabs(x - before);
        c.way += box > 0 ? min(step, fabs(box - step)) : step;
        c.low = min(c.low, x);
        c.high = max(c.high, x);
        before = x;
    }
    course[i] = c;
}

#endif
