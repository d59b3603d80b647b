/* Cells of a grid that has a map, linked: each finds the neighbours behind it by their
 * bits. */
#ifndef WEFT_DENSE_KERNEL_H
#define WEFT_DENSE_KERNEL_H

#include "algorithms/cells/map.kernel.h"
#include "fof.kernel.h"

/* Joins cell i, at cx of its row, with its neighbours in five rows of the map: all that
 * there are, four bits for each row, and then one after the other. `left` as linked_few has
 * it. */
static inline void dense_link_rows(index_t i, const friends_view *f, const grid_view *cells,
                                   const fof_forest *forest, index_t home, index_t row1,
                                   index_t row2, index_t row3, index_t row4, i32 *left) {
    const grid *g = &f->rule.g;
    const u32 cx = cells->cell_x[i], last = (u32)g->cells[0] - 1;
    const i32 wraps = g->box[0] > 0 && last > 1 && (cx == 0 || cx == last);
    const u32 across = !wraps ? 0 : cx == 0 ? last + 1 : 1;
    u32 hits =
        (map_hits(cells, home, cx, across) & (cx == last ? 12u : 4u)) |
        map_hits(cells, row1, cx, across) << 4 | map_hits(cells, row2, cx, across) << 8 |
        map_hits(cells, row3, cx, across) << 12 | map_hits(cells, row4, cx, across) << 16;
    for (; hits; hits &= hits - 1) {
        const i32 bit = (i32)popcount((hits & (~hits + 1)) - 1), k = bit & 3, r = bit >> 2;
        const index_t row = r == 0   ? home
                            : r == 1 ? row1
                            : r == 2 ? row2
                            : r == 3 ? row3
                                     : row4;
        friends_step step = friends_way(r);
        step.x = k < 3 ? k - 1 : cx == 0 ? -1 : 1;
        const u32 b = map_cell(cells, row, k < 3 ? cx + (u32)k : across);
        fof_unite_cells(f, cells, forest, step, i, (index_t)b, left);
    }
}

/* Joins cell i with its neighbours, so that each pair of touching cells is met once. */
static inline void dense_link_cell(index_t i, const friends_view *f, const grid_view *cells,
                                   const fof_forest *forest, i32 *left) {
    const grid *g = &f->rule.g;
    const u32 line = cells->cell_line[i], ny = (u32)g->cells[1];
    const u32 cz = line / ny, cy = line - cz * ny;
    dense_link_rows(i, f, cells, forest, map_word(line, 0, cells->pitch),
                    map_row(g, cells, 1, cy, cz), map_row(g, cells, 2, cy, cz),
                    map_row(g, cells, 3, cy, cz), map_row(g, cells, 4, cy, cz), left);
}

/* What can be decided quickly; cells with more to decide get a bit in `left`. */
static inline void dense_link(index_t i, friends_view f, grid_view cells, fof_forest forest,
                              GLOBAL u32 *left) {
    i32 more = 0;
    dense_link_cell(i, &f, &cells, &forest, &more);
    if (more)
        atomic_or_u32(&left[(u32)i / 32], 1u << ((u32)i % 32));
}

/* And the rest. */
static inline void dense_link_left(index_t i, friends_view f, grid_view cells,
                                   fof_forest forest, GLOBAL const u32 *left) {
    if (left[(u32)i / 32] >> ((u32)i % 32) & 1)
        dense_link_cell(i, &f, &cells, &forest, NULL);
}

#endif
