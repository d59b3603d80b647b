#ifndef ORBIT_KERNEL_H
#define ORBIT_KERNEL_H

#include <weft/kernel.h>
#include "body.h"

static inline void orbit_drift(index_t i, f32 time, GLOBAL body *bodies) {
    bodies[i].position += time * bodies[i].velocity;
}

static inline u64 orbit_mass_beyond(index_t i, f32 position, GLOBAL const body *bodies) {
    return bodies[i].position > position ? bodies[i].mass : 0;
}

#endif
