/* Particles in cells, for checks of halo finders: plain, sequential, and nothing of the
 * library's. */
#ifndef WEFT_BENCH_CELLS_H
#define WEFT_BENCH_CELLS_H

#include "bench/bench.h"

/* Cells no narrower than the linking length, so that friends lie in the same or in
 * neighbouring ones. */
struct cells {
    const struct task *task;
    i64 count;   /* of cells that are not empty */
    i64 ways[3]; /* cells along each axis */
    f64 origin[3], side[3];
    u64 *key;      /* [count]: where the cell lies */
    u32 *start;    /* [count + 1]: its particles in `particle` */
    u32 *particle; /* [n] */
    f64 *position; /* [n][3]: theirs */
    u32 *table;    /* [slots]: a hash table of cells, by their keys; all ones: empty */
    u64 slots;
};

bool cells_make(struct cells *cells, const struct task *task);
void cells_free(struct cells *cells);

/* Calls visit(context, i, j) for each pair of friends i != j, in one order or the other:
 * once, but more often along periodic axes of fewer than three cells. */
void cells_friends(const struct cells *cells, void (*visit)(void *context, u32 i, u32 j),
                   void *context);

#endif
