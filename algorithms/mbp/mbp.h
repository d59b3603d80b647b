/* What is exact: potentials as they are defined, and who is the most bound. */
#ifndef WEFT_ALGORITHMS_MBP_H
#define WEFT_ALGORITHMS_MBP_H

#include "algorithms/mbp/bounds/mbp_bounds.h"

/* weft_mbp_share, weft_potential and weft_mbp_verify, of arguments that are there. */
void mbp_find(weft_device *device, const mbp_rule *rule, const weft_halos *halos,
              weft_array particle, weft_array potential);
void mbp_potentials(weft_device *device, const mbp_rule *rule, const weft_halos *halos,
                    f64 error, weft_array potential);

/* What |phi| of each member is at least, as far as bounds to `error` tell: depth [members]
 * f64. No halo has more than `longest` members, which are not checked. */
void mbp_depths(weft_device *device, const mbp_rule *rule, const weft_halos *halos,
                i64 longest, f64 error, weft_array depth);

/* potential [n] f64: phi as defined, of the members in slots survivor [n] i64, ascending.
 */
void mbp_evaluate(weft_device *device, const mbp_slots *slots, weft_array survivor,
                  weft_array potential);

/* The same where it is known that the blocks of number k, mbp_blocks of its halo's members,
 * are those from offset[k] on: [n + 1] i64, `blocks` in all. */
void mbp_evaluate_known(weft_device *device, const mbp_slots *slots, weft_array survivor,
                        weft_array offset, i64 blocks, weft_array potential);

/* Blocks of 256 pairs that this takes. */
i64 mbp_evaluate_count(weft_device *device, const mbp_slots *slots, weft_array survivor);

/* Of survivors, ascending, leaves out many that are not the most bound of their halo as phi
 * is defined, or not the first of them; returns how many are left, and where. */
i64 mbp_leave_crowds(weft_device *device, const mbp_rule *rule, const mbp_slots *slots,
                     weft_array member, weft_array survivor);

/* Narrows the bounds of members, of the rule's share, until few may be the most bound. */
void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, const mbp_rule *rule,
                       mbp_bounds_arrays bounds, weft_array best);

/* Of these the most bound one of each halo; of a halo without any there is none. */
void mbp_decide(weft_device *device, const mbp_rule *rule, const mbp_slots *slots,
                weft_array high, weft_array best, weft_array member, weft_array particle,
                weft_array potential);

/* Fails with WEFT_E_CHECK unless all potentials, evaluated as defined, lie within their
 * bounds.
 *   best     [halos] u32, the bits of what the largest |phi| is at least
 *   member   [members] u32 */
void mbp_verify(weft_device *device, const char *call, const mbp_slots *slots,
                mbp_bounds_arrays bounds, weft_array best, weft_array member);

#endif
