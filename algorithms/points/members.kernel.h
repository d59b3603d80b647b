/* Members of halos that nothing can be computed of. */
#ifndef WEFT_MEMBERS_KERNEL_H
#define WEFT_MEMBERS_KERNEL_H

#include "points.kernel.h"

static inline i32 members_is_finite(f64 x) {
    return x - x == 0;
}

/* The particle that member i is, if there is no such one, or its coordinates are not finite
 * or its mass is not above 0 and finite; else `none`. */
static inline i64 members_strange(index_t i, i64 none, i64 count, points_coordinates at,
                                  i32 wide_mass, GLOBAL const u32 *mass,
                                  GLOBAL const u32 *member) {
    const i64 particle = member[i];
    if (particle >= count)
        return particle;
    const index_t k = (index_t)(particle * at.stride);
    const f64 m = mass ? points_coordinate(mass, (index_t)particle, wide_mass) : 1;
    const i32 good = members_is_finite(points_coordinate(at.x, k, at.wide)) &&
                     members_is_finite(points_coordinate(at.y, k, at.wide)) &&
                     members_is_finite(points_coordinate(at.z, k, at.wide)) && m > 0 &&
                     members_is_finite(m);
    return good ? none : particle;
}

#endif
