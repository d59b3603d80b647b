/* How many friends a particle has. */
#ifndef WEFT_TALLY_KERNEL_H
#define WEFT_TALLY_KERNEL_H

#include "near.kernel.h"

/* How many of the particles [b, b_end), a step further, are friends of p; p itself counts.
 */
static inline u32 tally_range(friends_rule rule, friends_step step, grid_point p, u32 b,
                              u32 b_end, GLOBAL const grid_point *point,
                              GLOBAL const u32 *x, GLOBAL const u32 *y,
                              GLOBAL const u32 *z) {
    const f32 sx = (f32)step.x * rule.shift[0] - p.x;
    const f32 sy = (f32)step.y * rule.shift[1] - p.y;
    const f32 sz = (f32)step.z * rule.shift[2] - p.z;
    u32 certain = 0, possible = 0;
    for (u32 j = b; j < b_end; j++) {
        const f32 dx = point[j].x + sx, dy = point[j].y + sy, dz = point[j].z + sz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
        certain += d2 <= rule.near;
        possible += d2 <= rule.far;
    }
    for (u32 j = b; certain < possible && j < b_end; j++) {
        const f32 dx = point[j].x + sx, dy = point[j].y + sy, dz = point[j].z + sz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
        if (d2 > rule.near && d2 <= rule.far) {
            const u32 are = (u32)friends_exactly(rule, p.index, point[j].index, x, y, z);
            certain += are;
            possible -= 1 - are;
        }
    }
    return certain;
}

/* The nearest and the farthest that a sub-cell's face pair may lie from 0 on one axis, as
 * squares; `from` is its lower face. */
static inline f32 tally_nearest(f32 from, f32 width) {
    const f32 d = from > 0 ? from : from + width < 0 ? from + width : 0;
    return d * d;
}
static inline f32 tally_farthest(f32 from, f32 width) {
    const f32 d = from + width > -from ? from + width : from;
    return d * d;
}

/* Whether a sub-cell, a step further, lies within reach of p wholly (1), not at all (-1),
 * or in part (0). Offsets err by less than 1 - near. */
static inline i32 tally_reach(friends_rule rule, friends_step step, grid_point p, u32 sub) {
    const f32 slack = 1 - rule.near;
    const i32 bits = rule.g.bits;
    const u32 part = (1u << bits) - 1;
    const f32 size = 1.0f / (f32)(1 << bits);
    const f32 wx = size * rule.shift[0], wy = size * rule.shift[1],
              wz = size * rule.shift[2];
    const f32 x = (f32)step.x * rule.shift[0] + (f32)(sub & part) * wx - p.x - slack;
    const f32 y = (f32)step.y * rule.shift[1] + (f32)(sub >> bits & part) * wy - p.y - slack;
    const f32 z = (f32)step.z * rule.shift[2] + (f32)(sub >> 2 * bits) * wz - p.z - slack;
    const f32 more = 2 * slack;
    if (tally_nearest(x, wx + more) + tally_nearest(y, wy + more) +
            tally_nearest(z, wz + more) >
        rule.far)
        return -1;
    return tally_farthest(x, wx + more) + tally_farthest(y, wy + more) +
               tally_farthest(z, wz + more) <=
           rule.near;
}

/* The same as tally_range for all sets of a cell. */
static inline u32 tally_cell(friends_rule rule, friends_step step, grid_point p, u32 first,
                             u32 last, GLOBAL const u32 *set_start,
                             GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                             GLOBAL const u32 *x, GLOBAL const u32 *y,
                             GLOBAL const u32 *z) {
    const u32 begin = set_start[first], end = set_start[last];
    if (end - begin < 16 || rule.near < 0)
        return tally_range(rule, step, p, begin, end, point, x, y, z);
    u32 count = 0;
    for (u32 t = first; t < last; t++) {
        const i32 reach = tally_reach(rule, step, p, set_sub[t]);
        if (reach > 0)
            count += set_start[t + 1] - set_start[t];
        else if (reach == 0)
            count += tally_range(rule, step, p, set_start[t], set_start[t + 1], point, x, y,
                                 z);
    }
    return count;
}

/* Particles in the cells around, the first cell's with them. */
static inline u32 tally_near(const near_cells *near, GLOBAL const u32 *cell_set,
                             GLOBAL const u32 *set_start) {
    u32 total = 0;
    for (u32 k = 0; k < near->count; k++) {
        const u32 c = near->cell[k];
        total += set_start[cell_set[c + 1]] - set_start[cell_set[c]];
    }
    return total;
}

/* The number of friends of p. Where it reaches `enough`, some number of at least that;
 * where it stays below `least`, some number below that. `total` is tally_near's. */
static inline u32 tally_point(friends_rule rule, const near_cells *near, grid_point p,
                              u32 total, u32 least, u32 enough, GLOBAL const u32 *cell_set,
                              GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
                              GLOBAL const grid_point *point, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z) {
    u32 count = 0;
    for (u32 k = 0; k < near->count && count <= enough && count + total > least; k++) {
        const u32 first = cell_set[near->cell[k]], last = cell_set[near->cell[k] + 1];
        count += tally_cell(rule, near_step(near->step[k]), p, first, last, set_start,
                            set_sub, point, x, y, z);
        total -= set_start[last] - set_start[first];
    }
    return count - 1;
}

#endif
