/* A struct that travels, and a helper: included twice, pasted once. */
#ifndef REGISTER_BODY_H
#define REGISTER_BODY_H

#include <weft/kernel.h>

typedef struct register_body {
    f32 position[3];
    u32 weight;
    i64 id;
    u8 flags[8];
} register_body;

typedef struct register_extent {
    u32 low, high;
    u64 count;
} register_extent;

static inline register_body register_sum(register_body a, register_body b) {
    for (int axis = 0; axis < 3; axis++)
        a.position[axis] += b.position[axis];
    a.id += b.id;
    a.flags[7] = (u8)(a.flags[7] | b.flags[7]);
    return a;
}

#endif
