/* How many friends a particle has. */
#ifndef WEFT_TALLY_KERNEL_H
#define WEFT_TALLY_KERNEL_H

#include "near.kernel.h"

/* How many of the particles [b, b_end), a step further, are friends of p; p itself counts.
 */
static inline u32 tally_range(const friends_rule *rule, friends_step step, grid_point p,
                              u32 b, u32 b_end, GLOBAL const grid_point *point,
                              GLOBAL const u32 *x, GLOBAL const u32 *y,
                              GLOBAL const u32 *z) {
    const f32 sx = (f32)step.x * rule->shift[0] - p.x;
    const f32 sy = (f32)step.y * rule->shift[1] - p.y;
    const f32 sz = (f32)step.z * rule->shift[2] - p.z;
    const f32 near = rule->near, far = rule->far;
    u32 certain = 0, possible = 0;
    for (u32 j = b; j < b_end; j++) {
        const f32 dx = point[j].x + sx, dy = point[j].y + sy, dz = point[j].z + sz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
        certain += d2 <= near;
        possible += d2 <= far;
    }
    for (u32 j = b; certain < possible && j < b_end; j++) {
        const f32 dx = point[j].x + sx, dy = point[j].y + sy, dz = point[j].z + sz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
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

/* Whether a sub-cell, a step further, lies within reach of p wholly (1), not at all (-1),
 * or perhaps in part (0). Offsets err by less than 1 - near. */
static inline i32 tally_reach(const friends_rule *rule, friends_step step, grid_point p,
                              u32 sub) {
    const i32 bits = rule->g.bits;
    const u32 part = (1u << bits) - 1;
    const f32 slack = 1 - rule->near, size = 1.0f / (f32)(1 << bits);
    const f32 wx = size * rule->shift[0], wy = size * rule->shift[1],
              wz = size * rule->shift[2];
    const f32 x = (f32)step.x * rule->shift[0] - p.x + (f32)(sub & part) * wx - slack;
    const f32 y =
        (f32)step.y * rule->shift[1] - p.y + (f32)(sub >> bits & part) * wy - slack;
    const f32 z = (f32)step.z * rule->shift[2] - p.z + (f32)(sub >> 2 * bits) * wz - slack;
    const f32 more = 2 * slack;
    const f32 least =
        tally_least(x, wx + more) + tally_least(y, wy + more) + tally_least(z, wz + more);
    const f32 greatest = tally_greatest(x, wx + more) + tally_greatest(y, wy + more) +
                         tally_greatest(z, wz + more);
    return least > rule->far ? -1 : greatest <= rule->near;
}

/* The same as tally_range for the sets [first, last) of a cell; all of set `own` are
 * friends of p. */
static inline u32 tally_sets(const friends_rule *rule, friends_step step, grid_point p,
                             u32 own, u32 first, u32 last, GLOBAL const u32 *set_start,
                             GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                             GLOBAL const u32 *x, GLOBAL const u32 *y,
                             GLOBAL const u32 *z) {
    u32 count = 0;
    for (u32 t = first; t < last; t++) {
        const i32 reach = t == own         ? 1
                          : rule->near < 0 ? 0
                                           : tally_reach(rule, step, p, set_sub[t]);
        if (reach > 0)
            count += set_start[t + 1] - set_start[t];
        else if (reach == 0)
            count +=
                tally_range(rule, step, p, set_start[t], set_start[t + 1], point, x, y, z);
    }
    return count;
}

/* The number of friends of p, of set `own`; near_points found `total` particles. Where it
 * reaches `enough`, some number of at least that; where it stays below `least`, some number
 * below that. Sets are told apart only where there are many particles. */
static inline u32 tally_point(const friends_rule *rule, const near_cells *near,
                              grid_point p, u32 own, u32 total, u32 least, u32 enough,
                              GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                              GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                              GLOBAL const u32 *x, GLOBAL const u32 *y,
                              GLOBAL const u32 *z) {
    u32 count = 0, rest = total;
    for (u32 k = 0; k < near->count && count <= enough && count + rest > least; k++) {
        const u32 begin = near->begin[k], end = near->end[k], c = near->cell[k];
        const friends_step step = near_step(near->step[k]);
        count += end - begin < 16
                     ? tally_range(rule, step, p, begin, end, point, x, y, z)
                     : tally_sets(rule, step, p, own, cell_set[c], cell_set[c + 1],
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

/* Counts the friends of the particles of one part of cell c, as tally_point does. */
static inline void tally_cell(const friends_rule *rule, near_cells *near, u32 c, u32 part,
                              u32 parts, u32 least, u32 enough, GLOBAL const u32 *cell_set,
                              GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
                              GLOBAL const grid_point *point, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z,
                              GLOBAL u32 *friends) {
    const u32 total = near_points(near, cell_set, set_start);
    const u32 first = set_start[cell_set[c]];
    for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++) {
        const u32 begin = set_start[s], end = set_start[s + 1];
        for (u32 i = begin + (part + parts - (begin - first) % parts) % parts; i < end;
             i += parts)
            friends[i] = end - begin > enough ? enough
                         : total <= least     ? 0
                         : parts == 1 && i > begin && tally_repeats(rule, i, point, x, y, z)
                             ? friends[i - 1]
                             : tally_point(rule, near, point[i], s, total, least, enough,
                                           cell_set, set_start, set_sub, point, x, y, z);
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
static inline void tally_chunk(index_t i, friends_rule rule, u32 least, u32 enough,
                               i64 chunk, i64 parts, i64 cells, i64 pitch, i64 rows,
                               GLOBAL const u64 *bits, GLOBAL const u32 *map_first,
                               GLOBAL const u32 *neighbour, GLOBAL const u32 *row_cell,
                               GLOBAL const u32 *row, GLOBAL const u32 *cell_x,
                               GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                               GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                               GLOBAL const u32 *x, GLOBAL const u32 *y,
                               GLOBAL const u32 *z, GLOBAL u32 *friends) {
    const index_t first = i / (index_t)parts * (index_t)chunk, n = (index_t)cells;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    const u32 part = (u32)(i % (index_t)parts);
    near_walk walk = near_begin();
    near_cells near;
    for (index_t c = first; c < last; c++) {
        near.count = 0;
        if (part >= set_start[cell_set[c + 1]] - set_start[cell_set[c]])
            continue;
        if (!tally_is_full((u32)c, enough, cell_set, set_start))
            near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
                      neighbour, row_cell, cell_x);
        tally_cell(&rule, &near, (u32)c, part, (u32)parts, least, enough, cell_set,
                   set_start, set_sub, point, x, y, z, friends);
    }
}

#endif
