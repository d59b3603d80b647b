/* When two particles are friends, and which cells may hold some. */
#ifndef WEFT_FRIENDS_KERNEL_H
#define WEFT_FRIENDS_KERNEL_H

#include "algorithms/cells/grid/grid.kernel.h"

typedef struct friends_rule {
    grid g;
    f64 box[3];    /* the periods, or 0, of the coordinates as they were read, */
    i64 stride;    /*   whose k-th is k * stride */
    f64 length2;   /* the squared linking length */
    f32 near, far; /* squared distances in float that are certain, below and above */
    f32 unit[3];   /* of the grid's axes: a grid_point's units, */
    f32 side[3];   /* and the sides of a cell, in linking lengths */
    i32 wide;      /* those coordinates are f64 */
} friends_rule;

/* From one cell to another: -1, 0 or 1 on each axis. */
typedef struct friends_step {
    i32 x, y, z;
} friends_step;

/* The rule, and the coordinates that it goes by. */
typedef struct friends_view {
    friends_rule rule;
    GLOBAL const u32 *x, *y, *z;
} friends_view;

/* The squared distance of particles i and j, as defined. */
static inline f64 friends_squared(const friends_view *f, index_t i, index_t j) {
    const friends_rule *rule = &f->rule;
    i *= (index_t)rule->stride;
    j *= (index_t)rule->stride;
    const f64 dx = points_separation(f->x, i, j, rule->wide, rule->box[0]);
    const f64 dy = points_separation(f->y, i, j, rule->wide, rule->box[1]);
    const f64 dz = points_separation(f->z, i, j, rule->wide, rule->box[2]);
    return dx * dx + dy * dy + dz * dz;
}

static inline i32 friends_exactly(const friends_view *f, index_t i, index_t j) {
    return friends_squared(f, i, j) <= f->rule.length2;
}

/* The squared distance of p and q, in linking lengths, almost. */
static inline f32 friends_apart(const friends_rule *rule, grid_point p, grid_point q) {
    const f32 dx = (f32)(i32)(q.x - p.x) * rule->unit[0];
    const f32 dy = (f32)(i32)(q.y - p.y) * rule->unit[1];
    const f32 dz = (f32)(i32)(q.z - p.z) * rule->unit[2];
    return dx * dx + dy * dy + dz * dz;
}

static inline i32 friends_are(const friends_view *f, grid_point p, grid_point q) {
    const f32 d2 = friends_apart(&f->rule, p, q);
    return d2 <= f->rule.near ||
           (d2 <= f->rule.far && friends_exactly(f, p.index, q.index));
}

/* The first of [low, high) with at least this key, or high; keys ascend. */
static inline u32 friends_seek(GLOBAL const u32 *key, u32 low, u32 high, u32 wanted) {
    u32 count = high - low;
    for (; count > 1; count -= count / 2)
        low += key[low + count / 2 - 1] < wanted ? count / 2 : 0;
    return low + (u32)(count > 0 && key[low] < wanted);
}

/* A neighbour's coordinate, wrapped; -1 where there is none. Of two cells around a box each
 * is met once, without a wrap. */
static inline i64 friends_neighbour(i64 cell, i32 step, i64 cells, f64 box) {
    const i64 next = cell + step;
    if (next >= 0 && next < cells)
        return next;
    if (!(box > 0) || cells < 3)
        return -1;
    return next < 0 ? cells - 1 : 0;
}

/* The way from a row to its neighbours: 0 stays, 1 to 4 are those on which each pair of
 * rows is met once, and 5 to 8 lead back. */
static inline friends_step friends_way(i32 way) {
    const i32 k = way > 4 ? way - 4 : way, sign = way > 4 ? -1 : 1;
    friends_step step;
    step.x = 0;
    step.y = k == 0 || k == 3 ? 0 : k == 2 ? -sign : sign;
    step.z = k > 1 ? sign : 0;
    return step;
}

/* As friends_seek, among keys of rows. */
static inline index_t friends_seek_row(GLOBAL const u64 *key, index_t low, index_t high,
                                       u64 wanted) {
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        if (key[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For a chunk of rows their neighbours on one of the first `ways`, among the rows that
 * `other_key` has the keys of, 2^32 - 1 for none; i counts chunks and ways. A row's
 * neighbour is sought from where that of the row before was. */
static inline void friends_rows(index_t i, grid g, i64 chunk, i64 rows, i64 others,
                                i32 ways, GLOBAL const u64 *row_key,
                                GLOBAL const u64 *other_key, GLOBAL u32 *neighbour) {
    const index_t way = i % ways, first = i / ways * (index_t)chunk, n = (index_t)rows;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    const friends_step step = friends_way((i32)way);
    index_t place = 0;
    u64 sought = ~(u64)0;
    for (index_t r = first; r < last; r++) {
        const i64 y = friends_neighbour((i64)(row_key[r] % (u64)g.cells[1]), step.y,
                                        g.cells[1], g.box[1]);
        const i64 z = friends_neighbour((i64)(row_key[r] / (u64)g.cells[1]), step.z,
                                        g.cells[2], g.box[2]);
        neighbour[way * n + r] = ~(u32)0;
        if (y < 0 || z < 0)
            continue;
        const u64 wanted = (u64)z * (u64)g.cells[1] + (u64)y;
        const index_t low = wanted > sought ? place : 0;
        index_t high = (index_t)others;
        for (index_t ahead = 1; low + ahead < high; ahead *= 2)
            if (other_key[low + ahead] >= wanted)
                high = low + ahead + 1;
        place = friends_seek_row(other_key, low, high, wanted);
        sought = wanted;
        if (place < others && other_key[place] == wanted)
            neighbour[way * n + r] = (u32)place;
    }
}

#endif
