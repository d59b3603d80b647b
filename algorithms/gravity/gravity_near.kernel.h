/* The tiles within reach of each tile, written down, where many work-items run in step:
 * each tile is looked at once, and those that meet as many lie side by side. */
#ifndef GRAVITY_NEAR_KERNEL_H
#define GRAVITY_NEAR_KERNEL_H

#include "gravity_tiles.kernel.h"

/* A place of a tile. All tiles have GRAVITY_TILE of them, one after the other. */
typedef struct __attribute__((aligned(16))) gravity_near_place {
    u32 x, y, z;
    u32 index; /* of a particle in the input, or gravity_near_nobody */
} gravity_near_place;

CONSTANT u32 gravity_near_nobody = 0xffffffffu;

/* Lists of tiles, one after the other. */
typedef struct gravity_near_turns {
    GLOBAL const u32 *turn;  /* tiles, those with the longest lists first */
    GLOBAL const i64 *start; /* of a turn's list among all */
    i64 first;               /* the turn from which on lists are kept */
    GLOBAL const gravity_near_place *place;
} gravity_near_turns;

/* Where nobody is, coordinates are of the next tiles. */
static inline void gravity_near_pack(index_t i, gravity_tiles c,
                                     GLOBAL gravity_near_place *place) {
    const i64 tile = (i64)i / GRAVITY_TILE;
    const u32 j = c.first[tile] + (u32)((i64)i % GRAVITY_TILE);
    gravity_near_place p;
    p.x = c.x[j];
    p.y = c.y[j];
    p.z = c.z[j];
    p.index = gravity_near_nobody;
    if (j < c.first[tile + 1])
        p.index = c.order[j];
    place[i] = p;
}

/* How many tiles meet a tile, whose list is written where `write` is not 0. */
static inline u32 gravity_near_of(i64 tile, gravity_tiles c, i32 write, GLOBAL u32 *list) {
    const gravity_box b = gravity_tiles_get(tile, c);
    u32 begin, end, count = 0;
    if (b.count == 0)
        return 0;
    gravity_walk w = gravity_tiles_walk(&b, c);
    while (gravity_tiles_next(&w, &b, c, &begin, &end))
        for (u32 t = begin; t < end; t++)
            if (gravity_tiles_meets(&b, c, (index_t)t)) {
                if (write)
                    list[count] = t;
                count++;
            }
    return count;
}

static inline void gravity_near_count(index_t tile, gravity_tiles c, GLOBAL u32 *count) {
    count[tile] = gravity_near_of((i64)tile, c, 0, count);
}

static inline i64 gravity_near_wide(index_t turn, GLOBAL const u32 *count) {
    return (i64)count[turn];
}

static inline void gravity_near_write(index_t item, gravity_tiles c, gravity_near_turns n,
                                      GLOBAL u32 *list) {
    const i64 turn = n.first + (i64)item;
    gravity_near_of((i64)n.turn[turn], c, 1, list + (n.start[turn] - n.start[n.first]));
}

#endif
