/* The cells of a grid that touch a cell, of the same grid or of another of its shape: by a
 * map of the grid where there is one (see map.kernel.h), otherwise by a search in its rows,
 * which are short where there is none. */
#ifndef WEFT_STENCIL_KERNEL_H
#define WEFT_STENCIL_KERNEL_H

#include "map.kernel.h"

/* Stretches of up to three cells side by side, whose particles are side by side too: one a
 * row, and one more where the row goes on across the wrap. The cell's own row comes first,
 * if the cell is there. */
typedef struct stencil_cells {
    u32 count, x;            /* stretches; the cell's place in its row, */
    u64 line;                /*   and its row, z ny + y */
    u32 first[18], last[18]; /* cells [first, last) */
    u8 way[18];              /* of friends_way */
} stencil_cells;

static inline void stencil_add(stencil_cells *around, i32 way, u32 first, u32 last) {
    around->first[around->count] = first;
    around->last[around->count] = last;
    around->way[around->count++] = (u8)way;
}

/* The step from the cell to cell x of a stretch. */
static inline friends_step stencil_step(const stencil_cells *around, u32 k, u32 x) {
    friends_step step = friends_way((i32)around->way[k]);
    step.x = x == around->x ? 0 : x == around->x + 1 || x + 1 < around->x ? 1 : -1;
    return step;
}

/* By the map, the cells x - 1 to x + 1 of a row. */
static inline void stencil_look(stencil_cells *around, const grid_view *cells, i32 way,
                                index_t row, u32 x) {
    const u32 window = map_window(cells, row, x);
    if (window) {
        const u32 low = window & 1 ? 0 : window & 2 ? 1 : 2;
        const u32 c = map_cell(cells, row, x + low);
        stencil_add(around, way, c, c + (u32)popcount(window));
    }
}

/* By the map, around the cell x of a row: first where no row or cell lies outside. */
static inline void stencil_look_up(stencil_cells *around, const grid *g,
                                   const grid_view *cells, u32 line, u32 x) {
    const u32 ny = (u32)g->cells[1], z = line / ny, y = line - z * ny;
    const i32 inside = y > 0 && y + 1 < ny && z > 0 && z + 1 < (u32)g->cells[2];
    const index_t home = map_word(line, 0, cells->pitch);
    const u32 last = (u32)g->cells[0] - 1, across = x ? 1 : last + 1;
    const i32 wraps = g->box[0] > 0 && last > 1 && (x == 0 || x == last);
    if (inside && !wraps) {
        const index_t dy = (index_t)cells->pitch, dz = (index_t)ny * dy;
        stencil_look(around, cells, 0, home, x);
        stencil_look(around, cells, 1, home + dy, x);
        stencil_look(around, cells, 2, home - dy + dz, x);
        stencil_look(around, cells, 3, home + dz, x);
        stencil_look(around, cells, 4, home + dy + dz, x);
        stencil_look(around, cells, 5, home - dy, x);
        stencil_look(around, cells, 6, home + dy - dz, x);
        stencil_look(around, cells, 7, home - dz, x);
        stencil_look(around, cells, 8, home - dy - dz, x);
        return;
    }
    for (i32 way = 0; way < 9; way++) {
        const index_t row = map_row(g, cells, way, y, z);
        if (row < 0)
            continue;
        stencil_look(around, cells, way, row, x);
        if (wraps && map_holds(cells, row, across)) {
            const u32 c = map_cell(cells, row, across);
            stencil_add(around, way, c, c + 1);
        }
    }
}

/* By a search, the cells x - 1 to x + 1 of the row with a number, 2^32 - 1 for none. */
static inline void stencil_search(stencil_cells *around, const grid *g,
                                  const grid_view *cells, i32 way, u32 row, u32 x) {
    if (row == ~(u32)0)
        return;
    GLOBAL const u32 *cell_x = cells->cell_x;
    const u32 wrap = g->box[0] > 0 && g->cells[0] > 2 ? (u32)g->cells[0] - 1 : 0;
    const u32 begin = cells->row_cell[row], end = cells->row_cell[row + 1];
    u32 first =
        end - begin > 8 ? friends_seek(cell_x, begin, end, x > 0 ? x - 1 : 0) : begin;
    while (first < end && cell_x[first] + 1 < x)
        first++;
    u32 last = first;
    while (last < end && cell_x[last] <= x + 1)
        last++;
    if (last > first)
        stencil_add(around, way, first, last);
    const u32 edge = x ? begin : end - 1;
    if (wrap && (x == 0 || x == wrap) && cell_x[edge] == wrap - x)
        stencil_add(around, way, edge, edge + 1);
}

/* Finds the cells of `to` around cell c of `from`; `neighbour` as stencil_prepare has it.
 */
static inline void stencil_find(stencil_cells *around, const grid *g, const grid_view *from,
                                u32 c, const grid_view *to, GLOBAL const u32 *neighbour) {
    around->count = 0;
    around->x = from->cell_x[c];
    if (to->pitch > 0) {
        around->line = from->cell_line[c];
        stencil_look_up(around, g, to, (u32)around->line, around->x);
        return;
    }
    const index_t row = (index_t)from->cell_row[c], rows = (index_t)from->rows;
    around->line = from->row_key[row];
    for (i32 way = 0; way < 9; way++)
        stencil_search(around, g, to, way, neighbour[way * rows + row], around->x);
}

/* How many particles those cells hold. */
static inline u32 stencil_total(const stencil_cells *around, const grid_view *cells) {
    u32 total = 0;
    for (u32 k = 0; k < around->count; k++)
        total += cells->cell_start[around->last[k]] - cells->cell_start[around->first[k]];
    return total;
}

#endif
