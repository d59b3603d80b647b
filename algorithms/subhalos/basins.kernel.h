/* Members by density, the peaks they are led to, and where peaks meet.
 * `rank` of a member, among those of all halos, is its place by (halo, density). */
#ifndef WEFT_BASINS_KERNEL_H
#define WEFT_BASINS_KERNEL_H

#include <weft/kernel.h>

CONSTANT u32 basins_nobody = 0xffffffffu;

/* The densest of a member and those that it is joined with, from both ends of each link. */
static inline void basins_ascend(index_t m, u32 links, GLOBAL const u32 *rank,
                                 GLOBAL const u32 *neighbour, GLOBAL u32 *up) {
    const u32 own = rank[m];
    u32 best = own;
    for (u32 l = 0; l < links && neighbour[m * (index_t)links + l] != basins_nobody; l++) {
        const u32 other = rank[neighbour[m * (index_t)links + l]];
        best = min(best, other);
        if (own < other)
            atomic_min_u32(up + other, own);
    }
    atomic_min_u32(up + own, best);
}

/* Where up to BASINS_STEPS steps from each lead; some may not be at their ends then. */
enum { BASINS_STEPS = 64 };

static inline void basins_climb(index_t i, GLOBAL const u32 *up, GLOBAL u32 *above,
                                GLOBAL u32 *is_moving) {
    u32 at = up[i];
    for (i32 step = 1; step < BASINS_STEPS && up[at] != at; step++)
        at = up[at];
    above[i] = at;
    if (up[at] != at)
        atomic_store_u32(is_moving, 1u);
}

/* How many links of a member lead to others of another peak; 0 behind the last. `of` is the
 * peak of each member. */
static inline i64 basins_crossings(index_t m, i64 members, u32 links,
                                   GLOBAL const u32 *neighbour, GLOBAL const u32 *of) {
    i64 count = 0;
    if ((i64)m >= members)
        return 0;
    for (u32 l = 0; l < links && neighbour[m * (index_t)links + l] != basins_nobody; l++)
        count += of[neighbour[m * (index_t)links + l]] != of[m];
    return count;
}

/* The saddles of such links of a member, behind those `before` it. */
static inline void basins_saddles(index_t m, u32 links, GLOBAL const i64 *before,
                                  GLOBAL const u32 *rank, GLOBAL const u32 *neighbour,
                                  GLOBAL const u32 *of, GLOBAL u32 *level,
                                  GLOBAL u64 *pair) {
    i64 at = before[m];
    for (u32 l = 0; at < before[m + 1]; l++) {
        const u32 other = neighbour[m * (index_t)links + l];
        if (of[other] != of[m]) {
            level[at] = max(rank[m], rank[other]);
            pair[at++] = (u64)min(of[m], of[other]) << 32 | max(of[m], of[other]);
        }
    }
}

#endif
