/* The most bound particle of each halo: the member with the smallest potential. */
#ifndef WEFT_MBP_H
#define WEFT_MBP_H

#include "bodies.h"
#include "halos.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The definition of the potential:
 *   phi_i = - sum over the other members j of m_j / sqrt(r_ij^2 + softening^2)
 * within one halo, unwrapped from its first member: each member lies at
 * u = remainder(x - x_first, box), on axes with box 0 at x - x_first, rounded to f64 once.
 * In f64, with each operation rounded to nearest and none fused:
 *   - r_ij^2 = (dx dx + dy dy) + dz dz with dx = u_j - u_i; softening^2 is rounded once;
 *   - a pair with r_ij^2 + softening^2 = 0 adds nothing;
 *   - members are added in their order, in blocks of 256; then sums of neighbouring blocks
 *     are added in pairs, and the results again, an odd one being passed on as it is.
 * So equal potentials are exactly equal; then the smallest id wins. */
typedef struct weft_mbp_options {
    double softening;  /* Plummer's, at least 0, in the unit of the positions */
    int64_t all_pairs; /* 1: bounds from all pairs instead of a tree; the same result */
    uint64_t reserved[6];
} weft_mbp_options;

/* Finds the member with the smallest phi_i of every halo.
 *   bodies      those that the halos were found among; velocities are not used
 *   options     NULL: all 0
 *   halos       of weft_halos_group: members of each ascend by id
 *   particle    [halos] u32: its input index; 2^32 - 1 of a halo without members
 *   potential   [halos] f64: phi_i, in units of mass and length of the input; 0 without
 * The particle is exactly that of the definition, on every device. Potentials are bounded
 * from both sides, rounding included; members whose lower bound is above the smallest upper
 * bound of their halo are discarded; phi_i of the rest is evaluated as defined. The bounds
 * come from a tree over each halo and are tightened until few members are left, or from all
 * pairs in f32.
 * Cost: about n log n for a halo of n members, with all_pairs n^2; and n in f64 for each
 * member that is not discarded, usually a few per halo. Many members that bounds in f32 do
 * not tell apart, closer to others than a few millionths of the halo's size or with
 * potentials that differ by less than one in 10^5, are bounded in f64, but not with
 * all_pairs; of those at one place, without softening, one is evaluated. Of halos whose
 * squares leave the range of f64 all are.
 * Scratch of some 100 bytes per member, 160 where bounds are in f64, and of 32 MiB, or
 * 1/4 MiB for each compute unit of a WEFT_SIMT device where that is more; with all_pairs of
 * 1 MiB for each.
 * Repeats: bit for bit on every backend.
 * Errors: WEFT_E_ARGUMENT (an option; a member that is no particle, or whose coordinates
 * are not finite or whose mass is not above 0 and finite, naming it), WEFT_E_TYPE,
 * WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: the theorem for the bounds is in Salmon and Warren, "Skeletons from the treecode
 * closet", J. Comput. Phys. 111 (1994) 136: |P_n| <= 1 for Legendre polynomials bounds the
 * omitted terms of a multipole expansion. algorithms/mbp/bounds/mbp_tree64.kernel.h has it
 * in full.
 */
WEFT_API weft_status weft_mbp(weft_device *device, const weft_bodies *bodies,
                              const weft_mbp_options *options, const weft_halos *halos,
                              weft_array particle, weft_array potential);

/* The same, found together by several devices that have the same halos: call number `share`
 * of `shares`, from 0 on, looks among its share of the members (among all of halos that are
 * bounded from all pairs), and may find another particle, or none. The best of what all
 * calls find is the most bound one. */
WEFT_API weft_status weft_mbp_share(weft_device *device, const weft_bodies *bodies,
                                    const weft_mbp_options *options,
                                    const weft_halos *halos, int64_t share, int64_t shares,
                                    weft_array particle, weft_array potential);

/* The potential of every member of every halo, within a given relative error.
 *   bodies, options, halos   as above
 *   error       at least 0: each result is within error |phi_i| of the member's phi_i;
 *               0: each result is phi_i as defined, to the last bit
 *   potential   [members] f64, in the order of halos.member; not one of the inputs
 * The error is bounded as in weft_mbp. Members whose bounds are too far apart walk the tree
 * again, opening more nodes; those for which no walk is enough are evaluated as defined.
 * Cost: for errors of 1e-3 and more about n log n for a halo of n members; smaller errors
 * approach n^2, which is the cost (in f64) below 4e-5, the limit of f32. Scratch: as
 * weft_mbp.
 * Repeats: bit for bit with error 0, else on one device, with any number of threads.
 * Errors: as weft_mbp. */
WEFT_API weft_status weft_potential(weft_device *device, const weft_bodies *bodies,
                                    const weft_mbp_options *options,
                                    const weft_halos *halos, double error,
                                    weft_array potential);

/* For those who doubt the bounds, or work on them: evaluates the potentials of all members
 * as defined, and compares them with the bounds that weft_mbp discards members by and, for
 * an error above 0, with those of weft_potential.
 *   bodies, options, halos, error   as above
 * Cost: n^2 in f64 for a halo of n members. Scratch: as weft_mbp.
 * Errors: as weft_mbp; WEFT_E_CHECK, naming a particle whose potential is outside its
 * bounds. */
WEFT_API weft_status weft_mbp_verify(weft_device *device, const weft_bodies *bodies,
                                     const weft_mbp_options *options,
                                     const weft_halos *halos, double error);

#ifdef __cplusplus
}
#endif
#endif
