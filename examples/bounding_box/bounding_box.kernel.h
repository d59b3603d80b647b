#ifndef BOUNDING_BOX_KERNEL_H
#define BOUNDING_BOX_KERNEL_H

#include <weft/kernel.h>
#include <weft/philox.h>

typedef struct bounding_box {
    f32 low[2], high[2];
} bounding_box;

/* The box of one random point. */
static inline bounding_box bounding_box_of_point(index_t i, u64 seed) {
    bounding_box box;
    for (u32 axis = 0; axis < 2; axis++)
        box.low[axis] = box.high[axis] = philox_f32(seed, axis, (u64)i);
    return box;
}

static inline bounding_box bounding_box_join(bounding_box a, bounding_box b) {
    for (int axis = 0; axis < 2; axis++) {
        a.low[axis] = min(a.low[axis], b.low[axis]);
        a.high[axis] = max(a.high[axis], b.high[axis]);
    }
    return a;
}

#endif
