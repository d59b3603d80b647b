/* DBSCAN: border points, and clusters numbered. */
#ifndef WEFT_DBSCAN_KERNEL_H
#define WEFT_DBSCAN_KERNEL_H

#include "algorithms/cells/tally.kernel.h"

static inline u32 dbscan_is_core(index_t i, u32 least, GLOBAL const u32 *friends) {
    return friends[i] >= least;
}

/* Whether particle i of the grid is in a cluster already. */
static inline u32 dbscan_is_joined(index_t i, GLOBAL const grid_point *point,
                                   GLOBAL const u32 *cluster) {
    return cluster[point[i].index] != ~(u32)0;
}

/* The cluster of the core points of set i: `first` names the clusters of input points by
 * their smallest index. */
static inline u32 dbscan_of_set(index_t i, GLOBAL const u32 *set_start,
                                GLOBAL const grid_point *point, GLOBAL const u32 *first) {
    return first[point[set_start[i]].index];
}

/* The smallest cluster among the core friends of p. */
static inline u32 dbscan_border_point(const friends_rule *rule, const near_cells *near,
                                      grid_point p, GLOBAL const u32 *core_x,
                                      GLOBAL const u32 *cluster, GLOBAL const u32 *core_set,
                                      GLOBAL const u32 *core_start,
                                      GLOBAL const u8 *core_sub,
                                      GLOBAL const grid_point *core, GLOBAL const u32 *x,
                                      GLOBAL const u32 *y, GLOBAL const u32 *z) {
    const tally_place at = tally_locate(rule, near, p);
    u32 best = ~(u32)0;
    for (u32 k = 0; k < near->count; k++)
        for (u32 c = near->first[k]; c < near->last[k]; c++) {
            const friends_step step = near_step(near, k, core_x[c]);
            for (u32 t = core_set[c]; t < core_set[c + 1]; t++) {
                const u32 begin = core_start[t], end = core_start[t + 1];
                if (cluster[t] >= best || (rule->near > 0 && end - begin > 2 &&
                                           tally_reach(rule, step, at, core_sub[t]) < 0))
                    continue;
                for (u32 j = begin; j < end && cluster[t] < best; j++)
                    if (friends_are(rule, p, core[j], x, y, z))
                        best = cluster[t];
            }
        }
    return best;
}

/* Whether all particles of cell c are core. */
static inline i32 dbscan_is_full(u32 c, u32 least, GLOBAL const u32 *friends,
                                 GLOBAL const u32 *cell_start) {
    for (u32 i = cell_start[c]; i < cell_start[c + 1]; i++)
        if (friends[i] < least)
            return 0;
    return 1;
}

/* Joins the border points of a chunk of cells to clusters, whose core points have a grid of
 * their own. */
static inline void dbscan_borders(
    index_t i, friends_rule rule, u32 least, i64 chunk, i64 cells, i64 pitch, i64 rows,
    GLOBAL const u64 *bits, GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour,
    GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
    GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_start, GLOBAL const grid_point *point,
    GLOBAL const u32 *friends, GLOBAL const u32 *core_x, GLOBAL const u32 *core_set,
    GLOBAL const u32 *core_start, GLOBAL const u8 *core_sub, GLOBAL const grid_point *core,
    GLOBAL const u32 *cluster, GLOBAL const u32 *x, GLOBAL const u32 *y,
    GLOBAL const u32 *z, GLOBAL u32 *first) {
    const index_t from = i * (index_t)chunk, n = (index_t)cells;
    const index_t to = n - from < chunk ? n : from + (index_t)chunk;
    near_walk walk = near_begin();
    near_cells near;
    for (index_t c = from; c < to; c++) {
        if (dbscan_is_full((u32)c, least, friends, cell_start))
            continue;
        near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
                  neighbour, row_key, row_cell, core_x);
        for (u32 k = cell_start[c]; near.count > 0 && k < cell_start[c + 1]; k++)
            if (friends[k] < least)
                first[point[k].index] =
                    dbscan_border_point(&rule, &near, point[k], core_x, cluster, core_set,
                                        core_start, core_sub, core, x, y, z);
    }
}

/* The same for one point, where many work-items run. */
static inline void dbscan_border(
    index_t i, friends_rule rule, u32 least, i64 cells, i64 pitch, i64 rows,
    GLOBAL const u64 *bits, GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour,
    GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
    GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_start, GLOBAL const grid_point *point,
    GLOBAL const u32 *friends, GLOBAL const u32 *core_x, GLOBAL const u32 *core_set,
    GLOBAL const u32 *core_start, GLOBAL const u8 *core_sub, GLOBAL const grid_point *core,
    GLOBAL const u32 *cluster, GLOBAL const u32 *x, GLOBAL const u32 *y,
    GLOBAL const u32 *z, GLOBAL u32 *first) {
    if (friends[i] >= least)
        return;
    const u32 c = friends_seek(cell_start, 1, (u32)cells, (u32)i + 1) - 1;
    near_walk walk = near_begin();
    near_cells near;
    near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
              neighbour, row_key, row_cell, core_x);
    if (near.count > 0)
        first[point[i].index] =
            dbscan_border_point(&rule, &near, point[i], core_x, cluster, core_set,
                                core_start, core_sub, core, x, y, z);
}

/* Notes which groups have a member besides the one that they are named after. */
static inline void dbscan_notice(index_t i, GLOBAL const u32 *first, GLOBAL u32 *has_more) {
    if (first[i] != (u32)i)
        atomic_store_u32(&has_more[first[i]], 1u);
}

/* Groups of one become noise. */
static inline void dbscan_drop(index_t i, GLOBAL const u32 *has_more, GLOBAL u32 *first) {
    if (first[i] == (u32)i && !has_more[i])
        first[i] = ~(u32)0;
}

static inline u32 dbscan_leads(index_t i, GLOBAL const u32 *first) {
    return first[i] == (u32)i;
}

static inline void dbscan_number_i32(index_t i, GLOBAL const u32 *first,
                                     GLOBAL const u32 *number, GLOBAL i32 *label) {
    label[i] = first[i] == ~(u32)0 ? -1 : (i32)number[first[i]];
}

static inline void dbscan_number_i64(index_t i, GLOBAL const u32 *first,
                                     GLOBAL const u32 *number, GLOBAL i64 *label) {
    label[i] = first[i] == ~(u32)0 ? -1 : (i64)number[first[i]];
}

#endif
