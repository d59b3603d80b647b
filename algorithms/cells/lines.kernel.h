/* The first cell and particle of each row that there could be, so that what lies in a row
 * is found without a search: a few bytes a row, where a map has some words. */
#ifndef WEFT_LINES_KERNEL_H
#define WEFT_LINES_KERNEL_H

#include "friends.kernel.h"

/* Of rows [i block, (i + 1) block) of `lines`, and of the end behind them: how many cells,
 * and particles, lie in rows before. The last cell of a row tells the row after it; rows
 * without cells begin where the one before them does. */
static inline void lines_begin(index_t i, i64 lines, i64 block, grid_view cells,
                               GLOBAL u32 *line_cell, GLOBAL u32 *line_point) {
    const index_t first = i * (index_t)block;
    const index_t end = min(first + (index_t)block, (index_t)lines + 1);
    const u32 n = (u32)cells.cells;
    const u32 begin = friends_seek(cells.cell_line, 0, n, (u32)first);
    u32 before = begin;
    for (index_t line = first; line < end; line++)
        line_cell[line] = before;
    for (u32 c = begin; c < n && (index_t)cells.cell_line[c] + 1 < end; c++)
        line_cell[(index_t)cells.cell_line[c] + 1] = c + 1;
    for (index_t line = first; line < end; line++) {
        before = max(before, line_cell[line]);
        line_cell[line] = before;
        line_point[line] = cells.set_start[cells.cell_set[before]];
    }
}

/* The cells [low, high] of a row that hold particles, as [*begin, *end). */
static inline void lines_look(const grid_view *cells, u64 line, u32 low, u32 high,
                              u32 *begin, u32 *end) {
    const u32 first = cells->line_cell[line], last = cells->line_cell[line + 1];
    *begin = friends_seek(cells->cell_x, first, last, low);
    *end = friends_seek(cells->cell_x, *begin, last, high + 1);
}

#endif
