/* The most bound particle of each halo: its deepest point in its own potential. */
#ifndef WEFT_MBP_H
#define WEFT_MBP_H

#include "halos.h"
#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the potential is:
 *   phi_i = - sum over the other members j of m_j / sqrt(r_ij^2 + softening^2)
 * of one halo alone, unwrapped from its first member: each member lies at
 * u = remainder(x - x_first, box), on axes with box 0 at x - x_first, rounded to f64 once.
 * In f64, each operation rounded to nearest and none fused:
 *   - r_ij^2 = (dx dx + dy dy) + dz dz with dx = u_j - u_i; softening^2 is rounded once;
 *   - a pair with r_ij^2 + softening^2 = 0 adds nothing;
 *   - members add up in their order, in blocks of 256; sums of neighbouring blocks are then
 *     added in pairs, and the results again, one left over going up as it is.
 * So that a tie is a tie: of equal potentials the member with the smallest id wins. */
typedef struct weft_mbp_options {
    f64 box[3];        /* the size of each periodic axis, 0 for an axis that is not */
    f64 softening;     /* Plummer's, at least 0, in the unit of the positions */
    f64 particle_mass; /* above 0; unused where masses are given */
    i32 all_pairs;     /* 1: bounds from all pairs instead of a tree; the same result */
} weft_mbp_options;

/* Finds the member with the smallest phi_i of every halo.
 *   points      the positions that the halos were found in; f32 or f64
 *   mass        [n] f32 or f64, above 0; {0}: every particle has `particle_mass`
 *   halos       of weft_halos_group: members of each ascend by id
 *   particle    [halos] u32: its input index; 2^32 - 1 of a halo without members
 *   potential   [halos] f64: phi_i, in units of mass and length of the input
 * The particle is that of the definition, exactly, on every device: potentials are bounded
 * from both sides by a proof that accounts for rounding, members whose lower bound lies
 * above the smallest upper bound of their halo are discarded, and phi_i of the rest is
 * evaluated as defined. The bounds come from a tree over each halo, narrowed until few
 * members are left; or from all pairs in f32. Cost: about n log n of a halo's length n;
 * with all_pairs the sum of the squared lengths. One length in f64 for each survivor, most
 * often a few a halo. Scratch of some 100 bytes a member, and of 32 MiB. Repeats: bit for
 * bit on every backend. Members that are coincident, or closer than a few millionths of the
 * halo's size, and halos whose squares leave the range of f64, cost one length each and
 * lose nothing. Errors: WEFT_E_ARGUMENT, WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. Source:
 * the theorem of the bounds is Salmon and Warren, "Skeletons from the treecode closet", J.
 * Comput. Phys. 111 (1994) 136: the terms of a multipole expansion that are left out are
 * bounded by Legendre's |P_n| <= 1; algorithms/mbp_walk.kernel.h has it in full. */
WEFT_API weft_status weft_mbp(weft_device *device, const weft_points *points,
                              weft_array mass, const weft_mbp_options *options,
                              const weft_halos *halos, weft_array particle,
                              weft_array potential);

/* The potential of every member of every halo, to a relative error that the caller asks
 * for. points, mass, options, halos   as above error       at least 0: each result is
 * within error |phi_i| of the member's phi_i; 0: each is phi_i as defined, to the last bit
 *   potential   [members] f64, in the order of halos.member; none of the inputs
 * The bound is proven, as that of weft_mbp: bounds come from a tree, which is walked more
 * and more finely by the members whose bounds are not close enough; those that no walk
 * brings there are evaluated as defined. Cost: for errors of 1e-3 and more about n log n of
 * a halo's length n; the closer, the nearer to the square of the length, which it is (in
 * f64) below 4e-5, where f32 ends. Scratch as weft_mbp. Repeats: bit for bit with error 0,
 * else for a backend; device and number of threads may choose other walks within the
 * bound. Errors: WEFT_E_ARGUMENT, WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_potential(weft_device *device, const weft_points *points,
                                    weft_array mass, const weft_mbp_options *options,
                                    const weft_halos *halos, f64 error,
                                    weft_array potential);

#ifdef __cplusplus
}
#endif
#endif
