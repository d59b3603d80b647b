/* How far spheres that were found reach. */
#ifndef WEFT_SO_KNOWN_KERNEL_H
#define WEFT_SO_KNOWN_KERNEL_H

#include "so_dense.kernel.h"

/* The squared distance up to which particles are in a sphere: the largest that its mass
 * makes dense; -1 where there is no sphere. */
static inline void so_known_reach(index_t i, f64 v, f64 q, GLOBAL const f64 *mass,
                                  GLOBAL f64 *reach2) {
    const f64 m = mass[i];
    f64 r2 = -1;
    if (m > 0) {
        const f64 r = so_cube_root(m * v);
        for (r2 = r * r; !so_dense(m, q, r2);)
            r2 = bits_f64(f64_bits(r2) - 1);
        while (so_dense(m, q, bits_f64(f64_bits(r2) + 1)))
            r2 = bits_f64(f64_bits(r2) + 1);
    }
    reach2[i] = r2;
}

#endif
