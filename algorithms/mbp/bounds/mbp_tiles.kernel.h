/* A tree over each halo's members in places, for processors with vectors: 16 members a
 * leaf, and 16 nodes a node, which lie together as a tile, the i-th numbers of all in one
 * vector: tiles of level 1 are of up to 256 members. Lengths and masses are scaled as
 * mbp_bounds.kernel.h says. */
#ifndef WEFT_MBP_TILES_KERNEL_H
#define WEFT_MBP_TILES_KERNEL_H

#include "mbp_bounds.kernel.h"

/* Mass, its center, sum of mass times squared distance from it, and the box around the
 * members, by its middle and half of its sides. Where there is no node the mass is below 0.
 */
typedef struct mbp_tile {
    f32 mass[MBP_ROW], square[MBP_ROW];
    f32 x[MBP_ROW], y[MBP_ROW], z[MBP_ROW];
    f32 middle_x[MBP_ROW], middle_y[MBP_ROW], middle_z[MBP_ROW];
    f32 half_x[MBP_ROW], half_y[MBP_ROW], half_z[MBP_ROW];
} mbp_tile;

static inline void mbp_tiles_none(GLOBAL mbp_tile *to, i32 k) {
    to->mass[k] = -1.0f;
    to->square[k] = to->x[k] = to->y[k] = to->z[k] = 0.0f;
    to->middle_x[k] = to->middle_y[k] = to->middle_z[k] = 0.0f;
    to->half_x[k] = to->half_y[k] = to->half_z[k] = 0.0f;
}

/* What is bounded with is rounded up. */
static inline void mbp_tiles_put(GLOBAL mbp_tile *to, i32 k, f64 mass, const f64 center[3],
                                 f64 square, const f32 low[3], const f32 high[3]) {
    to->mass[k] = (f32)mass;
    to->square[k] = (f32)(square * (1.0 + 1e-6));
    to->x[k] = (f32)center[0];
    to->y[k] = (f32)center[1];
    to->z[k] = (f32)center[2];
    to->middle_x[k] = 0.5f * (low[0] + high[0]);
    to->middle_y[k] = 0.5f * (low[1] + high[1]);
    to->middle_z[k] = 0.5f * (low[2] + high[2]);
    to->half_x[k] = 0.5f * (high[0] - low[0]);
    to->half_y[k] = 0.5f * (high[1] - low[1]);
    to->half_z[k] = 0.5f * (high[2] - low[2]);
}

/* A node of the nodes in a tile. (Moments about another center: the parallel axis theorem.)
 */
static inline void mbp_tiles_join(GLOBAL mbp_tile *to, i32 k, const mbp_tile *from) {
    f64 m = 0.0, center[3] = {0.0, 0.0, 0.0}, square = 0.0;
    f32 low[3] = {9.0f, 9.0f, 9.0f}, high[3] = {-9.0f, -9.0f, -9.0f};
    for (i32 j = 0; j < MBP_ROW && from->mass[j] >= 0.0f; j++) {
        const f64 w = (f64)from->mass[j];
        m += w;
        center[0] += w * (f64)from->x[j];
        center[1] += w * (f64)from->y[j];
        center[2] += w * (f64)from->z[j];
        low[0] = min(low[0], from->middle_x[j] - from->half_x[j]);
        low[1] = min(low[1], from->middle_y[j] - from->half_y[j]);
        low[2] = min(low[2], from->middle_z[j] - from->half_z[j]);
        high[0] = max(high[0], from->middle_x[j] + from->half_x[j]);
        high[1] = max(high[1], from->middle_y[j] + from->half_y[j]);
        high[2] = max(high[2], from->middle_z[j] + from->half_z[j]);
    }
    for (i32 axis = 0; axis < 3; axis++)
        center[axis] = m > 0.0 ? center[axis] / m : (f64)low[axis];
    for (i32 j = 0; j < MBP_ROW && from->mass[j] >= 0.0f; j++) {
        const f64 dx = (f64)from->x[j] - center[0], dy = (f64)from->y[j] - center[1],
                  dz = (f64)from->z[j] - center[2];
        square += (f64)from->square[j] + (f64)from->mass[j] * (dx * dx + dy * dy + dz * dz);
    }
    mbp_tiles_put(to, k, m, center, square, low, high);
}

/* A node of the members in slots [begin, end), each of them a node without extent. */
static inline void mbp_tiles_leaf(GLOBAL mbp_tile *to, i32 k, i64 begin, i64 end,
                                  mbp_rounded at) {
    mbp_tile own;
    for (i32 j = 0; j < MBP_ROW; j++) {
        own.x[j] = own.middle_x[j] = at.x[begin + j];
        own.y[j] = own.middle_y[j] = at.y[begin + j];
        own.z[j] = own.middle_z[j] = at.z[begin + j];
        own.mass[j] = begin + j < end ? at.mass[begin + j] : -1.0f;
        own.square[j] = own.half_x[j] = own.half_y[j] = own.half_z[j] = 0.0f;
    }
    mbp_tiles_join(to, k, &own);
}

/* Tiles of level 1, from members in the order of the tree. */
static inline void mbp_tiles_leaves(index_t t, i64 halos, GLOBAL const i64 *offset,
                                    mbp_rounded at, GLOBAL mbp_tile *tile) {
    const i64 halo = pyramid_owner(t, halos, mbp_level_bits(1), offset);
    const i64 first = mbp_first_slot(offset, halo);
    const i64 last = first + mbp_members(offset, halo);
    const i64 from = first + (t - mbp_level_first(offset, halo, 1)) * MBP_ROW * MBP_ROW;
    for (i32 k = 0; k < MBP_ROW; k++) {
        const i64 begin = from + k * MBP_ROW;
        if (begin < last)
            mbp_tiles_leaf(tile + t, k, begin, min(begin + MBP_ROW, last), at);
        else
            mbp_tiles_none(tile + t, k);
    }
}

/* Tiles of a level above, from those of the level below. */
static inline void mbp_tiles_above(index_t t, i64 halos, i64 level,
                                   GLOBAL const i64 *offset, GLOBAL const mbp_tile *below,
                                   GLOBAL mbp_tile *tile) {
    const mbp_level_range under = mbp_level_below(t, halos, level, offset);
    for (i32 k = 0; k < MBP_ROW; k++)
        if (k < under.count) {
            const mbp_tile from = below[under.first + k];
            mbp_tiles_join(tile + t, k, &from);
        } else {
            mbp_tiles_none(tile + t, k);
        }
}

/* The places of the halo's densest leaf, where the most bound member often is; 2^32 - 1
 * where there is none. */
static inline void mbp_tiles_seed(index_t halo, GLOBAL const i64 *offset,
                                  GLOBAL const mbp_tile *tile, GLOBAL u32 *place) {
    const i64 members = mbp_members(offset, halo);
    i64 densest = 0;
    f32 most = -1.0f;
    for (i64 i = 0; i * MBP_ROW < members; i++) {
        GLOBAL const mbp_tile *at = tile + mbp_level_first(offset, halo, 1) + i / MBP_ROW;
        const i32 k = (i32)(i % MBP_ROW);
        const f32 a = at->half_x[k], b = at->half_y[k], c = at->half_z[k];
        const f32 density = at->mass[k] * at->mass[k] / (a * a + b * b + c * c + 1e-12f);
        densest = density > most ? i : densest;
        most = max(most, density);
    }
    for (i64 l = 0; l < MBP_ROW; l++)
        place[halo * MBP_ROW + l] =
            (u32)((mbp_first_row(offset, halo) + densest) * MBP_ROW + l);
}

#endif
