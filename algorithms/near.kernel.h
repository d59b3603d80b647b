/* The cells that touch a cell. Cells are taken in ascending order, so that the places in
 * their own row and in the eight around it only move forward. */
#ifndef WEFT_NEAR_KERNEL_H
#define WEFT_NEAR_KERNEL_H

#include "friends.kernel.h"

/* Rows: first the cell's own, then its neighbours in the order of friends_way. */
typedef struct near_walk {
    u32 row;
    u32 begin[9], end[9], at[9];
} near_walk;

/* At most 27 cells, the first of which is the one that they touch. */
typedef struct near_cells {
    u32 count;
    u32 cell[27];
    u8 step[27];
} near_cells;

static inline near_walk near_begin(void) {
    near_walk walk;
    walk.row = ~(u32)0;
    return walk;
}

/* The step to the k-th of them. */
static inline friends_step near_step(u32 code) {
    friends_step step;
    step.x = (i32)(code % 3) - 1;
    step.y = (i32)(code / 3 % 3) - 1;
    step.z = (i32)(code / 9) - 1;
    return step;
}

/* Looks up the rows around cell c; `fresh`: no cell of this walk came before. */
static inline void near_enter_row(near_walk *walk, u32 c, i64 rows,
                                  GLOBAL const u32 *neighbour, GLOBAL const u32 *row_cell,
                                  GLOBAL const u32 *cell_row, GLOBAL const u32 *cell_x) {
    const i32 fresh = walk->row == ~(u32)0;
    const u32 row = cell_row[c], from = cell_x[c] > 0 ? cell_x[c] - 1 : 0;
    walk->row = row;
    for (i32 k = 0; k < 9; k++) {
        const u32 other =
            k == 0 ? row : neighbour[(index_t)(k - 1) * (index_t)rows + (index_t)row];
        const u32 begin = other == ~(u32)0 ? 0 : row_cell[other];
        const u32 end = other == ~(u32)0 ? 0 : row_cell[other + 1];
        walk->begin[k] = begin;
        walk->end[k] = end;
        walk->at[k] = fresh ? friends_seek(cell_x, begin, end, from) : begin;
    }
}

/* Finds the cells that touch cell c, which must not come before the last one asked for. */
static inline void near_find(near_cells *near, near_walk *walk, const friends_rule *rule,
                             u32 c, i64 rows, GLOBAL const u32 *neighbour,
                             GLOBAL const u32 *row_cell, GLOBAL const u32 *cell_row,
                             GLOBAL const u32 *cell_x) {
    const u32 cx = cell_x[c];
    const u32 wrap =
        rule->g.box[0] > 0 && rule->g.cells[0] > 2 ? (u32)rule->g.cells[0] - 1 : 0;
    if (cell_row[c] != walk->row)
        near_enter_row(walk, c, rows, neighbour, row_cell, cell_row, cell_x);
    near->cell[0] = c;
    near->step[0] = 13;
    u32 count = 1;
    for (i32 k = 0; k < 9; k++) {
        const u32 begin = walk->begin[k], end = walk->end[k];
        if (begin == end)
            continue;
        const friends_step way = friends_way(k - 1);
        const i32 across = k == 0 ? 12 : 9 * (way.z + 1) + 3 * (way.y + 1);
        u32 at = walk->at[k];
        while (at < end && cell_x[at] + 1 < cx)
            at++;
        walk->at[k] = at;
        for (; at < end && cell_x[at] <= cx + 1; at++)
            if (at != c) {
                near->cell[count] = at;
                near->step[count++] = (u8)(across + (i32)(cell_x[at] + 1 - cx));
            }
        const u32 edge = cx ? begin : end - 1;
        if (wrap && (cx == 0 || cx == wrap) && cell_x[edge] == wrap - cx) {
            near->cell[count] = edge;
            near->step[count++] = (u8)(across + (cx ? 2 : 0));
        }
    }
    near->count = count;
}

#endif
