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

/* How many are inside, and where these end. */
static inline void so_prefix_count(index_t sphere, so_prefix_lists of,
                                   GLOBAL const f64 *reach2, GLOBAL i64 *count,
                                   GLOBAL i64 *inside) {
    const f64 last = reach2[of.first + sphere];
    const i64 begin = of.offset[sphere];
    const i64 past = last < 0 ? begin
                              : so_profiles_seek(of.r2, begin, of.offset[sphere + 1],
                                                 bits_f64(f64_bits(last) + 1));
    count[sphere] = past - begin;
    inside[sphere] = past;
}

/* Particle k of those inside, from list to list. */
static inline void so_prefix_copy(index_t k, so_prefix_lists of, i64 spheres,
                                  GLOBAL const i64 *offset, GLOBAL f64 *r2,
                                  GLOBAL u32 *who) {
    const i64 sphere = pyramid_segment((i64)k, spheres, offset);
    const i64 from = of.offset[sphere] - offset[sphere] + (i64)k;
    r2[k] = of.r2[from];
    who[k] = of.who[from];
}

#endif
