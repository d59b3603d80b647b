/* A tree over each halo's members: along Hilbert's curve, 16 members a leaf, four nodes
 * a node.
 *
 * Halo h owns the nodes of level l from offset[h] / (16 4^l) + h on, as many as it needs;
 * those of all halos and levels lie one after the other. Lengths and masses are scaled as
 * mbp_pairs.kernel.h says. */
#ifndef WEFT_MBP_TREE_KERNEL_H
#define WEFT_MBP_TREE_KERNEL_H

#include "mbp_pairs.kernel.h"

enum { MBP_TREE_FAN = 4 };

/* Mass, its center, sum of mass times squared distance from it, largest distance from it.
 */
typedef struct mbp_tree_node {
    f64 x, y, z, mass, square, reach;
} mbp_tree_node;

/* Two zero bits before each of the lowest 16 bits. */
static inline u64 mbp_tree_spread(u64 a) {
    a = (a | a << 16) & 0x0000ff0000ffu;
    a = (a | a << 8) & 0x00f00f00f00fu;
    a = (a | a << 4) & 0x0c30c30c30c3u;
    return (a | a << 2) & 0x249249249249u;
}

static inline u32 mbp_tree_cell(f64 x, f64 scale, i32 bits) {
    const f64 cells = (f64)((i64)1 << (bits - 1));
    const f64 cell = (x * scale + 1.0) * cells;
    return cell > 0.0 ? (u32)min(cell, 2.0 * cells - 1.0) : 0u;
}

/* A step from a cell to its place on Hilbert's curve, on which neighbours are neighbours in
 * space. (Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004) 381.) */
static inline void mbp_tree_turn(u32 *x, u32 *y, u32 *z, i32 bit) {
    const u32 low = (1u << bit) - 1u;
    const u32 at_x = 0u - (*x >> bit & 1u), at_y = 0u - (*y >> bit & 1u),
              at_z = 0u - (*z >> bit & 1u);
    *x ^= low & at_x;
    const u32 swap_y = (*x ^ *y) & low & ~at_y;
    *x ^= swap_y | (low & at_y);
    *y ^= swap_y;
    const u32 swap_z = (*x ^ *z) & low & ~at_z;
    *x ^= swap_z | (low & at_z);
    *z ^= swap_z;
}
static inline u32 mbp_tree_flip(u32 z, i32 bit) {
    return ((1u << bit) - 1u) & (0u - (z >> bit & 1u));
}
static inline u64 mbp_tree_place_on_curve(u32 x, u32 y, u32 z, u32 flip) {
    return mbp_tree_spread(x ^ flip) << 2 | mbp_tree_spread(y ^ flip) << 1 |
           mbp_tree_spread(z ^ flip);
}

static inline i32 mbp_tree_has_cells(u32 extent) {
    return extent >= 480 && extent <= 1900;
}

/* The halo, and the place on the curve; empty slots come last in their halo. */
static inline u64 mbp_tree_key(index_t slot, i32 bits, mbp_halos of, mbp_bodies at) {
    const i64 halo = mbp_halo(of, slot);
    const u64 from = (u64)halo << (3 * bits + 1);
    if (mbp_is_empty(of, slot))
        return from | (u64)1 << (3 * bits);
    if (!mbp_tree_has_cells(of.extent[halo]))
        return from;
    const f64 scale = mbp_pairs_scale(of.extent[halo]);
    u32 a = mbp_tree_cell(at.x[slot], scale, bits);
    u32 b = mbp_tree_cell(at.y[slot], scale, bits);
    u32 c = mbp_tree_cell(at.z[slot], scale, bits), flip = 0u;
    for (i32 bit = bits - 1; bit > 0; bit--)
        mbp_tree_turn(&a, &b, &c, bit);
    b ^= a;
    c ^= b;
    for (i32 bit = bits - 1; bit > 0; bit--)
        flip ^= mbp_tree_flip(c, bit);
    return from | mbp_tree_place_on_curve(a, b, c, flip);
}

