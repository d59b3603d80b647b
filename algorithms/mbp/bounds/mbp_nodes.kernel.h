/* A tree over each halo's members in places: a pyramid of 16 members a leaf, four nodes a
 * node, whose levels lie one after the other. Lengths and masses are scaled as
 * mbp_bounds.kernel.h says. */
#ifndef WEFT_MBP_NODES_KERNEL_H
#define WEFT_MBP_NODES_KERNEL_H

#include "mbp_bounds.kernel.h"

enum { MBP_NODES_FAN = 4, MBP_NODES_FAN_BITS = 2 };

static inline i64 mbp_nodes_bits(i64 level) {
    return MBP_ROW_BITS + MBP_NODES_FAN_BITS * level;
}

/* Mass, its center, sum of mass times squared distance from it, largest distance from it.
 */
typedef struct mbp_node {
    f64 x, y, z, mass, square, reach;
} mbp_node;

/* The node that 16 members make. */
static inline void mbp_nodes_leaf(index_t row, mbp_halos of, mbp_bodies at,
                                  GLOBAL const u32 *order, GLOBAL mbp_node *node) {
    const i64 halo = of.row_halo[row], rank = mbp_rank(of.offset, halo, row * MBP_ROW);
    const i64 count = min(mbp_members(of.offset, halo) - rank, (i64)MBP_ROW);
    mbp_node n = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const f64 scale = mbp_scale(of.extent[halo]);
    const f64 weight = mbp_scale(of.heaviest[halo]);
    for (i64 k = 0; k < count; k++) {
        const u32 slot = order[row * MBP_ROW + k];
        n.mass += at.mass[slot] * weight;
        n.x += at.mass[slot] * weight * (at.x[slot] * scale);
        n.y += at.mass[slot] * weight * (at.y[slot] * scale);
        n.z += at.mass[slot] * weight * (at.z[slot] * scale);
    }
    if (count > 0) {
        n.x /= n.mass;
        n.y /= n.mass;
        n.z /= n.mass;
    }
    for (i64 k = 0; k < count; k++) {
        const u32 slot = order[row * MBP_ROW + k];
        const f64 dx = at.x[slot] * scale - n.x, dy = at.y[slot] * scale - n.y;
        const f64 dz = at.z[slot] * scale - n.z, d2 = dx * dx + dy * dy + dz * dz;
        n.square += at.mass[slot] * weight * d2;
        n.reach = max(n.reach, d2);
    }
    n.reach = sqrt(n.reach);
    node[row] = n;
}

/* Nodes of a level above the leaves, from those of the level below.
 * (Moments about another center: the parallel axis theorem.) */
static inline void mbp_nodes_join(index_t i, i64 halos, i64 l, GLOBAL const i64 *offset,
                                  GLOBAL const mbp_node *below, GLOBAL mbp_node *node) {
    const i64 bits = mbp_nodes_bits(l), under = mbp_nodes_bits(l - 1);
    const i64 halo = pyramid_owner(i, halos, bits, offset);
    const i64 first = (i - pyramid_first(offset[halo], halo, bits)) * MBP_NODES_FAN;
    const i64 count =
        min(pyramid_count(mbp_members(offset, halo), under) - first, (i64)MBP_NODES_FAN);
    GLOBAL const mbp_node *from = below + pyramid_first(offset[halo], halo, under) + first;
    mbp_node n = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (i64 k = 0; k < count; k++) {
        n.mass += from[k].mass;
        n.x += from[k].mass * from[k].x;
        n.y += from[k].mass * from[k].y;
        n.z += from[k].mass * from[k].z;
    }
    if (count > 0) {
        n.x /= n.mass;
        n.y /= n.mass;
        n.z /= n.mass;
    }
    for (i64 k = 0; k < count; k++) {
        const f64 dx = from[k].x - n.x, dy = from[k].y - n.y, dz = from[k].z - n.z;
        const f64 d2 = dx * dx + dy * dy + dz * dz;
        n.square += from[k].square + from[k].mass * d2;
        n.reach = max(n.reach, from[k].reach + sqrt(d2));
    }
    node[i] = n;
}

/* Nodes as they are summed. What the walk compares and bounds with is rounded up. */
static inline void mbp_nodes_round(index_t i, GLOBAL const mbp_node *node, GLOBAL f32 *x,
                                   GLOBAL f32 *y, GLOBAL f32 *z, GLOBAL f32 *mass,
                                   GLOBAL f32 *square, GLOBAL f32 *reach) {
    x[i] = (f32)node[i].x;
    y[i] = (f32)node[i].y;
    z[i] = (f32)node[i].z;
    mass[i] = (f32)node[i].mass;
    square[i] = (f32)(node[i].square * (1.0 + 1e-6));
    reach[i] = (f32)((node[i].reach + 1e-6) * (1.0 + 1e-5));
}

#endif
