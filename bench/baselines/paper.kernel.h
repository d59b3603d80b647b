/* Friends-of-friends by hooking and pointer jumping on sorted cells (Sewell et al. 2015).
 */
#ifndef PAPER_KERNEL_H
#define PAPER_KERNEL_H

#include <weft/kernel.h>

/* A cell's three coordinates in a key, from 1 on, so that neighbours never fall below 0. */
enum { PAPER_BITS = 21 };

typedef struct paper_cells {
    f64 x, y, z; /* the lower corner */
    f64 width;
} paper_cells;

static inline u64 paper_key(index_t i, paper_cells cells, GLOBAL const f32 *at) {
    const u64 x = (u64)(((f64)at[3 * i] - cells.x) / cells.width);
    const u64 y = (u64)(((f64)at[3 * i + 1] - cells.y) / cells.width);
    const u64 z = (u64)(((f64)at[3 * i + 2] - cells.z) / cells.width);
    return ((((z + 1) << PAPER_BITS) + y + 1) << PAPER_BITS) + x + 1;
}

static inline void paper_place(index_t i, GLOBAL const u32 *index, GLOBAL const f32 *at,
                               GLOBAL f32 *place) {
    for (int axis = 0; axis < 3; axis++)
        place[3 * i + axis] = at[3 * (i64)index[i] + axis];
}

static inline u64 paper_neighbour(index_t i, i64 step, GLOBAL const u64 *key) {
    return key[i] + (u64)step;
}

static inline int paper_friends(GLOBAL const f32 *p, GLOBAL const f32 *q, f64 length2) {
    const f64 dx = (f64)p[0] - (f64)q[0], dy = (f64)p[1] - (f64)q[1];
    const f64 dz = (f64)p[2] - (f64)q[2];
    const f64 xy = dx * dx + dy * dy;
    return xy + dz * dz <= length2;
}

/* All parents are roots. The least that friends name becomes the root's, in `next`. */
static inline void paper_hook(index_t i, i64 n, f64 length2, GLOBAL const f32 *place,
                              GLOBAL const u32 *begin, GLOBAL const u32 *end,
                              GLOBAL const u32 *parent, GLOBAL u32 *next) {
    u32 least = parent[i];
    for (int row = 0; row < 9; row++)
        for (i64 j = begin[row * n + i]; j < (i64)end[row * n + i]; j++)
            if (parent[j] < least && paper_friends(place + 3 * i, place + 3 * j, length2))
                least = parent[j];
    if (least < parent[i])
        atomic_min_u32(&next[parent[i]], least);
}

static inline void paper_jump(index_t i, GLOBAL const u32 *parent, GLOBAL u32 *next) {
    next[i] = parent[parent[i]];
}

/* The smallest input index of each group, at its root; and everyone's. */
static inline void paper_least(index_t i, GLOBAL const u32 *parent, GLOBAL const u32 *index,
                               GLOBAL u32 *least) {
    atomic_min_u32(&least[parent[i]], index[i]);
}

static inline void paper_label(index_t i, GLOBAL const u32 *parent, GLOBAL const u32 *index,
                               GLOBAL const u32 *least, GLOBAL u32 *label) {
    label[index[i]] = least[parent[i]];
}

#endif
