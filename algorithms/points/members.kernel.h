/* Members of halos that nothing can be computed of. */
#ifndef WEFT_MEMBERS_KERNEL_H
#define WEFT_MEMBERS_KERNEL_H

#include "points.kernel.h"

/* Whether a coordinate is finite, by its exponent, which lies in its last word. */
static inline i32 members_is_finite(GLOBAL const u32 *words, index_t k, i32 wide) {
    const u32 exponent = wide ? 0x7ff00000u : 0x7f800000u;
    return (words[(k << wide) + wide] & exponent) != exponent;
}

/* Whether member i is none of the particles. */
static inline u32 members_is_none(index_t i, i64 count, GLOBAL const u32 *member) {
    return (i64)member[i] >= count;
}

enum { MEMBERS_AHEAD = 64 };

/* The particle that member i <= last is, if there is no such one, or its coordinates are
 * not finite or its mass is not above 0 and finite; else `none`. */
static inline i64 members_strange(index_t i, i64 none, i64 count, i64 last,
                                  points_coordinates at, points_masses masses,
                                  GLOBAL const u32 *member) {
    const i64 particle = member[i];
    points_ask(&at, member[min((i64)i + MEMBERS_AHEAD, last)]);
    if (particle >= count)
        return particle;
    const index_t k = (index_t)(particle * at.stride);
    /* One mass of all was looked at before. */
    const f64 m = masses.words ? points_mass(&masses, (u32)particle) : 1;
    const i32 good = members_is_finite(at.x, k, at.wide) &
                     members_is_finite(at.y, k, at.wide) &
                     members_is_finite(at.z, k, at.wide) & (m > 0) & (m - m == 0);
    return good ? none : particle;
}

#endif
