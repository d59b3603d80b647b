/* Of lists that reach beyond spheres, what is inside. */
#ifndef WEFT_SO_PREFIX_KERNEL_H
#define WEFT_SO_PREFIX_KERNEL_H

#include "so_profiles.kernel.h"

/* The lists of some spheres, of centers from `first` on, and how many of each are inside.
 */
typedef struct so_prefix_lists {
    i64 first;
    GLOBAL const i64 *offset;
    GLOBAL const f64 *r2;
    GLOBAL const u32 *who;
} so_prefix_lists;

/* The squared distance up to which there must be particles for both. */
static inline void so_prefix_reach(index_t i, GLOBAL const f64 *inner,
                                   GLOBAL const f64 *outer, GLOBAL f64 *reach2) {
    reach2[i] = max(inner[i], outer[i]);
}

static inline void so_prefix_count(index_t sphere, so_prefix_lists of,
                                   GLOBAL const f64 *reach2, GLOBAL i64 *count) {
    const f64 last = reach2[of.first + sphere];
    const i64 begin = of.offset[sphere];
    const i64 end = last < 0 ? begin
                             : so_profiles_seek(of.r2, begin, of.offset[sphere + 1],
                                                bits_f64(f64_bits(last) + 1));
    count[sphere] = end - begin;
}

/* A block of those inside, from list to list: places, and velocities from that of the
 * nearest one where particles move. */
static inline void so_prefix_copy(index_t block, so_prefix_lists of, i64 spheres,
                                  GLOBAL const i64 *offset, i32 moves,
                                  GLOBAL const f64 *from_place, GLOBAL const f64 *from_flow,
                                  GLOBAL f64 *r2, GLOBAL u32 *who, GLOBAL f64 *place,
                                  GLOBAL f64 *velocity) {
    const i64 sphere = pyramid_owner(block, spheres, SO_PROPERTIES_BITS, offset);
    const i64 first = pyramid_first(offset[sphere], sphere, SO_PROPERTIES_BITS);
    const i64 begin = offset[sphere] + ((i64)block - first) * SO_PROPERTIES_BLOCK;
    const i64 end = min(begin + SO_PROPERTIES_BLOCK, offset[sphere + 1]);
    const i64 from = of.offset[sphere] - offset[sphere];
    for (i64 k = begin; k < end; k++) {
        r2[k] = of.r2[from + k];
        who[k] = of.who[from + k];
    }
    if (!from_place)
        return;
    for (i64 k = 3 * begin; k < 3 * end; k++)
        place[k] = from_place[3 * from + k];
    if (!moves)
        return;
    GLOBAL const f64 *v0 = from_flow + 3 * of.offset[sphere];
    for (i64 k = begin; k < end; k++)
        for (i32 a = 0; a < 3; a++)
            velocity[3 * k + a] = from_flow[3 * (from + k) + a] - v0[a];
}

#endif
