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

/* Whether link i of all joins members of two peaks. */
static inline u32 basins_cross(index_t i, u32 links, GLOBAL const u32 *rank,
                               GLOBAL const u32 *neighbour, GLOBAL const u32 *peak) {
    const u32 other = neighbour[i];
    return other != basins_nobody && peak[rank[i / (index_t)links]] != peak[rank[other]];
}

/* The saddle of such a link. */
static inline void basins_saddle(index_t s, u32 links, GLOBAL const i64 *link,
                                 GLOBAL const u32 *rank, GLOBAL const u32 *neighbour,
                                 GLOBAL const u32 *peak, GLOBAL u32 *level,
                                 GLOBAL u64 *pair) {
    const u32 a = rank[link[s] / links], b = rank[neighbour[link[s]]];
    const u32 p = peak[a], q = peak[b];
    level[s] = max(a, b);
    pair[s] = (u64)min(p, q) << 32 | max(p, q);
}

#endif
