/* Members of halos in rows, for the finders of the most bound particle. */
#ifndef WEFT_ALGORITHMS_MBP_H
#define WEFT_ALGORITHMS_MBP_H

#include "weft/mbp.h"

/* All in the scope that mbp_prepare was called in. */
typedef struct mbp_slots {
    i64 halos, members, rows;    /* 16 slots a row */
    weft_array offset, row_halo; /* [halos + 1] i64; [rows] u32 */
    weft_array x, y, z, mass;    /* [slots] f64 */
    weft_array extent, heaviest; /* [halos] u32: exponents, as mbp_pairs_scale takes them */
} mbp_slots;

/* Checks the arguments of weft_mbp, or of a call like it, and puts the members into slots;
 * no halos where there are none or there is an error. */
mbp_slots mbp_prepare(weft_device *device, const char *call, const weft_points *points,
                      weft_array mass, const weft_mbp_options *options,
                      const weft_halos *halos, weft_array particle, weft_array potential);

/* Of each halo's members the most bound one among those with a flag.
 *   survives   [slots] u32, also lazy; at least one of each halo that has members */
void mbp_decide(weft_device *device, const mbp_slots *slots, f64 softening,
                weft_array survives, weft_array member, weft_array particle,
                weft_array potential);

/* Places and masses in f32, as the bounds are summed: [slots] each. */
typedef struct mbp_rounded {
    weft_array x, y, z, mass;
} mbp_rounded;
mbp_rounded mbp_round(weft_device *device, const mbp_slots *slots, f64 softening);

/* Bounds from all pairs: high [slots] f32, what |phi| is at most; best [halos] u32, the
 * bits of what the halo's largest |phi| is at least; both scaled alike in a halo. */
void mbp_bound_by_pairs(weft_device *device, const mbp_slots *slots, f64 softening,
                        weft_array high, weft_array best);

/* The same from a tree over each halo, narrowed until few members are left. */
void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, f64 softening,
                       weft_array high, weft_array best);

/* potential [n] f64: phi as defined, of the members in slots survivor [n] i64, ascending.
 */
void mbp_evaluate(weft_device *device, const mbp_slots *slots, f64 softening,
                  weft_array survivor, weft_array potential);

#endif
