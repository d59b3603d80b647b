/* How many friends a particle has. */
#ifndef WEFT_TALLY_KERNEL_H
#define WEFT_TALLY_KERNEL_H

#include "near.kernel.h"

/* How many of the particles [b, b_end) are friends of p; p itself counts. */
static inline u32 tally_range(const friends_rule *rule, grid_point p, u32 b, u32 b_end,
                              GLOBAL const grid_point *point, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z) {
    const f32 near = rule->near, far = rule->far;
    u32 certain = 0, possible = 0;
    for (u32 j = b; j < b_end; j++) {
        const f32 d2 = friends_apart(rule, p, point[j]);
        certain += d2 <= near;
        possible += d2 <= far;
    }
    for (u32 j = b; certain < possible && j < b_end; j++) {
        const f32 d2 = friends_apart(rule, p, point[j]);
        if (d2 > near && d2 <= far) {
            const u32 are = (u32)friends_exactly(rule, p.index, point[j].index, x, y, z);
            certain += are;
            possible -= 1 - are;
        }
    }
    return certain;
}

/* The least and the greatest square of a number in [from, from + width]. */
static inline f32 tally_least(f32 from, f32 width) {
    const f32 d = from > 0 ? from : from + width < 0 ? from + width : 0;
    return d * d;
}
static inline f32 tally_greatest(f32 from, f32 width) {
    const f32 d = from + width > -from ? from + width : from;
    return d * d;
}

/* Where a particle lies in its cell: from the lower faces, in linking lengths. */
typedef struct tally_place {
    f32 x, y, z;
} tally_place;

static inline f32 tally_offset(u32 at, u64 cell, f64 side, f64 units, f32 unit) {
    return (f32)(i32)(at - (u32)(i64)((f64)cell * side * units)) * unit;
}

static inline tally_place tally_locate(const friends_rule *rule, const near_cells *near,
                                       grid_point p) {
    const grid *g = &rule->g;
    const u64 ny = (u64)g->cells[1], z = near->line / ny, y = near->line - z * ny;
    tally_place at;
    at.x = tally_offset(p.x, near->x, g->side[0], g->units[0], rule->unit[0]);
    at.y = tally_offset(p.y, y, g->side[1], g->units[1], rule->unit[1]);
    at.z = tally_offset(p.z, z, g->side[2], g->units[2], rule->unit[2]);
    return at;
}

/* Whether a sub-cell, a step further than the cell of a particle at p, is within its reach
 * wholly (1), not at all (-1), or perhaps in part (0). Places err by less than 1 - near. */
static inline i32 tally_reach(const friends_rule *rule, friends_step step, tally_place p,
                              u32 sub) {
    const i32 bits = rule->g.bits;
    const u32 part = (1u << bits) - 1;
    const f32 slack = 1 - rule->near, more = 2 * slack, size = 1.0f / (f32)(1 << bits);
    const f32 wx = size * rule->side[0], wy = size * rule->side[1],
              wz = size * rule->side[2];
    const f32 x = (f32)step.x * rule->side[0] - p.x + (f32)(sub & part) * wx - slack;
    const f32 y =
        (f32)step.y * rule->side[1] - p.y + (f32)(sub >> bits & part) * wy - slack;
    const f32 z = (f32)step.z * rule->side[2] - p.z + (f32)(sub >> 2 * bits) * wz - slack;
    const f32 least =
        tally_least(x, wx + more) + tally_least(y, wy + more) + tally_least(z, wz + more);
    const f32 greatest = tally_greatest(x, wx + more) + tally_greatest(y, wy + more) +
                         tally_greatest(z, wz + more);
    return least > rule->far ? -1 : greatest <= rule->near;
}

/* The same as tally_range for the sets of stretch k; all of set `own` are friends of p. */
static inline u32 tally_sets(const friends_rule *rule, const near_cells *near, u32 k,
                             grid_point p, u32 own, GLOBAL const u32 *cell_x,
                             GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                             GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                             GLOBAL const u32 *x, GLOBAL const u32 *y,
                             GLOBAL const u32 *z) {
    const tally_place at = tally_locate(rule, near, p);
    u32 count = 0;
    for (u32 c = near->first[k]; c < near->last[k]; c++) {
        const friends_step step = near_step(near, k, cell_x[c]);
        for (u32 t = cell_set[c]; t < cell_set[c + 1]; t++) {
            const i32 reach = t == own         ? 1
                              : rule->near < 0 ? 0
                                               : tally_reach(rule, step, at, set_sub[t]);
            if (reach > 0)
                count += set_start[t + 1] - set_start[t];
            else if (reach == 0)
                count +=
                    tally_range(rule, p, set_start[t], set_start[t + 1], point, x, y, z);
        }
    }
    return count;
}

/* The number of friends of p, of set `own`; `total` particles are near. Where it reaches
 * `enough`, some number of at least that; where it stays below `least`, some number below
 * that. Sets are told apart only where there are many particles. */
