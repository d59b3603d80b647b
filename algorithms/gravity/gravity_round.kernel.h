/* Looking around for near tiles, a plane of blocks a work-item. Tiles of blocks that differ
 * in the last bits of their numbers look at the same blocks, in order, at the same time,
 * and pass over those that are not near. */
#ifndef GRAVITY_ROUND_KERNEL_H
#define GRAVITY_ROUND_KERNEL_H

#include "gravity_near.kernel.h"

/* How many blocks a box and its reach, with room for rounding, may be beyond its block. */
static inline i32 gravity_round_beyond(u32 reach, i32 bits) {
    const i32 shift = 32 - bits;
    const u64 room = (((u64)1 << shift) >> 16) + 16;
    return (i32)(((u64)reach + room) >> shift) + 1;
}

static inline i32 gravity_round_planes(u32 reach, i32 bits) {
    return 2 * gravity_round_beyond(reach, bits) + 2;
}

/* The first block along an axis. */
static inline i32 gravity_round_first(const gravity_box *b, i32 axis, gravity_tiles c) {
    const i32 home = (i32)((u64)b->center[axis] >> (32 - c.bits));
    return (home & ~1) - gravity_round_beyond(c.reach, c.bits);
}

/* As gravity_tiles_blocks2 of a block along an axis; far where the walk does not go. */
static inline f32 gravity_round_gap2(gravity_walk *w, const gravity_box *b, i32 axis,
                                     i32 at, gravity_tiles c) {
    const i32 way = at - (i32)w->first[axis];
    if (way < 0 || way >= (i32)w->count[axis])
        return 0x1p20f;
    w->at[axis] = (u32)way;
    return gravity_tiles_blocks2(w, b, axis, c);
}

/* Of the block at which the walk is those that a tile meets. */
static inline u32 gravity_round_block(const gravity_walk *w, const gravity_box *b,
                                      gravity_tiles c, gravity_near_boxes boxes, i32 write,
                                      GLOBAL u32 *list, u32 *length) {
    const u64 block =
        curve_morton(gravity_tiles_number(w, 0, c.bits), gravity_tiles_number(w, 1, c.bits),
                     gravity_tiles_number(w, 2, c.bits));
    const u32 end = c.tile[block + 1];
    u32 count = 0;
    for (u32 t = c.tile[block]; t < end; t++)
        if (gravity_near_meets(b, boxes.tile[t], c.scale)) {
            if (write)
                list[count] = gravity_near_entry(
                    b, t, boxes.quarter + (i64)t * GRAVITY_QUARTERS, c.scale, length);
            count++;
        }
    return count;
}

/* How many tiles of a plane a tile meets, whose list is written where `write` is not 0; and
 * then of how many quarters. */
static inline u32 gravity_round_of(i64 tile, i32 plane, gravity_tiles c,
                                   gravity_near_boxes boxes, i32 write, GLOBAL u32 *list,
                                   u32 *length) {
    const gravity_box b = gravity_near_get(boxes.tile[tile]);
    const i32 steps = gravity_round_planes(c.reach, c.bits);
    u32 count = 0;
    if (b.count == 0)
        return 0;
    gravity_walk w = gravity_tiles_walk(&b, c);
    const i32 x = gravity_round_first(&b, 0, c), y = gravity_round_first(&b, 1, c);
    const i32 z = gravity_round_first(&b, 2, c);
    const f32 x2 = gravity_round_gap2(&w, &b, 0, x + plane, c);
    for (i32 j = 0; j < steps && gravity_tiles_near(x2, 0.0f, 0.0f); j++) {
        const f32 row = x2 + gravity_round_gap2(&w, &b, 1, y + j, c);
        if (gravity_tiles_near(row, 0.0f, 0.0f))
            for (i32 k = 0; k < steps; k++)
                if (gravity_tiles_near(row, gravity_round_gap2(&w, &b, 2, z + k, c), 0.0f))
                    count +=
                        gravity_round_block(&w, &b, c, boxes, write, list + count, length);
    }
    return count;
}

static inline void gravity_round_count(index_t item, gravity_tiles c,
                                       gravity_near_boxes boxes, i64 tiles,
                                       GLOBAL u32 *count) {
    const i64 tile = (i64)item % tiles;
    const i32 plane = (i32)((i64)item / tiles);
    const i32 planes = gravity_round_planes(c.reach, c.bits);
    u32 length = 0;
    count[tile * planes + plane] =
        gravity_round_of(tile, plane, c, boxes, 0, count, &length);
}

static inline i64 gravity_round_wide(index_t part, GLOBAL const u32 *count) {
    return (i64)count[part];
}

/* Lists of `tiles` from n.first on; and how many quarters are in each part of them. */
static inline void gravity_round_write(index_t item, gravity_tiles c,
                                       gravity_near_boxes boxes, gravity_near_turns n,
                                       i64 tiles, GLOBAL u32 *list, GLOBAL u32 *part) {
    const i64 tile = n.first + (i64)item % tiles;
    const i32 plane = (i32)((i64)item / tiles);
    const i64 from = n.start[tile * n.planes + plane] - n.start[n.first * n.planes];
    u32 length = 0;
    gravity_round_of(tile, plane, c, boxes, 1, list + from, &length);
    part[item] = length;
}

/* Of all parts. */
static inline u32 gravity_round_length(index_t i, i64 tiles, i32 planes,
                                       GLOBAL const u32 *part) {
    u32 length = 0;
    for (i32 plane = 0; plane < planes; plane++)
        length += part[(i64)plane * tiles + (i64)i];
    return length;
}

#endif
