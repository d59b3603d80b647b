/* Candidates on their way through steps 6 and 7. */
#ifndef WEFT_ALGORITHMS_UNBIND_H
#define WEFT_ALGORITHMS_UNBIND_H

#include "algorithms/subhalos/subhalos.h"
#include "algorithms/subhalos/unbind.kernel.h"
#include "weft/register.h"

/* What all rounds are told. */
typedef struct unbind_plan {
    const subhalos_task *task;
    const subhalos_candidates *among;
    const subhalos_settled *to;
    weft_array told; /* [UNBIND_TOLD] u32, as unbind.kernel.h has it */
} unbind_plan;

/* Candidates that are unbound together, and the members that they still have. Arrays have
 * room for more. */
typedef struct unbinding {
    i64 candidates, members;
    i64 longest;           /* no candidate has more members */
    int is_bounded;        /* whether depths are there */
    weft_array who;        /* [candidates] u32, among all candidates */
    weft_array offset;     /* [candidates + 1] i64 */
    weft_array of, member; /* [members] u32: the candidate here; the member, among all */
    weft_array particle;   /* [members] u32: in the input */
    weft_array depth;      /* [members] f64: what |phi| is at least */
} unbinding;

/* New scratch for so many candidates and members, of which there are none yet. */
unbinding unbind_room(weft_device *device, i64 candidates, i64 members);

/* The numbers that kernels count. */
typedef struct unbind_told {
    u32 number[UNBIND_TOLD];
} unbind_told;

/* Candidates that go on, and their members that are not gone, come behind those of `to`;
 * the other candidates end. `gone` may be {0}: nobody is. One read of the host. */
unbind_told unbind_carry(weft_device *device, const unbind_plan *plan,
                         const unbinding *from, weft_array fate, weft_array gone,
                         unbinding *to);

/* The members of candidates as halos. */
weft_halos unbind_halos(weft_device *device, const unbinding *r);

/* Candidates that are ready, of so many members in all, begin behind those of `r`. */
unbind_told unbind_start(weft_device *device, const unbind_plan *plan, i64 ready, i64 size,
                         unbinding *r);

#endif
