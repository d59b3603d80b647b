/* Steps from halos to subhalos. All arrays are scratch of the scope that is open. */
#ifndef WEFT_ALGORITHMS_SUBHALOS_H
#define WEFT_ALGORITHMS_SUBHALOS_H

#include "algorithms/mbp/slots/mbp_slots.h"
#include "algorithms/points/points.h"
#include "algorithms/pyramid/lengths.h"
#include "energies.kernel.h"
#include "weft/subhalos.h"

/* What all steps are told: checked arguments, options without zeros that stand for others,
 * and those of the halos that are looked into. */
typedef struct subhalos_task {
    const char *call;
    const weft_bodies *bodies;
    points_words words, flow; /* places and velocities */
    weft_subhalos_options o;
    weft_halos halos;
} subhalos_task;

/* Members by (halo, density): `member` has their numbers among the members of all halos,
 * and `peak` the place in this order of the peak of each. */
typedef struct subhalos_basins {
    weft_array member, peak; /* [members] u32 */
} subhalos_basins;

/* Saddles by (halo, level): `level` and the two peaks are places in that order. */
typedef struct subhalos_saddles {
    i64 count;
    weft_array level, pair; /* [count] u32, u64: denser peak << 32 | other peak */
} subhalos_saddles;

/* Candidates by (halo, peak). Of the members in `order`, number m of all, those of
 * candidate c are [begin[c], begin[c] + size[c]), and so are those of all candidates inside
 * it. */
typedef struct subhalos_candidates {
    i64 count;
    weft_array order;             /* [members] u32 */
    weft_array halo, begin, size; /* [count] u32 */
    weft_array around;            /* [count] u32: a candidate, 2^32 - 1: none */
    weft_array inside;            /* [count] u32: how many are right inside of it */
    weft_array peak;              /* [count] u32: a member, among those of all */
} subhalos_candidates;

/* Steps 1 to 3, 4, and 5. */
subhalos_basins subhalos_find_basins(weft_device *device, const subhalos_task *task,
                                     weft_array neighbour, weft_array rank);
subhalos_saddles subhalos_find_saddles(weft_device *device, const subhalos_task *task,
                                       const subhalos_basins *basins, weft_array neighbour,
                                       weft_array rank);
void subhalos_meet(weft_device *device, const subhalos_task *task,
                   const subhalos_basins *basins, const subhalos_saddles *saddles,
                   subhalos_candidates *c);

/* Room for as many candidates as there can be, of which it has none yet. */
subhalos_candidates subhalos_room(weft_device *device, const subhalos_task *task);

/* Steps 1 to 7, of all halos batch by batch; and of those of one batch, all at once. `out`
 * is empty but for `first`. */
void subhalos_find_all(weft_device *device, const subhalos_task *task, weft_subhalos *out);
void subhalos_find_together(weft_device *device, const subhalos_task *task,
                            weft_subhalos *out);

/* New arrays, of n subhalos with so many members. */
void subhalos_make_room(weft_device *device, const subhalos_task *task, i64 n, i64 members,
                        weft_subhalos *out);

/* What steps 6 and 7 find. An energy of infinite spread is not known. */
typedef struct subhalos_settled {
    weft_array held;   /* [members] u32: the candidate that holds each; 2^32 - 1: none */
    weft_array energy; /* [members] f64: of those that are held, off by up to */
    weft_array spread; /* [candidates] f64 */
} subhalos_settled;

/* Steps 6 and 7. `inside` of the candidates is lost. */
void subhalos_unbind(weft_device *device, const subhalos_task *task,
                     const subhalos_candidates *candidates, const subhalos_settled *to);

/* Some candidates, and the members that they may hold, by ascending number in each. */
typedef struct subhalos_groups {
    i64 count;
    weft_array offset;           /* [count + 1] i64 */
    weft_array who;              /* [count] u32, among all candidates */
    weft_array member, particle; /* u32: among all members; in the input */
} subhalos_groups;

/* On devices with vectors: unbinds those that are certain without an energy as defined.
 * open [count] u32 is 0 of these and 1 of the others. */
void subhalos_settle(weft_device *device, const subhalos_task *task,
                     const subhalos_groups *groups, const subhalos_settled *to,
                     weft_array open);

/* The energies of the members of some groups, none of them empty; `of` [members] u32 is the
 * group of each. */
void subhalos_energies(weft_device *device, const subhalos_task *task,
                       const weft_halos *some, weft_array of, weft_array energy);

/* What energies are of: members' squared velocities, halved, and members in slots. */
typedef struct subhalos_measured {
    weft_array kinetic; /* [members] f64 */
    mbp_slots slots;
} subhalos_measured;
subhalos_measured subhalos_measure(weft_device *device, const subhalos_task *task,
                                   const weft_halos *some, weft_array of);

/* The energies of those in which [n] u32, ascending, alone: energy [n] f64. */
void subhalos_energies_of(weft_device *device, const subhalos_task *task,
                          const weft_halos *some, weft_array of, const subhalos_measured *m,
                          weft_array which, weft_array energy);

/* Energies, which are off by up to spread [groups] f64. */
void subhalos_energies_near(weft_device *device, const subhalos_task *task,
                            const subhalos_measured *m, weft_array energy,
                            weft_array spread);

/* member [members] u32: those of `some` by ascending (energy, place) in each group, whose
 * energies are off by up to spread [groups] f64; both change on GPUs. */
void subhalos_rank(weft_device *device, const subhalos_task *task, const weft_halos *some,
                   weft_array of, weft_array spread, weft_array energy, weft_array member);

/* What |phi| of each member is at least: depth [members] f64; no group has more than
 * `longest` members. */
void subhalos_depths(weft_device *device, const subhalos_task *task, const weft_halos *some,
                     i64 longest, weft_array depth);

/* Members of groups: of which each is, and who is gone; and what becomes of groups, as
 * unbind.kernel.h has it. */
typedef struct subhalos_who {
    weft_array of, gone; /* [members] u32 */
    weft_array fate;     /* [groups] u32 */
} subhalos_who;

/* Members that may be unbound for all that their depths tell, by ascending number. */
typedef struct subhalos_doubts {
    i64 count;
    weft_array which;  /* [count] u32 */
    weft_array energy; /* [count] f64: as defined */
    weft_array before; /* [members + 1] u32: how many of them come before each member */
    mbp_slots slots;   /* members in slots, where there are any */
} subhalos_doubts;

/* Finds them; depths that do not tell become what they are. Nobody is gone yet, and groups
 * without such members hold what they have. */
subhalos_doubts subhalos_doubt(weft_device *device, const subhalos_task *task,
                               const weft_halos *some, const subhalos_who *who,
                               weft_array depth);

/* Offsets [groups + 1], before [members + 1], of and gone [members], fate and leave
 * [groups]. */
WEFT_BUNDLE(energies_leavers, (in, i64, offset, 0), (in, u32, before, 0), (in, u32, of, 0),
            (in, u32, fate, 0), (in, u32, gone, 0), (in, u32, leave, 0), (in, u32, who, 0))

/* Depths without those that leave, of members in slots. is_bounded [1] u32 becomes 0, and
 * nothing else is done, where to find them anew is less work. */
void subhalos_loosen(weft_device *device, const subhalos_task *task, const weft_halos *some,
                     const mbp_slots *slots, const energies_leavers_arrays *leaving,
                     weft_array depth, weft_array is_bounded);

/* offset [n + 1] i64: how many of numbers that ascend are below 0, 1, ..., n. */
void subhalos_offsets(weft_device *device, weft_array sorted, weft_array offset);

#endif
