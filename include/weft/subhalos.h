/* Subhalos: bound clumps within halos, with a definition that a brute force can check. */
#ifndef WEFT_SUBHALOS_H
#define WEFT_SUBHALOS_H

#include "bodies.h"
#include "halos.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The definition, for each halo with at least `least_halo` members:
 *   1. The key of a member is its squared distance to its density_neighbours-th nearest
 *      member, as weft_neighbours has it; to the last where there are fewer. Of two members
 *      the one with the smaller key is denser, of equal keys the one with the smaller id.
 *   2. Two members are joined if one is among the link_neighbours nearest of the other.
 *   3. Each member points to the densest of itself and those that it is joined with. Who
 *      points to itself is a peak; where the way from a member ends is its peak.
 *   4. Members of two peaks that are joined make a saddle of these, whose level is the less
 *      dense of the two members. Each pair of peaks keeps its densest saddle. Where nothing
 *      joins two parts of a halo, they meet after all members: the part of the densest
 *      member with the others, which are taken by their densest members.
 *   5. Saddles are taken by level, those of one level by their denser peak, then by the
 *      other. Two branches meet there, and each has those of its members that are denser
 *      than the level. The larger goes on under the name of the peak that it began with; of
 *      two equal ones, the one whose name is the denser peak. The other is a candidate with
 *      these members if they are at least `least`. What goes on to the end is the main
 *      candidate, with all members.
 *   6. Candidates are unbound, those inside before those around. One has its members that
 *      are in no subhalo inside it. With <x> and <v> their center of mass and velocity as
 *      weft_halos_measure has them, and phi their potential as weft_mbp defines it, a
 *      member has the energy
 *        E = 1/2 ((wx wx + wy wy) + wz wz) + gravity phi,
 *        w = (v - <v>) + hubble (x - <x>),
 *      in f64, with no operation fused, x - <x> the shorter way across periodic axes. Of
 *      those with E >= 0 the half (rounded up) with the largest E leaves, of equal ones
 *      those with smaller ids first; and all is measured again, until there are none, which
 *      makes the candidate a subhalo, or fewer than `least` are left, which does not.
 *   7. Who has left is among the members of the candidate around.
 * A subhalo's parent is the subhalo of the nearest candidate around it that became one. */
typedef struct weft_subhalos_options {
    int64_t least_halo;         /* members of a halo that is looked into; 0: 50 */
    int64_t least;              /* members of a subhalo; 0: 20 */
    int64_t density_neighbours; /* 1 to 64; 0: 20 */
    int64_t link_neighbours;    /* 1 to 64; 0: 10 */
    double softening;           /* Plummer's, at least 0, in the unit of the positions */
    double gravity; /* G, at least 0: mass * gravity / length is a velocity^2, in the units
                       of the input. Of comoving lengths: G / a */
    double hubble;  /* H, at least 0: length * hubble is a velocity. Of comoving lengths:
                       a H */
    int64_t keep_unbound; /* 1: candidates are subhalos as they are: all of E is 0, and
                             neither velocities nor the three numbers above are used */
    int64_t order_only; /* 1: `energy` of what is found has no elements, and members are in
                           their order all the same: most energies need only be known
                           nearly, which takes a fraction of the time */
    int64_t batch; /* members of halos that are worked on at a time, which scratch is for;
                      a larger halo is alone. Changes no result. 0: 2^18, on a WEFT_SIMT
                      device 2^24 */
    uint64_t reserved[5];
} weft_subhalos_options;

/* Subhalos, halo by halo: in each by depth, so that the main one, where it was bound, is
 * the first, then by descending number of members, ties by the denser peak. Their members
 * are those of `halos`, and each is in at most one. */
