/* The potential of every member of every halo, pair by pair. */
#ifndef CENTERS_KERNEL_H
#define CENTERS_KERNEL_H

#include <weft/kernel.h>

typedef struct centers_body {
    f64 x, y, z;
} centers_body;

static inline f64 centers_potential(f64 sum, centers_body p, centers_body q, f64 soft2) {
    const f64 dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const f64 r2 = dx * dx + dy * dy + dz * dz, s2 = r2 + soft2;
    return sum - (r2 > 0.0 ? 1.0 / sqrt(s2) : 0.0);
}

#endif
