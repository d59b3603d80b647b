/* Cells of a grid that has a map, linked: each finds the neighbours behind it by their
 * bits. */
#ifndef WEFT_DENSE_KERNEL_H
#define WEFT_DENSE_KERNEL_H

#include "algorithms/cells/map.kernel.h"
#include "fof.kernel.h"

/* Joins cell i with its neighbours, so that each pair of touching cells is met once: all
 * that there are, four bits for each of five rows, and then one after the other. `left` as
 * touch_few has it. */
static inline void dense_link_cell(index_t i, const friends_rule *rule, i64 pitch,
                                   GLOBAL const u64 *bits, GLOBAL const u32 *first,
                                   GLOBAL const u32 *cell_line, GLOBAL const u32 *cell_x,
                                   GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                                   GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                                   GLOBAL const u32 *x, GLOBAL const u32 *y,
                                   GLOBAL const u32 *z, GLOBAL u32 *parent,
                                   GLOBAL const u8 *united, i32 *left) {
    const u32 cx = cell_x[i], line = cell_line[i], ny = (u32)rule->g.cells[1];
    const u32 cz = line / ny, cy = line - cz * ny, last = (u32)rule->g.cells[0] - 1;
    const i32 wraps = rule->g.box[0] > 0 && last > 1 && (cx == 0 || cx == last);
    const u32 across = !wraps ? 0 : cx == 0 ? last + 1 : 1;
    const index_t home = map_word(line, 0, pitch);
    const index_t row0 = map_row(rule, 0, cy, cz, pitch);
    const index_t row1 = map_row(rule, 1, cy, cz, pitch);
    const index_t row2 = map_row(rule, 2, cy, cz, pitch);
    const index_t row3 = map_row(rule, 3, cy, cz, pitch);
    u32 hits =
        (map_hits(home, cx, across, bits) & (cx == last ? 12u : 4u)) |
        map_hits(row0, cx, across, bits) << 4 | map_hits(row1, cx, across, bits) << 8 |
        map_hits(row2, cx, across, bits) << 12 | map_hits(row3, cx, across, bits) << 16;
    for (; hits; hits &= hits - 1) {
        const i32 bit = (i32)popcount((hits & (~hits + 1)) - 1), k = bit & 3, r = bit >> 2;
        const index_t row = r == 0   ? home
                            : r == 1 ? row0
                            : r == 2 ? row1
                            : r == 3 ? row2
                                     : row3;
        friends_step step = friends_way(r - 1);
        step.y = r == 0 ? 0 : step.y;
        step.z = r == 0 ? 0 : step.z;
        step.x = k < 3 ? k - 1 : cx == 0 ? -1 : 1;
        const u32 b = map_cell(row, k < 3 ? cx + (u32)k : across, bits, first);
        fof_unite_cells(rule, step, i, (index_t)b, cell_set, set_start, set_sub, point, x,
                        y, z, parent, united, left);
    }
}

/* What can be decided quickly; cells with more to decide get a bit in `left`. */
static inline void dense_link(index_t i, friends_rule rule, i64 pitch,
                              GLOBAL const u64 *bits, GLOBAL const u32 *first,
                              GLOBAL const u32 *cell_line, GLOBAL const u32 *cell_x,
                              GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                              GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                              GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z,
                              GLOBAL u32 *parent, GLOBAL const u8 *united,
                              GLOBAL u32 *left) {
    i32 more = 0;
    dense_link_cell(i, &rule, pitch, bits, first, cell_line, cell_x, cell_set, set_start,
                    set_sub, point, x, y, z, parent, united, &more);
    if (more)
        atomic_or_u32(&left[(u32)i / 32], 1u << ((u32)i % 32));
}

/* And the rest. */
static inline void dense_link_left(index_t i, friends_rule rule, i64 pitch,
                                   GLOBAL const u64 *bits, GLOBAL const u32 *first,
                                   GLOBAL const u32 *cell_line, GLOBAL const u32 *cell_x,
                                   GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                                   GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                                   GLOBAL const u32 *x, GLOBAL const u32 *y,
                                   GLOBAL const u32 *z, GLOBAL u32 *parent,
                                   GLOBAL const u8 *united, GLOBAL const u32 *left) {
    if (left[(u32)i / 32] >> ((u32)i % 32) & 1)
        dense_link_cell(i, &rule, pitch, bits, first, cell_line, cell_x, cell_set,
                        set_start, set_sub, point, x, y, z, parent, united, NULL);
}

#endif
