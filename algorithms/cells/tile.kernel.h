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

/* The middle of an interval of offsets, and how far it reaches from there. */
typedef struct tile_interval {
    u32 middle, reach;
} tile_interval;

static inline tile_interval tile_between(u32 origin, i32 low, i32 high) {
    const u32 down = ((u32)high - (u32)low) / 2;
    tile_interval interval;
    interval.middle = origin + (u32)low + down;
    interval.reach = (u32)high - (u32)low - down;
    return interval;
}

/* How far x is from there, in units. */
static inline f32 tile_beyond(tile_interval interval, u32 x) {
    const i32 off = (i32)(x - interval.middle);
    const u32 distance = off < 0 ? 0u - (u32)off : (u32)off;
    return (f32)(i32)(max(distance, interval.reach) - interval.reach);
}

/* A number that the friends of no particle of [begin, end) exceed, where each counts as its
 * own: of those within reach of a box around them. Rounding keeps order, so whoever is
 * possibly a friend of one of them, as friends_apart has it, is counted. */
static inline u32 tile_bound(const friends_rule *rule, const tile_points *tile, u32 begin,
                             u32 end, GLOBAL const grid_point *point) {
    const grid_point p = point[begin];
    i32 x_low = 0, x_high = 0, y_low = 0, y_high = 0, z_low = 0, z_high = 0;
    for (u32 k = begin + 1; k < end; k++) {
        const i32 dx = (i32)(point[k].x - p.x), dy = (i32)(point[k].y - p.y);
        const i32 dz = (i32)(point[k].z - p.z);
        x_low = min(x_low, dx);
        x_high = max(x_high, dx);
        y_low = min(y_low, dy);
        y_high = max(y_high, dy);
        z_low = min(z_low, dz);
        z_high = max(z_high, dz);
    }
    const tile_interval x = tile_between(p.x, x_low, x_high);
    const tile_interval y = tile_between(p.y, y_low, y_high);
    const tile_interval z = tile_between(p.z, z_low, z_high);
    const f32 ux = rule->unit[0], uy = rule->unit[1], uz = rule->unit[2], far = rule->far;
    const u32 count = tile->count, whole = tile_whole(tile);
    u32 possible = 0;
    for (u32 j = 0; j < whole; j++) {
        const f32 dx = tile_beyond(x, tile->x[j]) * ux;
        const f32 dy = tile_beyond(y, tile->y[j]) * uy;
        const f32 dz = tile_beyond(z, tile->z[j]) * uz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
        possible += (u32)(j < count) & (u32)(d2 <= far);
    }
    return possible;
}

#endif
