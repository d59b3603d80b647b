/* Bounds of potentials. All that lies in this folder allows for rounding, and so may be
 * compiled with fused operations; nothing that is defined exactly is reached from here. */
#ifndef WEFT_ALGORITHMS_MBP_BOUNDS_H
#define WEFT_ALGORITHMS_MBP_BOUNDS_H

#include "mbp_group.kernel.h"
#include "mbp_walk.kernel.h"
#include "algorithms/mbp/slots/mbp_slots.h"

WEFT_BUNDLE(mbp_rounded, (in, f32, x, 0), (in, f32, y, 0), (in, f32, z, 0),
            (in, f32, mass, 0))
WEFT_BUNDLE(mbp_bounds, (inout, f32, low, 0), (inout, f32, high, 0))
WEFT_BUNDLE(mbp_nodes, (value, i64, levels), (in, i64, level, 0), (in, f32, x, 0),
            (in, f32, y, 0), (in, f32, z, 0), (in, f32, mass, 0), (in, f32, square, 0),
            (in, f32, reach, 0))
WEFT_BUNDLE(mbp_tiled, (in, u32, order, 0), (in, i64, level, 0), (in, mbp_tile, tile, 0))

/* A tree over each halo: slots in its order, and its nodes: in tiles for vectors, one by
 * one for work-items in lock step, or in f64. */
typedef struct mbp_tree {
    i64 longest;      /* members of a halo */
    weft_array order; /* [slots] u32: the slot of each place */
    mbp_rounded_arrays at;
    mbp_tiled_arrays tiles;
    mbp_nodes_arrays nodes;
    weft_array level64, tile64;
} mbp_tree;

/* Bounds from all pairs, of members that mbp_bound_nothing tells nothing of. */
typedef void mbp_pairs(weft_device *device, const mbp_slots *slots, mbp_bounds_arrays to);

/* Narrows bounds, of members in places [n] u32, ascending. A node of the tree may be off by
 * `tolerance` times best [halos] u32, the bits of the largest lower bound, or the number of
 * members where that is 0. Where walks repeat, those who may still be the most bound walk
 * up to `walks` times, each time off by less, down to a 64th. */
typedef void mbp_walk(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                      f64 tolerance, i32 walks, weft_array best, weft_array places,
                      mbp_bounds_arrays to);

/* What finds bounds on a style of device. */
typedef struct mbp_plan {
    /* Halos with fewer members need no tree: a work-item finds the bounds of a halo, or,
     * where that is NULL, all do from all pairs. */
    i64 short_below;
    /* Fewer pairs than this, of all longer halos, take less time than a tree over them. */
    i64 pairs_below;
    mbp_bounds_arrays (*by_halo)(weft_device *device, const mbp_slots *slots,
                                 weft_array best);
    mbp_pairs *by_pairs;
    /* Nodes of a tree whose slots are in order. */
    void (*nodes)(weft_device *device, const mbp_slots *slots, mbp_tree *tree);
    mbp_walk *by_tree;
    /* Places of members that may well be the most bound, [16 halos] u32, so that others end
     * their walks early; NULL: it does not pay. */
    weft_array (*seeds)(weft_device *device, const mbp_slots *slots, const mbp_tree *tree);
} mbp_plan;
const mbp_plan *mbp_plan_of(const weft_device *device);

mbp_bounds_arrays mbp_short_by_halo(weft_device *device, const mbp_slots *slots,
                                    weft_array best);
mbp_pairs mbp_pairs_by_rows, mbp_pairs_by_fours;
void mbp_tree_of_tiles(weft_device *device, const mbp_slots *slots, mbp_tree *tree);
void mbp_tree_of_nodes(weft_device *device, const mbp_slots *slots, mbp_tree *tree);
weft_array mbp_tree_seeds(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree);
mbp_walk mbp_walk_alone, mbp_walk_by_groups;

/* phi of all members, [members] f64, nearly as defined: those of a halo are off by up to
 * off [halos] f64, which is infinite where nothing is claimed. */
void mbp_near(weft_device *device, const mbp_slots *slots, weft_array potential,
              weft_array off);

/* For any device: the order alone, and with its nodes. */
mbp_tree mbp_tree_order(weft_device *device, const mbp_slots *slots);
mbp_tree mbp_tree_build(weft_device *device, const mbp_slots *slots);

/* Bounds [slots] before anything is summed: scratch. */
mbp_bounds_arrays mbp_bound_nothing(weft_device *device, const mbp_slots *slots);

/* Places and masses as they are summed, in the order of a tree, or, with {0}, in that of
 * slots: [slots] each, scratch. */
mbp_rounded_arrays mbp_round(weft_device *device, const mbp_slots *slots, weft_array order);

/* The nodes in f64; and walks of single members, with a tolerance
 * down to 1e-9, which tell those apart whom no walk in f32 does. */
void mbp_tree64_build(weft_device *device, const mbp_slots *slots, mbp_tree *tree);
mbp_walk mbp_tree64_walk_by;

/* Bounds of those that crowd within the softening, if they are many: to about 1e-13 where
 * they do far within it. Returns whether they are. */
int mbp_soft_bound(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                   mbp_bounds_arrays to);

/* Of members at one place, where these add nothing to each other, the first one by id
 * stands for the others: their upper bounds no longer survive. */
void mbp_leave_coincident(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          weft_array high);

#endif
