#ifndef HEAT_KERNEL_H
#define HEAT_KERNEL_H

#include <weft/kernel.h>

/* One explicit step of the heat equation: each cell moves towards the mean of its four
 * neighbours; the rim keeps its temperature. */
static inline void heat_step(index_t i, u32 width, u32 height, GLOBAL const f32 *now,
                             GLOBAL f32 *next) {
    const u32 x = (u32)i % width, y = (u32)i / width;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1)
        next[i] = now[i];
    else
        next[i] = 0.25f * ((now[i - 1] + now[i + 1]) + (now[i - width] + now[i + width]));
}

#endif
