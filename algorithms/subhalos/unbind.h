/* Candidates on their way through steps 6 and 7. */
#ifndef WEFT_ALGORITHMS_UNBIND_H
#define WEFT_ALGORITHMS_UNBIND_H

#include "subhalos.h"

/* What all rounds are told. */
typedef struct unbind_plan {
    const subhalos_task *task;
    const subhalos_candidates *among;
    const subhalos_settled *to;
} unbind_plan;

/* Candidates that are unbound together, and the members that they still have. */
typedef struct unbinding {
    i64 candidates, members;
    int is_bounded;        /* whether depths are there */
    weft_array who;        /* [candidates] u32, among all candidates */
    weft_array offset;     /* [candidates + 1] i64 */
    weft_array of, member; /* [members] u32: the candidate here; the member, among all */
    weft_array depth;      /* [members] f64: what |phi| is at least */
} unbinding;

/* New scratch for so many candidates and members, of which there are none yet. */
unbinding unbind_room(weft_device *device, i64 candidates, i64 members);

/* The arrays as long as they are used, of those as long as they were made. */
void unbind_trim(weft_device *device, const unbinding *room, unbinding *r);

/* Leaves the candidates that are on, and their members that are not gone; the others have
 * ended. */
void unbind_keep(weft_device *device, const unbind_plan *plan, unbinding *r, weft_array on,
                 weft_array gone);

/* The members of candidates as halos. Scratch. */
weft_halos unbind_halos(weft_device *device, const subhalos_task *task, const unbinding *r);

/* Adds the candidates that can begin to `r`, whose arrays are those of `room`. Returns how
 * many these were. */
i64 unbind_start(weft_device *device, const unbind_plan *plan, const unbinding *room,
                 unbinding *r);

#endif
