/* The sets of each cell joined, some cells at a time, for a few work-items: most cells are
 * one set, and most others two particles, which are tried without a branch. */
#ifndef WEFT_UNITE_KERNEL_H
#define WEFT_UNITE_KERNEL_H

#include "fof.kernel.h"

enum { UNITE_CELLS = 64 };

/* Joins cells of two particles in two sets, which hang under the first where they are
 * friends; adds to `more` those that f64 must decide, and returns how many there are. */
static inline u32 unite_twos(const friends_view *f, const grid_view *cells, const u32 *cell,
                             u32 count, GLOBAL u32 *parent, GLOBAL u8 *united, u32 *more,
                             u32 left) {
    for (u32 k = 0; k < count; k++) {
        const u32 c = cell[k], set = cells->cell_set[c], i = cells->set_start[set];
        const f32 d2 = friends_apart(&f->rule, cells->point[i], cells->point[i + 1]);
        const u32 near = d2 <= f->rule.near;
        atomic_store_u32(&parent[set + 1], set + 1 - near);
        united[c] = (u8)(2 * near);
        more[left] = c;
        left += !near & (d2 <= f->rule.far);
    }
    return left;
}

/* Joins the sets within the cells of block i, each of which was a tree of its own, and
 * notes what came of it as fof_unite_sets does; and the smallest index in each set, while
 * its points are at hand. */
static inline void unite_block(index_t i, friends_view f, grid_view cells,
                               GLOBAL u32 *parent, GLOBAL u8 *united,
                               GLOBAL u32 *smallest) {
    GLOBAL const u32 *start = cells.set_start;
    const index_t n = (index_t)cells.cells, begin = i * UNITE_CELLS;
    const index_t end = n - begin < UNITE_CELLS ? n : begin + UNITE_CELLS;
    u32 two[UNITE_CELLS], more[UNITE_CELLS], twos = 0, left = 0;
    for (u32 s = cells.cell_set[begin]; s < cells.cell_set[end]; s++) {
        atomic_store_u32(&parent[s], s);
        smallest[s] = fof_first((index_t)s, start, cells.point);
    }
    for (index_t c = begin; c < end; c++) {
        const u32 set = cells.cell_set[c], next = cells.cell_set[c + 1];
        const u32 count = start[next] - start[set];
        const u32 one = next - set == 1, is_two = (next - set == 2) & (count == 2);
        const index_t later = min(c + UNITE_CELLS, n);
        prefetch(cells.point + start[cells.cell_set[later]], 1);
        united[c] = (u8)min(count, 255u);
        two[twos] = (u32)c;
        twos += is_two;
        more[left] = (u32)c;
        left += !one & !is_two;
    }
    left = unite_twos(&f, &cells, two, twos, parent, united, more, left);
    for (u32 k = 0; k < left; k++)
        united[more[k]] = fof_unite_sets(&f, &cells, (index_t)more[k], parent, NULL);
}

#endif
