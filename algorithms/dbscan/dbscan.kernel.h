/* DBSCAN: border points, and clusters numbered. */
#ifndef WEFT_DBSCAN_KERNEL_H
#define WEFT_DBSCAN_KERNEL_H

#include "algorithms/cells/neighbours.kernel.h"

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

/* The smallest cluster among the friends of p in a grid of core points; `cluster` of each
 * set. */
static inline u32 dbscan_smallest(const friends_view *f, const grid_view *cores,
                                  GLOBAL const u32 *cluster, const stencil_cells *around,
                                  grid_point p) {
    const neighbours_place at = neighbours_locate(&f->rule, around, p);
    u32 best = ~(u32)0;
    for (u32 k = 0; k < around->count; k++)
        for (u32 c = around->first[k]; c < around->last[k]; c++) {
            const friends_step step = stencil_step(around, k, cores->cell_x[c]);
            for (u32 t = cores->cell_set[c]; t < cores->cell_set[c + 1]; t++) {
                const u32 begin = cores->set_start[t], end = cores->set_start[t + 1];
                if (cluster[t] >= best ||
                    (f->rule.near > 0 && end - begin > 2 &&
                     neighbours_reach(&f->rule, step, at, cores->set_sub[t]) < 0))
                    continue;
                for (u32 j = begin; j < end && cluster[t] < best; j++)
                    if (friends_are(f, p, cores->point[j]))
                        best = cluster[t];
            }
        }
    return best;
}

/* Whether all particles of cell c are core. */
static inline i32 dbscan_is_full(const grid_view *cells, u32 c, u32 least,
                                 GLOBAL const u32 *friends) {
    for (u32 i = cells->cell_start[c]; i < cells->cell_start[c + 1]; i++)
        if (friends[i] < least)
            return 0;
    return 1;
}

/* Joins the border points of cell i to clusters, whose core points have a grid of their
 * own. */
static inline void dbscan_borders(index_t i, friends_view f, grid_view cells,
                                  grid_view cores, GLOBAL const u32 *neighbour, u32 least,
                                  GLOBAL const u32 *friends, GLOBAL const u32 *cluster,
                                  GLOBAL u32 *first) {
    stencil_cells around;
    if (dbscan_is_full(&cells, (u32)i, least, friends))
        return;
    stencil_find(&around, &f.rule.g, &cells, (u32)i, &cores, neighbour);
    for (u32 k = cells.cell_start[i]; around.count > 0 && k < cells.cell_start[i + 1]; k++)
        if (friends[k] < least)
            first[cells.point[k].index] =
                dbscan_smallest(&f, &cores, cluster, &around, cells.point[k]);
}

/* The same for one point, where many work-items run. */
static inline void dbscan_border(index_t i, friends_view f, grid_view cells,
                                 grid_view cores, GLOBAL const u32 *neighbour, u32 least,
                                 GLOBAL const u32 *friends, GLOBAL const u32 *cluster,
                                 GLOBAL u32 *first) {
    if (friends[i] >= least)
        return;
    const u32 c = friends_seek(cells.cell_start, 1, (u32)cells.cells, (u32)i + 1) - 1;
    stencil_cells around;
    stencil_find(&around, &f.rule.g, &cells, c, &cores, neighbour);
    if (around.count > 0)
        first[cells.point[i].index] =
            dbscan_smallest(&f, &cores, cluster, &around, cells.point[i]);
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

/* The numbers of clusters; where `core` is given, `first` of core points alone, those of
 * borders are told apart. */
#pragma weft for T in i32 i64
static inline void dbscan_number_T(index_t i, GLOBAL const u32 *first,
                                   GLOBAL const u32 *core, GLOBAL const u32 *number,
                                   GLOBAL T *label) {
    const T cluster = first[i] == ~(u32)0 ? -1 : (T)number[first[i]];
    label[i] = core && core[i] != first[i] ? -2 - cluster : cluster;
}
#pragma weft end

#endif
