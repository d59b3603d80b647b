/* Members of halos in rows of slots, as all finders of the most bound particle read them.
 */
#ifndef WEFT_ALGORITHMS_MBP_SLOTS_H
#define WEFT_ALGORITHMS_MBP_SLOTS_H

#include "mbp_slots.kernel.h"
#include "algorithms/points/points.h"
#include "weft/mbp.h"
#include "weft/register.h"

WEFT_BUNDLE(mbp_halos, (value, f64, softening), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0))
WEFT_BUNDLE(mbp_bodies, (in, f64, x, 0), (in, f64, y, 0), (in, f64, z, 0),
            (in, f64, mass, 0))

/* Scratch of the scope that mbp_prepare was called in. */
typedef struct mbp_slots {
    i64 halos, members, rows, count; /* count: of slots, MBP_ROW a row */
    mbp_halos_arrays of;  /* offset [halos + 1], row_halo [rows], others [halos] */
    mbp_bodies_arrays at; /* [slots] each */
} mbp_slots;

/* What all steps are told. */
typedef struct mbp_rule {
    const char *call; /* for errors */
    const weft_bodies *bodies;
    f64 softening;
    int all_pairs;
    int some;          /* those whose upper bounds are below 0 are never the most bound */
    int deep;          /* how deep each halo is at least is known */
    i32 share, shares; /* 0: the only one */
    int verify;        /* all potentials are checked to be within their bounds */
} mbp_rule;

/* Checks the rule; the places of its particles. */
points_words mbp_check(weft_device *device, const mbp_rule *rule);

/* Checks the rule, and puts the members into slots; no halos where there are none or there
 * is an error. */
mbp_slots mbp_prepare(weft_device *device, const mbp_rule *rule, const weft_halos *halos);

#endif
