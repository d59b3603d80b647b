/* The cells of a grid that touch a cell, of the same grid or of another of its shape: by a
 * map of the grid where there is one (see map.kernel.h), otherwise by walking its rows.
 * Cells are then asked for in ascending order, so that places in rows only move forward. */
#ifndef WEFT_NEAR_KERNEL_H
#define WEFT_NEAR_KERNEL_H

#include "map.kernel.h"

/* Rows: first the cell's own, then its neighbours in the order of friends_way. */
typedef struct near_walk {
    u32 row;
    u32 begin[9], end[9], at[9];
} near_walk;

/* Stretches of up to three cells side by side, whose particles are side by side too: one a
 * row, and one more where the row goes on across the wrap. The cell's own row comes first,
 * if the cell is there. */
typedef struct near_cells {
    u32 count, x;            /* stretches; the cell's place in its row, */
    u64 line;                /*   and its row, z ny + y */
    u32 first[18], last[18]; /* cells [first, last) */
    u8 way[18];              /* of friends_way */
} near_cells;

static inline near_walk near_begin(void) {
    near_walk walk;
    walk.row = ~(u32)0;
    return walk;
}

static inline void near_add(near_cells *near, i32 way, u32 first, u32 last) {
    near->first[near->count] = first;
    near->last[near->count] = last;
    near->way[near->count++] = (u8)way;
}

/* The step from the cell to cell x of a stretch. */
static inline friends_step near_step(const near_cells *near, u32 k, u32 x) {
    friends_step step = friends_way((i32)near->way[k]);
    step.x = x == near->x ? 0 : x == near->x + 1 || x + 1 < near->x ? 1 : -1;
    return step;
}

/* By the map, the cells x - 1 to x + 1 of a row. */
static inline void near_look(near_cells *near, i32 way, index_t row, u32 x,
                             GLOBAL const u64 *bits, GLOBAL const u32 *first) {
    const u32 window = map_window(row, x, bits);
    if (window) {
        const u32 low = window & 1 ? 0 : window & 2 ? 1 : 2;
        const u32 c = map_cell(row, x + low, bits, first);
        near_add(near, way, c, c + (u32)popcount(window));
    }
}

/* By the map, around the cell x of a row: first where no row or cell lies outside. */
static inline void near_look_up(near_cells *near, const friends_rule *rule, u32 line, u32 x,
                                i64 pitch, GLOBAL const u64 *bits,
                                GLOBAL const u32 *first) {
    const u32 ny = (u32)rule->g.cells[1], z = line / ny, y = line - z * ny;
    const i32 inside = y > 0 && y + 1 < ny && z > 0 && z + 1 < (u32)rule->g.cells[2];
    const index_t home = map_word(line, 0, pitch);
    const u32 last = (u32)rule->g.cells[0] - 1, across = x ? 1 : last + 1;
    const i32 wraps = rule->g.box[0] > 0 && last > 1 && (x == 0 || x == last);
    if (inside && !wraps) {
        const index_t dy = (index_t)pitch, dz = (index_t)ny * (index_t)pitch;
        near_look(near, 8, home, x, bits, first);
        near_look(near, 0, home + dy, x, bits, first);
        near_look(near, 1, home - dy + dz, x, bits, first);
        near_look(near, 2, home + dz, x, bits, first);
        near_look(near, 3, home + dy + dz, x, bits, first);
        near_look(near, 4, home - dy, x, bits, first);
        near_look(near, 5, home + dy - dz, x, bits, first);
        near_look(near, 6, home - dz, x, bits, first);
        near_look(near, 7, home - dy - dz, x, bits, first);
        return;
    }
    for (i32 k = 0; k < 9; k++) {
        const i32 way = k > 0 ? k - 1 : 8;
        const index_t row = way == 8 ? home : map_row(rule, way, y, z, pitch);
        if (row < 0)
            continue;
        near_look(near, way, row, x, bits, first);
        if (wraps && bits[row + (index_t)(across >> 6)] >> (across & 63) & 1) {
            const u32 c = map_cell(row, across, bits, first);
            near_add(near, way, c, c + 1);
        }
    }
}

/* Looks up the rows around a row; `fresh`: no cell of this walk came before. */
static inline void near_enter_row(near_walk *walk, u32 row, u32 x, i64 rows,
                                  GLOBAL const u32 *neighbour, GLOBAL const u32 *row_cell,
                                  GLOBAL const u32 *cell_x) {
    const i32 fresh = walk->row == ~(u32)0;
    walk->row = row;
    for (i32 k = 0; k < 9; k++) {
        const u32 other =
            neighbour[(index_t)(k > 0 ? k - 1 : 8) * (index_t)rows + (index_t)row];
        const u32 begin = other == ~(u32)0 ? 0 : row_cell[other];
        const u32 end = other == ~(u32)0 ? 0 : row_cell[other + 1];
        walk->begin[k] = begin;
        walk->end[k] = end;
        walk->at[k] = fresh ? friends_seek(cell_x, begin, end, x > 0 ? x - 1 : 0) : begin;
    }
}

/* By walking, around the cell x of a row. */
static inline void near_walk_on(near_cells *near, near_walk *walk, const friends_rule *rule,
                                u32 row, u32 x, i64 rows, GLOBAL const u32 *neighbour,
                                GLOBAL const u32 *row_cell, GLOBAL const u32 *cell_x) {
    const u32 wrap =
        rule->g.box[0] > 0 && rule->g.cells[0] > 2 ? (u32)rule->g.cells[0] - 1 : 0;
    if (row != walk->row)
        near_enter_row(walk, row, x, rows, neighbour, row_cell, cell_x);
    for (i32 k = 0; k < 9; k++) {
        const u32 begin = walk->begin[k], end = walk->end[k];
        const i32 way = k > 0 ? k - 1 : 8;
        if (begin == end)
            continue;
        u32 at = walk->at[k];
        while (at < end && cell_x[at] + 1 < x)
            at++;
        walk->at[k] = at;
        u32 right = at;
        while (right < end && cell_x[right] <= x + 1)
            right++;
        if (right > at)
            near_add(near, way, at, right);
        const u32 edge = x ? begin : end - 1;
        if (wrap && (x == 0 || x == wrap) && cell_x[edge] == wrap - x)
            near_add(near, way, edge, edge + 1);
    }
}

/* Finds the cells around cell x of a row. With a map (pitch > 0) `row` counts all rows, and
 * otherwise those that `row_key` has the keys of. */
static inline void near_find(near_cells *near, near_walk *walk, const friends_rule *rule,
                             u32 row, u32 x, i64 pitch, i64 rows, GLOBAL const u64 *bits,
                             GLOBAL const u32 *first, GLOBAL const u32 *neighbour,
                             GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell,
                             GLOBAL const u32 *cell_x) {
    near->count = 0;
    near->x = x;
    near->line = pitch > 0 ? row : row_key[row];
    if (pitch > 0)
        near_look_up(near, rule, row, x, pitch, bits, first);
    else
        near_walk_on(near, walk, rule, row, x, rows, neighbour, row_cell, cell_x);
}

/* How many particles those cells hold. */
static inline u32 near_total(const near_cells *near, GLOBAL const u32 *cell_start) {
    u32 total = 0;
    for (u32 k = 0; k < near->count; k++)
        total += cell_start[near->last[k]] - cell_start[near->first[k]];
    return total;
}

#endif
