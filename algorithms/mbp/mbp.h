/* Members of halos in rows, for the finders of the most bound particle. */
#ifndef WEFT_ALGORITHMS_MBP_H
#define WEFT_ALGORITHMS_MBP_H

#include "mbp_lanes.kernel.h"
#include "mbp_short.kernel.h"
#include "algorithms/points/points.h"
#include "weft/mbp.h"
#include "weft/register.h"

WEFT_BUNDLE(mbp_particles, (value, i64, stride), (value, i32, wide),
            (value, i32, wide_mass), (value, f64, box_x), (value, f64, box_y),
            (value, f64, box_z), (value, f64, particle_mass), (in, u32, member, 0),
            (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0), (optional, u32, mass, 0))
WEFT_BUNDLE(mbp_halos, (value, f64, softening), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0))
WEFT_BUNDLE(mbp_bodies, (in, f64, x, 0), (in, f64, y, 0), (in, f64, z, 0),
            (in, f64, mass, 0))
WEFT_BUNDLE(mbp_rounded, (in, f32, x, 0), (in, f32, y, 0), (in, f32, z, 0),
            (in, f32, mass, 0))
WEFT_BUNDLE(mbp_bounds, (inout, f32, low, 0), (inout, f32, high, 0))
WEFT_BUNDLE(mbp_nodes, (value, i64, levels), (in, i64, level, 0), (in, f32, x, 0),
            (in, f32, y, 0), (in, f32, z, 0), (in, f32, mass, 0), (in, f32, square, 0),
            (in, f32, reach, 0))
WEFT_BUNDLE(mbp_tiled, (in, u32, order, 0), (in, i64, level, 0), (in, mbp_tile, tile, 0))
WEFT_BUNDLE(mbp_shorts, (value, i64, items), (value, i64, halos), (value, i64, width),
            (value, f64, softening), (in, i64, offset, 0), (inout, u32, word, 0),
            (inout, f64, place, 0), (inout, f32, rounded, 0), (inout, f32, high, 0),
            (inout, f32, best, 0))

/* Scratch of the scope that mbp_prepare was called in. */
typedef struct mbp_slots {
    i64 halos, members, rows; /* 16 slots a row */
    mbp_halos_arrays of;      /* offset [halos + 1], row_halo [rows], others [halos] */
    mbp_bodies_arrays at;     /* [slots] each */
} mbp_slots;

/* Checks the arguments of weft_mbp, or of a call like it. */
points_words mbp_check(weft_device *device, const char *call, const weft_points *points,
                       weft_array mass, const weft_mbp_options *options);
void mbp_check_array(weft_device *device, const char *call, const char *name,
                     weft_array array, weft_type type, i64 count);

/* The same, and puts the members into slots; no halos where there are none or there is an
 * error. */
mbp_slots mbp_prepare(weft_device *device, const char *call, const weft_points *points,
                      weft_array mass, const weft_mbp_options *options,
                      const weft_halos *halos);

/* Particles as kernels read them. */
mbp_particles_arrays mbp_lend(weft_device *device, const points_words *points,
                              weft_array mass, const weft_mbp_options *options,
                              const weft_halos *halos);

/* Of each halo's members the most bound one among those with a flag.
 *   survives   [slots] u32, also lazy; of a halo without any there is none */
void mbp_decide(weft_device *device, const mbp_slots *slots, weft_array survives,
                weft_array member, weft_array particle, weft_array potential);

/* Places and masses as the bounds are summed: [slots] each; in an order [slots] u32, or
 * {0}: in their own. */
mbp_rounded_arrays mbp_round(weft_device *device, const mbp_slots *slots, weft_array order);

/* Bounds [slots] from all pairs. */
void mbp_bound_by_pairs(weft_device *device, const mbp_slots *slots, mbp_bounds_arrays to);

/* Slots in the order of a tree over each halo, and its nodes: in tiles for vectors, in
 * arrays for work-items in lock step. */
typedef struct mbp_tree {
    weft_array order; /* [slots] u32 */
    mbp_rounded_arrays at;
    mbp_tiled_arrays tiles; /* levels [..] i64: where each begins */
    mbp_nodes_arrays nodes;
} mbp_tree;
mbp_tree mbp_tree_build(weft_device *device, const mbp_slots *slots);

/* Places, in the order of a tree in tiles, of members that may well be the most bound:
 * [16 halos] u32. */
weft_array mbp_tree_seeds(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree);

/* Before the first walk. */
void mbp_bound_nothing(weft_device *device, const mbp_slots *slots, mbp_bounds_arrays to);

/* Narrows bounds, of members in places [n] u32 of the tree's order, ascending. A node of
 * the tree may be off by `tolerance` times best [halos] u32, the bits of the largest lower
 * bound, or the number of members where that is 0; with vectors those who may still be
 * the most bound walk up to `walks` times, each time off by less, down to a 64th. */
void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       f64 tolerance, i32 walks, weft_array best, weft_array places,
                       mbp_bounds_arrays to);

/* How many members in the order of the tree are where the one before them is, in f32. */
i64 mbp_close_coincide(weft_device *device, const mbp_slots *slots, const mbp_tree *tree);

/* Of members at one place, where these add nothing to each other, the first one by id
 * stands for the others: their upper bounds no longer survive. */
void mbp_leave_coincident(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          weft_array high);

/* The same tree in f64, and bounds from it: as mbp_bound_by_tree, with a tolerance down to
 * 1e-9. */
typedef struct mbp_close {
    weft_array level, tile;
} mbp_close;
mbp_close mbp_close_build(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree);
void mbp_bound_closely(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       const mbp_close *close, f64 tolerance, weft_array best,
                       weft_array places, mbp_bounds_arrays to);

/* Bounds in short halos: `high` of each |phi| and `best` of the largest from below. */
mbp_shorts_arrays mbp_bound_short(weft_device *device, mbp_particles_arrays particles,
                                  f64 softening, const weft_halos *halos);

/* The most bound particles, from these bounds. */
void mbp_choose_short(weft_device *device, mbp_particles_arrays particles,
                      mbp_shorts_arrays s, weft_array particle, weft_array potential);

/* Fails with WEFT_E_CHECK unless all potentials, evaluated as defined, lie within their
 * bounds.
 *   best     [halos] u32, the bits of what the largest |phi| is at least
 *   member   [members] u32 */
void mbp_verify(weft_device *device, const char *call, const mbp_slots *slots,
                mbp_bounds_arrays bounds, weft_array best, weft_array member);

/* potential [n] f64: phi as defined, of the members in slots survivor [n] i64, ascending.
 */
void mbp_evaluate(weft_device *device, const mbp_slots *slots, weft_array survivor,
                  weft_array potential);

#endif
