/* How many friends a particle has. */
#ifndef WEFT_NEIGHBOURS_KERNEL_H
#define WEFT_NEIGHBOURS_KERNEL_H

#include "stencil.kernel.h"

/* How many of the particles [b, b_end) are friends of p; p itself counts. */
static inline u32 neighbours_range(const friends_view *f, const grid_view *cells,
                                   grid_point p, u32 b, u32 b_end) {
    const f32 near = f->rule.near, far = f->rule.far;
    GLOBAL const grid_point *point = cells->point;
    u32 certain = 0, possible = 0;
    for (u32 j = b; j < b_end; j++) {
        const f32 d2 = friends_apart(&f->rule, p, point[j]);
        certain += d2 <= near;
        possible += d2 <= far;
    }
    for (u32 j = b; certain < possible && j < b_end; j++) {
        const f32 d2 = friends_apart(&f->rule, p, point[j]);
        if (d2 > near && d2 <= far) {
            const u32 are = (u32)friends_exactly(f, p.index, point[j].index);
            certain += are;
            possible -= 1 - are;
        }
    }
    return certain;
}

/* The least and the greatest square of a number in [from, from + width]. */
static inline f32 neighbours_least(f32 from, f32 width) {
    const f32 d = from > 0 ? from : from + width < 0 ? from + width : 0;
    return d * d;
}
static inline f32 neighbours_greatest(f32 from, f32 width) {
    const f32 d = from + width > -from ? from + width : from;
    return d * d;
}

/* Where a particle lies in its cell: from the lower faces, in linking lengths. */
typedef struct neighbours_place {
    f32 x, y, z;
} neighbours_place;

static inline f32 neighbours_offset(u32 at, u64 cell, f64 side, f64 units, f32 unit) {
    return (f32)(i32)(at - (u32)(i64)((f64)cell * side * units)) * unit;
}

static inline neighbours_place
neighbours_locate(const friends_rule *rule, const stencil_cells *around, grid_point p) {
    const grid *g = &rule->g;
    const u64 ny = (u64)g->cells[1], z = around->line / ny, y = around->line - z * ny;
    neighbours_place at;
    at.x = neighbours_offset(p.x, around->x, g->side[0], g->units[0], rule->unit[0]);
    at.y = neighbours_offset(p.y, y, g->side[1], g->units[1], rule->unit[1]);
    at.z = neighbours_offset(p.z, z, g->side[2], g->units[2], rule->unit[2]);
    return at;
}

/* Whether a sub-cell, a step further than the cell of a particle at p, is within its reach
 * wholly (1), not at all (-1), or perhaps in part (0). Places err by less than 1 - near. */
static inline i32 neighbours_reach(const friends_rule *rule, friends_step step,
                                   neighbours_place p, u32 sub) {
    const i32 bits = rule->g.bits;
    const u32 part = (1u << bits) - 1;
    const f32 slack = 1 - rule->near, more = 2 * slack, size = 1.0f / (f32)(1 << bits);
    const f32 wx = size * rule->side[0], wy = size * rule->side[1],
              wz = size * rule->side[2];
    const f32 x = (f32)step.x * rule->side[0] - p.x + (f32)(sub & part) * wx - slack;
    const f32 y =
        (f32)step.y * rule->side[1] - p.y + (f32)(sub >> bits & part) * wy - slack;
    const f32 z = (f32)step.z * rule->side[2] - p.z + (f32)(sub >> 2 * bits) * wz - slack;
    const f32 least = neighbours_least(x, wx + more) + neighbours_least(y, wy + more) +
                      neighbours_least(z, wz + more);
    const f32 greatest = neighbours_greatest(x, wx + more) +
                         neighbours_greatest(y, wy + more) +
                         neighbours_greatest(z, wz + more);
    return least > rule->far ? -1 : greatest <= rule->near;
}

/* The same as neighbours_range for the sets of stretch k; all of set `own` are friends of
 * p.
 */
static inline u32 neighbours_sets(const friends_view *f, const grid_view *cells,
                                  const stencil_cells *around, u32 k, grid_point p,
                                  u32 own) {
    const neighbours_place at = neighbours_locate(&f->rule, around, p);
    u32 count = 0;
    for (u32 c = around->first[k]; c < around->last[k]; c++) {
        const friends_step step = stencil_step(around, k, cells->cell_x[c]);
        for (u32 t = cells->cell_set[c]; t < cells->cell_set[c + 1]; t++) {
            const u32 begin = cells->set_start[t], end = cells->set_start[t + 1];
            const i32 reach = t == own ? 1
                              : f->rule.near < 0
                                  ? 0
                                  : neighbours_reach(&f->rule, step, at, cells->set_sub[t]);
            if (reach > 0)
                count += end - begin;
            else if (reach == 0)
                count += neighbours_range(f, cells, p, begin, end);
        }
    }
    return count;
}

