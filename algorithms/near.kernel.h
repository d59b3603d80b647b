/* The cells of a grid that touch a cell, of the same grid or of another of its shape: by a
 * map of the grid where there is one (see dense.kernel.h), otherwise by walking its rows.
 * Cells are then asked for in ascending order, so that places in rows only move forward. */
#ifndef WEFT_NEAR_KERNEL_H
#define WEFT_NEAR_KERNEL_H

#include "dense.kernel.h"

/* Rows: first the cell's own, then its neighbours in the order of friends_way. */
typedef struct near_walk {
    u32 row;
    u32 begin[9], end[9], at[9];
} near_walk;

/* At most 27 cells; the one in the middle comes first, if it is there. */
typedef struct near_cells {
    u32 count;
    u32 cell[27];
    u32 begin[27], end[27]; /* their particles, once near_points was asked */
    u8 step[27];
} near_cells;

/* Rows by their place in a cube of 27 cells, numbered along x, then y, then z. */
CONSTANT u8 near_base[9] = {12, 15, 18, 21, 24, 9, 6, 3, 0};

static inline near_walk near_begin(void) {
    near_walk walk;
    walk.row = ~(u32)0;
    return walk;
}

static inline friends_step near_step(u32 code) {
    friends_step step;
    step.x = (i32)(code % 3) - 1;
    step.y = (i32)(code / 3 % 3) - 1;
    step.z = (i32)(code / 9) - 1;
    return step;
}

static inline void near_add(near_cells *near, i32 row, i32 x, u32 cell) {
    near->cell[near->count] = cell;
    near->step[near->count++] = (u8)(near_base[row] + x + 1);
}

/* By the map, around the cell x of a row: all that there are, three bits for each of nine
 * rows, and then one after the other. */
static inline void near_look_up(near_cells *near, const friends_rule *rule, u32 line, u32 x,
                                i64 pitch, GLOBAL const u64 *bits,
                                GLOBAL const u32 *first) {
    const i64 ny = rule->g.cells[1], nz = rule->g.cells[2];
    const u32 z = line / (u32)ny, y = line - z * (u32)ny;
    const i32 inside = y > 0 && y + 1 < ny && z > 0 && z + 1 < nz;
    const u32 last = (u32)rule->g.cells[0] - 1, across = x ? 1 : last + 1;
    const i32 wraps = rule->g.box[0] > 0 && last > 1 && (x == 0 || x == last);
    index_t row[9];
    u32 hits = 0;
    for (i32 k = 0; k < 9; k++) {
        const friends_step way = friends_way(k > 0 ? k - 1 : 8);
        const i64 ty =
            inside ? (i64)y + way.y : friends_neighbour(y, way.y, ny, rule->g.box[1]);
        const i64 tz =
            inside ? (i64)z + way.z : friends_neighbour(z, way.z, nz, rule->g.box[2]);
        row[k] = ty < 0 || tz < 0 ? -1 : (index_t)(tz * ny + ty) * (index_t)pitch;
        hits |= row[k] < 0 ? 0 : dense_window(row[k], x, bits) << 3 * k;
    }
    if (hits & 2)
        near_add(near, 0, 0, dense_cell(row[0], x + 1, bits, first));
    for (hits &= ~(u32)2; hits; hits &= hits - 1) {
        const u32 bit = popcount((hits & (~hits + 1)) - 1), k = bit / 3, at = bit - 3 * k;
        near_add(near, (i32)k, (i32)at - 1, dense_cell(row[k], x + at, bits, first));
    }
    for (i32 k = 0; wraps && k < 9; k++)
        if (row[k] >= 0 && bits[row[k] + (index_t)(across >> 6)] >> (across & 63) & 1)
            near_add(near, k, x ? 1 : -1, dense_cell(row[k], across, bits, first));
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
        if (begin == end)
            continue;
        u32 at = walk->at[k];
        while (at < end && cell_x[at] + 1 < x)
            at++;
        walk->at[k] = at;
        const u32 middle = at < end && cell_x[at] < x ? at + 1 : at;
        const i32 is_there = middle < end && cell_x[middle] == x;
        const u32 right = middle + (u32)is_there;
        if (is_there)
            near_add(near, k, 0, middle);
        if (middle > at)
            near_add(near, k, -1, at);
        if (right < end && cell_x[right] == x + 1)
            near_add(near, k, 1, right);
        const u32 edge = x ? begin : end - 1;
        if (wrap && (x == 0 || x == wrap) && cell_x[edge] == wrap - x)
            near_add(near, k, x ? 1 : -1, edge);
    }
}

/* Finds the cells around cell x of a row. With a map (pitch > 0) `row` counts all rows, and
 * otherwise those that `neighbour` tells the neighbours of. */
static inline void near_find(near_cells *near, near_walk *walk, const friends_rule *rule,
                             u32 row, u32 x, i64 pitch, i64 rows, GLOBAL const u64 *bits,
                             GLOBAL const u32 *first, GLOBAL const u32 *neighbour,
                             GLOBAL const u32 *row_cell, GLOBAL const u32 *cell_x) {
    near->count = 0;
    if (pitch > 0)
        near_look_up(near, rule, row, x, pitch, bits, first);
    else
        near_walk_on(near, walk, rule, row, x, rows, neighbour, row_cell, cell_x);
}

/* Where the particles of those cells lie; returns how many there are. */
static inline u32 near_points(near_cells *near, GLOBAL const u32 *cell_set,
                              GLOBAL const u32 *set_start) {
    u32 total = 0;
    for (u32 k = 0; k < near->count; k++) {
        near->begin[k] = set_start[cell_set[near->cell[k]]];
        near->end[k] = set_start[cell_set[near->cell[k] + 1]];
        total += near->end[k] - near->begin[k];
    }
    return total;
}

#endif