static inline u32 tally_point(const friends_rule *rule, const near_cells *near,
                              grid_point p, u32 own, u32 total, u32 least, u32 enough,
                              GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
                              GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
                              GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                              GLOBAL const u32 *x, GLOBAL const u32 *y,
                              GLOBAL const u32 *z) {
    u32 count = 0, rest = total;
    for (u32 k = 0; k < near->count && count <= enough && count + rest > least; k++) {
        const u32 begin = cell_start[near->first[k]], end = cell_start[near->last[k]];
        count += end - begin < 256 ? tally_range(rule, p, begin, end, point, x, y, z)
                                   : tally_sets(rule, near, k, p, own, cell_x, cell_set,
                                                set_start, set_sub, point, x, y, z);
        rest -= end - begin;
    }
    return count > 0 ? count - 1 : 0;
}

/* Whether sorted particles i and i - 1 lie at one place: then they have as many friends. */
static inline i32 tally_repeats(const friends_rule *rule, u32 i,
                                GLOBAL const grid_point *point, GLOBAL const u32 *x,
                                GLOBAL const u32 *y, GLOBAL const u32 *z) {
    const grid_point p = point[i], q = point[i - 1];
    if (p.x != q.x || p.y != q.y || p.z != q.z)
        return 0;
    const index_t k = (index_t)p.index * (index_t)rule->stride;
    const index_t l = (index_t)q.index * (index_t)rule->stride;
    const i32 wide = rule->wide;
    return points_coordinate(x, k, wide) == points_coordinate(x, l, wide) &&
           points_coordinate(y, k, wide) == points_coordinate(y, l, wide) &&
           points_coordinate(z, k, wide) == points_coordinate(z, l, wide);
}

/* Counts the friends of the particles of cell c, as tally_point does. */
static inline void tally_cell(const friends_rule *rule, const near_cells *near, u32 c,
                              u32 least, u32 enough, GLOBAL const u32 *cell_x,
                              GLOBAL const u32 *cell_set, GLOBAL const u32 *cell_start,
                              GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
                              GLOBAL const grid_point *point, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z,
                              GLOBAL u32 *friends) {
    const u32 total = near_total(near, cell_start);
    for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++) {
        const u32 begin = set_start[s], end = set_start[s + 1];
        for (u32 i = begin; i < end; i++)
            friends[i] =
                end - begin > enough ? enough
                : total <= least     ? 0
                : i > begin && tally_repeats(rule, i, point, x, y, z)
                    ? friends[i - 1]
                    : tally_point(rule, near, point[i], s, total, least, enough, cell_x,
                                  cell_set, cell_start, set_start, set_sub, point, x, y, z);
    }
}

/* Whether all sets of cell c hold more than `enough` particles. */
static inline i32 tally_is_full(u32 c, u32 enough, GLOBAL const u32 *cell_set,
                                GLOBAL const u32 *set_start) {
    for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++)
        if (set_start[s + 1] - set_start[s] <= enough)
            return 0;
    return 1;
}

/* The friends of the particles of a chunk of cells: exact numbers between `least` and
 * `enough`, others at least on the same side. */
static inline void tally_cells(index_t i, friends_rule rule, u32 least, u32 enough,
                               i64 chunk, i64 cells, i64 pitch, i64 rows,
                               GLOBAL const u64 *bits, GLOBAL const u32 *map_first,
                               GLOBAL const u32 *neighbour, GLOBAL const u64 *row_key,
                               GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
                               GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
                               GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
                               GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                               GLOBAL const u32 *x, GLOBAL const u32 *y,
                               GLOBAL const u32 *z, GLOBAL u32 *friends) {
    const index_t first = i * (index_t)chunk, n = (index_t)cells;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    near_walk walk = near_begin();
    near_cells near;
    for (index_t c = first; c < last; c++) {
        near.count = near.x = 0;
        near.line = 0;
        if (!tally_is_full((u32)c, enough, cell_set, set_start))
            near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
                      neighbour, row_key, row_cell, cell_x);
        tally_cell(&rule, &near, (u32)c, least, enough, cell_x, cell_set, cell_start,
                   set_start, set_sub, point, x, y, z, friends);
    }
}

/* The same for one particle, where many work-items run. */
static inline void tally_points(
    index_t i, friends_rule rule, u32 least, u32 enough, i64 cells, i64 pitch, i64 rows,
    GLOBAL const u64 *bits, GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour,
    GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
    GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set, GLOBAL const u32 *cell_start,
    GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
    GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *friends) {
    const u32 c = friends_seek(cell_start, 1, (u32)cells, (u32)i + 1) - 1;
    u32 s = cell_set[c];
    while (set_start[s + 1] <= (u32)i)
        s++;
    friends[i] = enough;
    if (set_start[s + 1] - set_start[s] > enough)
        return;
    near_walk walk = near_begin();
    near_cells near;
    near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
              neighbour, row_key, row_cell, cell_x);
    const u32 total = near_total(&near, cell_start);
    friends[i] = total <= least ? 0
                                : tally_point(&rule, &near, point[i], s, total, least,
                                              enough, cell_x, cell_set, cell_start,
                                              set_start, set_sub, point, x, y, z);
}

#endif