/* The number of friends of p, of set `own`; `total` particles are near. Where it reaches
 * `enough`, some number of at least that; where it stays below `least`, some number below
 * that: few are counted block by block. Sets are told apart only where there are many
 * particles. */
enum { NEIGHBOURS_MANY = 256, NEIGHBOURS_FEW = 64, NEIGHBOURS_BLOCK = 32 };
static inline u32 neighbours_point(const friends_view *f, const grid_view *cells,
                                   const stencil_cells *around, grid_point p, u32 own,
                                   u32 total, u32 least, u32 enough) {
    const u32 block = enough < NEIGHBOURS_FEW ? NEIGHBOURS_BLOCK : NEIGHBOURS_MANY;
    u32 count = 0, rest = total;
    for (u32 k = 0; k < around->count && count <= enough && count + rest > least; k++) {
        const u32 begin = cells->cell_start[around->first[k]];
        const u32 end = cells->cell_start[around->last[k]];
        if (end - begin >= NEIGHBOURS_MANY)
            count += neighbours_sets(f, cells, around, k, p, own);
        else
            for (u32 b = begin; b < end && count <= enough; b += block)
                count +=
                    neighbours_range(f, cells, p, b, end - b < block ? end : b + block);
        rest -= end - begin;
    }
    return count > 0 ? count - 1 : 0;
}

/* Whether sorted particles i and i - 1 lie at one place: then they have as many friends. */
static inline i32 neighbours_repeat(const friends_view *f, const grid_view *cells, u32 i) {
    const grid_point p = cells->point[i], q = cells->point[i - 1];
    if (p.x != q.x || p.y != q.y || p.z != q.z)
        return 0;
    const index_t k = (index_t)p.index * (index_t)f->rule.stride;
    const index_t l = (index_t)q.index * (index_t)f->rule.stride;
    const i32 wide = f->rule.wide;
    return points_coordinate(f->x, k, wide) == points_coordinate(f->x, l, wide) &&
           points_coordinate(f->y, k, wide) == points_coordinate(f->y, l, wide) &&
           points_coordinate(f->z, k, wide) == points_coordinate(f->z, l, wide);
}

/* Counts the friends of the particles of cell c, as neighbours_point does. */
static inline void neighbours_cell(const friends_view *f, const grid_view *cells,
                                   const stencil_cells *around, u32 c, u32 least,
                                   u32 enough, GLOBAL u32 *friends) {
    const u32 total = stencil_total(around, cells);
    for (u32 s = cells->cell_set[c]; s < cells->cell_set[c + 1]; s++) {
        const u32 begin = cells->set_start[s], end = cells->set_start[s + 1];
        for (u32 i = begin; i < end; i++)
            friends[i] = end - begin > enough ? enough
                         : total <= least     ? 0
                         : i > begin && neighbours_repeat(f, cells, i)
                             ? friends[i - 1]
                             : neighbours_point(f, cells, around, cells->point[i], s, total,
                                                least, enough);
    }
}

/* Whether all sets of cell c hold more than `enough` particles. */
static inline i32 neighbours_abound(const grid_view *cells, u32 c, u32 enough) {
    for (u32 s = cells->cell_set[c]; s < cells->cell_set[c + 1]; s++)
        if (cells->set_start[s + 1] - cells->set_start[s] <= enough)
            return 0;
    return 1;
}

/* Whether particle i has so many. */
static inline u32 neighbours_suffice(index_t i, u32 least, GLOBAL const u32 *friends) {
    return friends[i] >= least;
}

/* The friends of the particles of cell i: exact numbers between `least` and `enough`,
 * others at least on the same side. */
static inline void neighbours_of_cells(index_t i, friends_view f, grid_view cells,
                                       GLOBAL const u32 *neighbour, u32 least, u32 enough,
                                       GLOBAL u32 *friends) {
    stencil_cells around;
    around.count = around.x = 0;
    around.line = 0;
    if (!neighbours_abound(&cells, (u32)i, enough))
        stencil_find(&around, &f.rule.g, &cells, (u32)i, &cells, neighbour);
    neighbours_cell(&f, &cells, &around, (u32)i, least, enough, friends);
}

/* The same for one particle, where many work-items run. */
static inline void neighbours_of_points(index_t i, friends_view f, grid_view cells,
                                        GLOBAL const u32 *neighbour, u32 least, u32 enough,
                                        GLOBAL u32 *friends) {
    const u32 c = friends_seek(cells.cell_start, 1, (u32)cells.cells, (u32)i + 1) - 1;
    const u32 s = grid_set_of(&cells, c, (u32)i);
    friends[i] = enough;
    if (cells.set_start[s + 1] - cells.set_start[s] > enough)
        return;
    stencil_cells around;
    stencil_find(&around, &f.rule.g, &cells, c, &cells, neighbour);
    const u32 total = stencil_total(&around, &cells);
    friends[i] = total <= least ? 0
                                : neighbours_point(&f, &cells, &around, cells.point[i], s,
                                                   total, least, enough);
}

#endif