typedef struct weft_subhalos {
    int64_t count, members;
    weft_array first;  /* [halos + 1] i64: where the subhalos of each halo begin */
    weft_array halo;   /* [count] u32: the halo that it is in */
    weft_array parent; /* [count] u32: a subhalo; 2^32 - 1: none */
    weft_array depth;  /* [count] u32: parents above it */
    weft_array main;   /* [count] u8: 1 for the main one of its halo */
    weft_array peak;   /* [count] u32: the input index of the peak of its name */
    weft_array offset; /* [count + 1] i64: where the members of each begin */
    weft_array member; /* [members] u32: input indices, by ascending (E, id) in each: the
                          first is the most bound */
    weft_array energy; /* [members] f64: E; with order_only [0] */
    weft_array reserved[8];
} weft_subhalos;

/* Finds the subhalos of all halos.
 *   bodies    those that the halos were found among, with velocities
 *   options   needed: it has gravity
 *   halos     of weft_halos_group
 *   out       new arrays, for weft_subhalos_free; empty after an error
 * Cost: that of weft_neighbours; a sort of the members and of what joins members of two
 * peaks; half of all pairs of each candidate, in vectors, and as many again as its members
 * times those that leave; without order_only, or where energies lie closer than these tell,
 * all pairs of what is left, with division and root. Candidates of more than 32,768
 * members, and all on a WEFT_SIMT device, are bounded by a tree instead. Saddles of a halo
 * are the work of one work-item. Scratch of some 350 bytes per member of a batch.
 * Repeats: bit for bit on every backend.
 * Errors: WEFT_E_ARGUMENT, naming the option or the particle, WEFT_E_TYPE, WEFT_E_SHAPE,
 * WEFT_E_MEMORY.
 * Source: docs/subhalos.md. Saddles in the order of their densities are those of Springel,
 * White, Tormen and Kauffmann 2001 (MNRAS 328, 726), who take particles in that order;
 * peaks and pairs of them those of Eisenstein and Hut 1998 (ApJ 498, 137). */
WEFT_API weft_status weft_subhalos_find(weft_device *device, const weft_bodies *bodies,
                                        const weft_subhalos_options *options,
                                        const weft_halos *halos, weft_subhalos *out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_subhalos_free(weft_device *device, weft_subhalos *subhalos);

/* A row a subhalo, f64. Vectors are x, y, z of each in turn. M_k is the mass of the k
 * members nearest to the most bound one, r_k their distance from it, across periodic axes
 * the shorter way; those at one distance by E. Sums run in that order, of each 256 members
 * and then of these. */
typedef struct weft_subhalo_properties {
    weft_array mass; /* [n], and as weft_halos_measure has them, of the members in */
    weft_array center_of_mass; /* [3 n]   their order: wrapped into the box, */
    weft_array velocity;       /* [3 n] */
    weft_array dispersion;     /* [n] */
    weft_array radius_max;     /* [n] R, the largest r_k */
    weft_array vmax; /* [n] the largest sqrt(gravity M_k / max(r_k, softening)) where that
                        is not divided by 0, */
    weft_array rmax; /* [n]   and the first r_k where it is */
    weft_array half_mass_radius; /* [n] the smallest r_k with M_k >= mass / 2 */
    weft_array angular_momentum; /* [3 n] J = sum m x cross (v - velocity), x from the most
                                    bound member; a Hubble flow adds nothing to it */
    weft_array
        spin; /* [n] |J| / (sqrt(2) mass V R), V^2 = gravity mass / R; 0 where R is */
    weft_array reserved[8];
} weft_subhalo_properties;

/* Measures all subhalos.
 *   bodies, options   those that weft_subhalos_find had; of the options gravity and
 *                     softening are used
 *   out               new arrays, for weft_subhalo_properties_free; {0} after an error
 * Cost: a sort of the members, and two passes over them, 256 a work-item. Scratch of some
 * 50 bytes per member.
 * Repeats: bit for bit on every backend.
 * Errors: WEFT_E_ARGUMENT, WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Bullock et al. 2001 (ApJ 555, 240) for the spin. */
WEFT_API weft_status weft_subhalos_measure(weft_device *device, const weft_bodies *bodies,
                                           const weft_subhalos_options *options,
                                           const weft_subhalos *subhalos,
                                           weft_subhalo_properties *out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_subhalo_properties_free(weft_device *device,
                                           weft_subhalo_properties *properties);

#ifdef __cplusplus
}
#endif
#endif
