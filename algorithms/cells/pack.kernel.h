/* The particles near a cell side by side, for a few work-items with wide vectors. */
#ifndef WEFT_PACK_KERNEL_H
#define WEFT_PACK_KERNEL_H

#include "near.kernel.h"

/* Whole vectors: the last is filled with zeros. */
enum { PACK_ROOM = 2048, PACK_LANES = 16 };
typedef struct pack_points {
    u32 count; /* 0: they are too many */
    u32 x[PACK_ROOM], y[PACK_ROOM], z[PACK_ROOM];
} pack_points;

static inline void pack_gather(pack_points *pack, const near_cells *near, u32 total,
                               GLOBAL const u32 *cell_start,
                               GLOBAL const grid_point *point) {
    u32 n = 0;
    pack->count = total <= PACK_ROOM ? total : 0;
    for (u32 k = 0; n < pack->count && k < near->count; k++) {
        const u32 begin = cell_start[near->first[k]], end = cell_start[near->last[k]];
        for (u32 j = begin; j < end; j++) {
            pack->x[n + j - begin] = point[j].x;
            pack->y[n + j - begin] = point[j].y;
            pack->z[n + j - begin] = point[j].z;
        }
        n += end - begin;
    }
    for (; n % PACK_LANES > 0; n++)
        pack->x[n] = pack->y[n] = pack->z[n] = 0;
}

static inline u32 pack_whole(const pack_points *pack) {
    return (pack->count + PACK_LANES - 1) & ~(PACK_LANES - 1u);
}

/* How many of them are friends of p; 2^32 - 1 where that is not certain. */
static inline u32 pack_count(const friends_rule *rule, const pack_points *pack,
                             grid_point p) {
    const f32 near = rule->near, far = rule->far;
    const f32 ux = rule->unit[0], uy = rule->unit[1], uz = rule->unit[2];
    u32 certain = 0, possible = 0;
    const u32 count = pack->count, whole = pack_whole(pack);
    for (u32 j = 0; j < whole; j++) {
        const f32 dx = (f32)(i32)(pack->x[j] - p.x) * ux;
        const f32 dy = (f32)(i32)(pack->y[j] - p.y) * uy;
        const f32 dz = (f32)(i32)(pack->z[j] - p.z) * uz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
        certain += (u32)(j < count) & (u32)(d2 <= near);
        possible += (u32)(j < count) & (u32)(d2 <= far);
    }
    return certain < possible ? ~(u32)0 : certain;
}

/* The middle of an interval of offsets, and how far it reaches from there. */
typedef struct pack_interval {
    u32 middle, reach;
} pack_interval;

static inline pack_interval pack_between(u32 origin, i32 low, i32 high) {
    const u32 down = ((u32)high - (u32)low) / 2;
    pack_interval interval;
    interval.middle = origin + (u32)low + down;
    interval.reach = (u32)high - (u32)low - down;
    return interval;
}

/* How far x is from there, in units. */
static inline f32 pack_beyond(pack_interval interval, u32 x) {
    const i32 off = (i32)(x - interval.middle);
    const u32 distance = off < 0 ? 0u - (u32)off : (u32)off;
    return (f32)(i32)(max(distance, interval.reach) - interval.reach);
}

/* A number that the friends of no particle of [begin, end) exceed, where each counts as its
 * own: of those within reach of a box around them. Rounding keeps order, so whoever is
 * possibly a friend of one of them, as friends_apart has it, is counted. */
static inline u32 pack_bound(const friends_rule *rule, const pack_points *pack, u32 begin,
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
    const pack_interval x = pack_between(p.x, x_low, x_high);
    const pack_interval y = pack_between(p.y, y_low, y_high);
    const pack_interval z = pack_between(p.z, z_low, z_high);
    const f32 ux = rule->unit[0], uy = rule->unit[1], uz = rule->unit[2], far = rule->far;
    const u32 count = pack->count, whole = pack_whole(pack);
    u32 possible = 0;
    for (u32 j = 0; j < whole; j++) {
        const f32 dx = pack_beyond(x, pack->x[j]) * ux;
        const f32 dy = pack_beyond(y, pack->y[j]) * uy;
        const f32 dz = pack_beyond(z, pack->z[j]) * uz;
        const f32 d2 = dx * dx + dy * dy + dz * dz;
        possible += (u32)(j < count) & (u32)(d2 <= far);
    }
    return possible;
}

#endif
