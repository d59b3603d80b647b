/* The particles near a cell side by side, for a few work-items with wide vectors. */
#ifndef WEFT_TILE_KERNEL_H
#define WEFT_TILE_KERNEL_H

#include "stencil.kernel.h"

/* Whole vectors: the last is filled with zeros. */
enum { TILE_ROOM = 2048, TILE_LANES = 16 };
typedef struct tile_points {
    u32 count; /* 0: they are too many */
    u32 x[TILE_ROOM], y[TILE_ROOM], z[TILE_ROOM];
} tile_points;

static inline void tile_gather(tile_points *tile, const stencil_cells *around, u32 total,
                               const grid_view *cells) {
    GLOBAL const grid_point *point = cells->point;
    u32 n = 0;
    tile->count = total <= TILE_ROOM ? total : 0;
    for (u32 k = 0; n < tile->count && k < around->count; k++) {
        const u32 begin = cells->cell_start[around->first[k]];
        const u32 end = cells->cell_start[around->last[k]];
        for (u32 j = begin; j < end; j++) {
            tile->x[n + j - begin] = point[j].x;
            tile->y[n + j - begin] = point[j].y;
            tile->z[n + j - begin] = point[j].z;
        }
        n += end - begin;
    }
    for (; n % TILE_LANES > 0; n++)
        tile->x[n] = tile->y[n] = tile->z[n] = 0;
}

static inline u32 tile_whole(const tile_points *tile) {
    return (tile->count + TILE_LANES - 1) & ~(TILE_LANES - 1u);
}

/* How many of them are friends of p; 2^32 - 1 where that is not certain. */
static inline u32 tile_count(const friends_rule *rule, const tile_points *tile,
                             grid_point p) {
    const f32 near = rule->near, far = rule->far;
    const f32 ux = rule->unit[0], uy = rule->unit[1], uz = rule->unit[2];
    u32 certain = 0, possible = 0;
    const u32 count = tile->count, whole = tile_whole(tile);
    for (u32 j = 0; j < whole; j++) {
        const f32 dx = (f32)(i32)(tile->x[j] - p.x) * ux;
        const f32 dy = (f32)(i32)(tile->y[j] - p.y) * uy;
        const f32 dz = (f32)(i32)(tile->z[j] - p.z) * uz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
        certain += (u32)(j < count) & (u32)(d2 <= near);
        possible += (u32)(j < count) & (u32)(d2 <= far);
    }
    return certain < possible ? ~(u32)0 : certain;
}

#endif
