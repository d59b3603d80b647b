/* The nearest of the points of a grid. */
#ifndef WEFT_NEAREST_KERNEL_H
#define WEFT_NEAREST_KERNEL_H

#include "algorithms/cells/stencil.kernel.h"

/* Whether point i is a target, or still without one. */
static inline u32 nearest_takes_part(index_t i, GLOBAL const u32 *target,
                                     GLOBAL const u32 *nearest) {
    return target[i] != 0 || nearest[i] == ~(u32)0;
}

/* What a point begins with. */
static inline u32 nearest_first(index_t i, GLOBAL const u32 *target) {
    return target[i] != 0 ? (u32)i : ~(u32)0;
}

static inline u32 nearest_searches(index_t i, GLOBAL const u32 *nearest) {
    return nearest[i] == ~(u32)0;
}

/* Whether sorted particle i is a target. */
static inline u32 nearest_is_target(index_t i, GLOBAL const grid_point *point,
                                    GLOBAL const u32 *target) {
    return target[point[i].index] != 0;
}

/* How many points cell i holds. */
static inline u32 nearest_crowd(index_t i, GLOBAL const u32 *start) {
    return start[i + 1] - start[i];
}

/* Whether target a comes before target b at the same distance. */
static inline i32 nearest_is_before(u32 a, u32 b, GLOBAL const i64 *id) {
    if (id && id[a] != id[b])
        return id[a] < id[b];
    return a < b;
}

/* The nearest target to p in the cells around. A distance in float that is off by less than
 * far - 1 tells which cannot be nearer than the best so far. */
static inline u32 nearest_of(const friends_view *f, const grid_view *targets,
                             const stencil_cells *around, grid_point p,
                             GLOBAL const i64 *id) {
    const friends_rule *rule = &f->rule;
    f32 limit = rule->far;
    f64 least = rule->length2;
    u32 best = ~(u32)0;
    for (u32 k = 0; k < around->count; k++) {
        const u32 end = targets->cell_start[around->last[k]];
        for (u32 j = targets->cell_start[around->first[k]]; j < end; j++) {
            const grid_point q = targets->point[j];
            if (friends_apart(rule, p, q) > limit)
                continue;
            const f64 d2 = friends_squared(f, p.index, q.index);
            if (d2 > least ||
                (best != ~(u32)0 && d2 == least && !nearest_is_before(q.index, best, id)))
                continue;
            best = q.index;
            least = d2;
            limit = rule->near < 0 ? limit : (f32)(d2 / rule->length2) + (rule->far - 1);
        }
    }
    return best;
}

/* For the points of cell i that have none yet. */
static inline void nearest_cell(index_t i, friends_view f, grid_view cells,
                                grid_view targets, GLOBAL const u32 *neighbour,
                                GLOBAL const i64 *id, GLOBAL u32 *nearest) {
    stencil_cells around;
    i32 found = 0;
    for (u32 k = cells.cell_start[i]; k < cells.cell_start[i + 1]; k++) {
        const u32 index = cells.point[k].index;
        if (nearest[index] != ~(u32)0)
            continue;
        if (!found)
            stencil_find(&around, &f.rule.g, &cells, (u32)i, &targets, neighbour);
        found = 1;
        nearest[index] = nearest_of(&f, &targets, &around, cells.point[k], id);
    }
}

/* The same for one point, where many work-items run. */
static inline void nearest_point(index_t i, friends_view f, grid_view cells,
                                 grid_view targets, GLOBAL const u32 *neighbour,
                                 GLOBAL const i64 *id, GLOBAL u32 *nearest) {
    const u32 index = cells.point[i].index;
    if (nearest[index] != ~(u32)0)
        return;
    const u32 c = friends_seek(cells.cell_start, 1, (u32)cells.cells, (u32)i + 1) - 1;
    stencil_cells around;
    stencil_find(&around, &f.rule.g, &cells, c, &targets, neighbour);
    nearest[index] = nearest_of(&f, &targets, &around, cells.point[i], id);
}

#endif