/* The same of 16 slots, for processors with vectors. */
static inline void mbp_tree_keys(index_t row, i32 bits, mbp_halos of, mbp_bodies at,
                                 GLOBAL u64 *key) {
    const i64 halo = of.row_halo[row], slot = (i64)row * MBP_ROW;
    const i64 there = mbp_members(of.offset, halo) - mbp_rank(of.offset, halo, slot);
    const u64 from = (u64)halo << (3 * bits + 1);
    const f64 scale =
        mbp_tree_has_cells(of.extent[halo]) ? mbp_pairs_scale(of.extent[halo]) : 0.0;
    u32 a[MBP_ROW], b[MBP_ROW], c[MBP_ROW], flip[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++) {
        a[l] = mbp_tree_cell(at.x[slot + l], scale, bits);
        b[l] = mbp_tree_cell(at.y[slot + l], scale, bits);
        c[l] = mbp_tree_cell(at.z[slot + l], scale, bits);
        flip[l] = 0u;
    }
    for (i32 bit = bits - 1; bit > 0; bit--)
        for (i32 l = 0; l < MBP_ROW; l++)
            mbp_tree_turn(&a[l], &b[l], &c[l], bit);
    for (i32 l = 0; l < MBP_ROW; l++) {
        b[l] ^= a[l];
        c[l] ^= b[l];
    }
    for (i32 bit = bits - 1; bit > 0; bit--)
        for (i32 l = 0; l < MBP_ROW; l++)
            flip[l] ^= mbp_tree_flip(c[l], bit);
    for (i32 l = 0; l < MBP_ROW; l++)
        key[slot + l] = from | mbp_tree_place_on_curve(a[l], b[l], c[l], flip[l]);
    for (i64 l = max(there, (i64)0); l < MBP_ROW; l++)
        key[slot + l] = from | (u64)1 << (3 * bits);
}

static inline i64 mbp_tree_members(index_t halo, GLOBAL const i64 *offset) {
    return mbp_members(offset, halo);
}

static inline u32 mbp_tree_slot(index_t slot, u32 first) {
    return first + (u32)slot;
}

/* The node that 16 members make. */
static inline void mbp_tree_leaf(index_t row, mbp_halos of, mbp_bodies at,
                                 GLOBAL const u32 *order, GLOBAL mbp_tree_node *node) {
    const i64 halo = of.row_halo[row], rank = mbp_rank(of.offset, halo, row * MBP_ROW);
    const i64 count = min(mbp_members(of.offset, halo) - rank, (i64)MBP_ROW);
    mbp_tree_node n = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const f64 scale = mbp_pairs_scale(of.extent[halo]);
    const f64 weight = mbp_pairs_scale(of.heaviest[halo]);
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

/* Nodes of level l hold 16 4^l members each: the first of a halo, and how many it has. */
static inline i64 mbp_tree_first(GLOBAL const i64 *offset, i64 halo, i64 l) {
    return (offset[halo] >> (4 + 2 * l)) + halo;
}
static inline i64 mbp_tree_count(GLOBAL const i64 *offset, i64 halo, i64 l) {
    return ((mbp_members(offset, halo) - 1) >> (4 + 2 * l)) + 1;
}

/* Nodes of a level above the leaves, from those of the level below.
 * (Moments about another center: the parallel axis theorem.) */
static inline void mbp_tree_join(index_t i, i64 halos, i64 l, GLOBAL const i64 *offset,
                                 GLOBAL const mbp_tree_node *below,
                                 GLOBAL mbp_tree_node *node) {
    const i64 halo = mbp_owner(i, halos, 4 + 2 * l, offset);
    const i64 rank = (i - mbp_tree_first(offset, halo, l)) * MBP_TREE_FAN;
    const i64 count = min(mbp_tree_count(offset, halo, l - 1) - rank, (i64)MBP_TREE_FAN);
    GLOBAL const mbp_tree_node *from = below + mbp_tree_first(offset, halo, l - 1) + rank;
    mbp_tree_node n = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
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
static inline void mbp_tree_round(index_t i, GLOBAL const mbp_tree_node *node,
                                  GLOBAL f32 *x, GLOBAL f32 *y, GLOBAL f32 *z,
                                  GLOBAL f32 *mass, GLOBAL f32 *square, GLOBAL f32 *reach) {
    x[i] = (f32)node[i].x;
    y[i] = (f32)node[i].y;
    z[i] = (f32)node[i].z;
    mass[i] = (f32)node[i].mass;
    square[i] = (f32)(node[i].square * (1.0 + 1e-6));
    reach[i] = (f32)((node[i].reach + 1e-6) * (1.0 + 1e-5));
}

#endif
