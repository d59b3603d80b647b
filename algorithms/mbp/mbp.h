/* Members of halos in rows, for the finders of the most bound particle. */
#ifndef WEFT_ALGORITHMS_MBP_H
#define WEFT_ALGORITHMS_MBP_H

#include "algorithms/points/points.h"
#include "weft/mbp.h"

/* Scratch of the scope that mbp_prepare was called in. */
typedef struct mbp_slots {
    i64 halos, members, rows;    /* 16 slots a row */
    weft_array offset, row_halo; /* [halos + 1] i64; [rows] u32 */
    weft_array x, y, z, mass;    /* [slots] f64 */
    weft_array extent, heaviest; /* [halos] u32: exponents, as mbp_pairs_scale takes them */
} mbp_slots;

/* Checks the arguments of weft_mbp, or of a call like it. */
points_words mbp_check(weft_device *device, const char *call, const weft_points *points,
                       weft_array mass, const weft_mbp_options *options);

/* The same, and puts the members into slots; no halos where there are none or there is an
 * error. */
mbp_slots mbp_prepare(weft_device *device, const char *call, const weft_points *points,
                      weft_array mass, const weft_mbp_options *options,
                      const weft_halos *halos);
void mbp_check_array(weft_device *device, const char *call, const char *name,
                     weft_array array, weft_type type, i64 count);

/* Of each halo's members the most bound one among those with a flag.
 *   survives   [slots] u32, also lazy; of a halo without any there is none */
void mbp_decide(weft_device *device, const mbp_slots *slots, f64 softening,
                weft_array survives, weft_array member, weft_array particle,
                weft_array potential);

/* Places and masses in f32, as the bounds are summed: [slots] each. */
typedef struct mbp_rounded {
    weft_array x, y, z, mass;
} mbp_rounded;
mbp_rounded mbp_round(weft_device *device, const mbp_slots *slots, f64 softening);

/* Bounds of |phi|, scaled alike in a halo: [slots] f32 each. */
typedef struct mbp_bounds {
    weft_array low, high;
} mbp_bounds;

/* From all pairs. */
void mbp_bound_by_pairs(weft_device *device, const mbp_slots *slots, f64 softening,
                        const mbp_bounds *bounds);

/* Slots in the order of a tree over each halo, and its nodes: in tiles for vectors, in
 * arrays for work-items in lock step. */
typedef struct mbp_tree {
    i64 levels;
    weft_array order, level; /* [slots] u32; [levels] i64, where each begins */
    weft_array x, y, z, mass;
    weft_array tile;
    weft_array node_x, node_y, node_z, node_mass, node_square, node_reach;
} mbp_tree;
mbp_tree mbp_tree_build(weft_device *device, const mbp_slots *slots, f64 softening);

/* Places, in the order of a tree in tiles, of members that may well be the most bound:
 * [16 halos] u32. */
weft_array mbp_tree_seeds(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree);

/* Before the first walk. */
void mbp_bound_nothing(weft_device *device, const mbp_slots *slots, f64 softening,
                       const mbp_bounds *bounds);

/* Narrows bounds, of members in places [n] u32 of the tree's order, ascending. A node of
 * the tree may be off by `tolerance` times best [halos] u32, the bits of the largest lower
 * bound, or the number of members where that is 0; with vectors those who may still be
 * the most bound walk up to `walks` times, each time off by less, down to a 64th. */
void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       f64 softening, f64 tolerance, i32 walks, weft_array best,
                       weft_array places, const mbp_bounds *bounds);

/* How many members in the order of the tree are where the one before them is, in f32. */
i64 mbp_close_coincide(weft_device *device, const mbp_slots *slots, const mbp_tree *tree);

/* Of members at one place, where these add nothing to each other, the first one by id
 * stands for the others: their upper bounds no longer survive. */
void mbp_leave_coincident(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          f64 softening, const mbp_bounds *bounds);

/* The same tree in f64, and bounds from it: as mbp_bound_by_tree, with a tolerance down to
 * 1e-9. */
typedef struct mbp_close {
    weft_array level, tile;
} mbp_close;
mbp_close mbp_close_build(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree);
void mbp_bound_closely(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       const mbp_close *close, f64 softening, f64 tolerance,
                       weft_array best, weft_array places, const mbp_bounds *bounds);

/* Bounds in short halos: `high` of each |phi| [slots] f32, `best` of the largest from below
 * [halos] f32; coordinates as words [slots] u32, twice as many where `wide`; and places for
 * as many `items` at a time, `width` slots of f64 each. */
typedef struct mbp_short {
    i64 items, width;
    i32 wide;
    weft_array word_x, word_y, word_z, high, best;
    weft_array x, y, z, mass;
} mbp_short;
mbp_short mbp_bound_short(weft_device *device, const points_words *points, weft_array mass,
                          const weft_mbp_options *options, const weft_halos *halos);

/* The most bound particles, from these bounds. */
void mbp_choose_short(weft_device *device, const mbp_short *s, weft_array mass,
                      const weft_mbp_options *options, const weft_halos *halos,
                      weft_array particle, weft_array potential);

/* Fails with WEFT_E_CHECK unless all potentials, evaluated as defined, lie within their
 * bounds.
 *   best     [halos] u32, the bits of what the largest |phi| is at least
 *   member   [members] u32 */
void mbp_verify(weft_device *device, const char *call, const mbp_slots *slots,
                f64 softening, const mbp_bounds *bounds, weft_array best,
                weft_array member);

/* potential [n] f64: phi as defined, of the members in slots survivor [n] i64, ascending.
 */
void mbp_evaluate(weft_device *device, const mbp_slots *slots, f64 softening,
                  weft_array survivor, weft_array potential);

#endif
