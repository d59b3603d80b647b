/* When two particles are friends, and which cells may hold some. */
#ifndef WEFT_FRIENDS_KERNEL_H
#define WEFT_FRIENDS_KERNEL_H

#include "grid.kernel.h"

typedef struct friends_rule {
    grid g;
    f64 box[3];    /* the periods, or 0, of the coordinates as they were read, */
    i64 stride;    /*   whose k-th is k * stride */
    f64 length2;   /* the squared linking length */
    f32 near, far; /* squared distances in float that are certain, below and above */
    f32 shift[3];  /* the sides of a cell in linking lengths */
    i32 wide;      /* those coordinates are f64 */
} friends_rule;

/* From one cell to another: -1, 0 or 1 on each axis. */
typedef struct friends_step {
    i32 x, y, z;
} friends_step;

static inline i32 friends_exactly(friends_rule rule, index_t i, index_t j,
                                  GLOBAL const u32 *x, GLOBAL const u32 *y,
                                  GLOBAL const u32 *z) {
    i *= (index_t)rule.stride;
    j *= (index_t)rule.stride;
    const f64 dx = points_separation(x, i, j, rule.wide, rule.box[0]);
    const f64 dy = points_separation(y, i, j, rule.wide, rule.box[1]);
    const f64 dz = points_separation(z, i, j, rule.wide, rule.box[2]);
    return dx * dx + dy * dy + dz * dz <= rule.length2;
}

/* Whether p and q, a step further, are friends. */
static inline i32 friends_are(friends_rule rule, friends_step step, grid_point p,
                              grid_point q, GLOBAL const u32 *x, GLOBAL const u32 *y,
                              GLOBAL const u32 *z) {
    const f32 dx = q.x - p.x + (f32)step.x * rule.shift[0];
    const f32 dy = q.y - p.y + (f32)step.y * rule.shift[1];
    const f32 dz = q.z - p.z + (f32)step.z * rule.shift[2];
    const f32 d2 = dx * dx + dy * dy + dz * dz;
    return d2 <= rule.near ||
           (d2 <= rule.far && friends_exactly(rule, p.index, q.index, x, y, z));
}

/* The first cell at or after `hint` with at least this key; all before `hint` have less. */
static inline index_t friends_seek(GLOBAL const u64 *cell_key, index_t count, index_t hint,
                                   u64 key) {
    index_t low = hint, step = 1;
    while (low < count && cell_key[low] < key) {
        hint = low + 1;
        low += step;
        step *= 2;
    }
    low = low < count ? low : count;
    while (hint < low) {
        const index_t middle = hint + (low - hint) / 2;
        if (cell_key[middle] < key)
            hint = middle + 1;
        else
            low = middle;
    }
    return hint;
}

/* A coordinate of a neighbouring cell: wrapped, or -1 where there is none. */
static inline i64 friends_neighbour(i64 cell, i32 step, i64 cells, f64 box) {
    cell += step;
    if (cell >= 0 && cell < cells)
        return cell;
    return box > 0 ? (cell < 0 ? cells - 1 : 0) : -1;
}

/* The number of the first cell of row (y, z), or -1 where the row holds none. */
static inline i64 friends_row_begin(grid g, i64 y, i64 z, GLOBAL const u64 *row) {
    const u64 wanted = (u64)z * (u64)g.cells[1] + (u64)y;
    if (g.rows == 0)
        return (i64)wanted * g.cells[0];
    const index_t r = friends_seek(row, (index_t)g.rows, 0, wanted);
    return r < g.rows && row[r] == wanted ? (i64)r * g.cells[0] : -1;
}

/* Whether a step along an axis leads to a cell that no smaller step leads to. */
static inline i32 friends_distinct(i32 step, i64 cells, f64 box) {
    return step == 0 || !(box > 0) || cells > 2 || (cells == 2 && step > 0);
}

/* Counts the friends of the i-th sorted particle, up to `enough`; u, v, w place it in its
 * cell, x, y, z decide. */
static inline void friends_count(index_t i, friends_rule rule, u32 enough, i64 cells,
                                 GLOBAL const u64 *row, GLOBAL const u64 *cell_key,
                                 GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                                 GLOBAL const grid_point *point, GLOBAL const u32 *u,
                                 GLOBAL const u32 *v, GLOBAL const u32 *w,
                                 GLOBAL const u32 *x, GLOBAL const u32 *y,
                                 GLOBAL const u32 *z, GLOBAL u32 *friends) {
    const grid_point p = point[i];
    const grid g = rule.g;
    const index_t k = (index_t)p.index * (index_t)g.stride;
    const i64 cx = grid_locate_x(g, u, k).cell, cy = grid_locate_y(g, v, k).cell,
              cz = grid_locate_z(g, w, k).cell;
    u32 count = 0;
    friends_step step;
    for (i32 s = 0; s < 27 && count < enough; s++) {
        step.x = s % 3 - 1;
        step.y = s / 3 % 3 - 1;
        step.z = s / 9 - 1;
        const i64 nx = friends_neighbour(cx, step.x, g.cells[0], g.box[0]);
        const i64 ny = friends_neighbour(cy, step.y, g.cells[1], g.box[1]);
        const i64 nz = friends_neighbour(cz, step.z, g.cells[2], g.box[2]);
        if (nx < 0 || ny < 0 || nz < 0 || !friends_distinct(step.x, g.cells[0], g.box[0]) ||
            !friends_distinct(step.y, g.cells[1], g.box[1]) ||
            !friends_distinct(step.z, g.cells[2], g.box[2]))
            continue;
        const i64 begin = friends_row_begin(g, ny, nz, row);
        const u64 wanted = (u64)(begin + nx);
        const index_t c =
            begin < 0 ? (index_t)cells : friends_seek(cell_key, (index_t)cells, 0, wanted);
        if (c >= cells || cell_key[c] != wanted)
            continue;
        const u32 end = set_start[cell_set[c + 1]];
        for (u32 j = set_start[cell_set[c]]; j < end && count < enough; j++)
            count += j != (u32)i && friends_are(rule, step, p, point[j], x, y, z);
    }
    friends[i] = count;
}

#endif
