/* Steps 6 and 7: candidates are unbound together, round by round, each from the round on in
 * which all inside of it have ended. */
#include "unbind.h"
#include "algorithms/tuning.h"
#include "weft/listener.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_KERNEL(unbind_look, (in, u32, inside), (in, u32, size), (shared, u32, told, 0))
WEFT_BUNDLE(unbind_doubts, (value, i64, least), (in, i64, offset, 0), (in, u32, which, 0),
            (in, u32, before, 0), (in, u32, of, 0), (in, f64, energy, 0))
WEFT_KERNEL(unbind_rank, (bundle, unbind_doubts, d), (inout, u32, fate, 0),
            (inout, u32, leave, 0), (inout, u32, who, 0), (inout, u32, gone, 0))
WEFT_GENERATOR(unbind_sort_key, f64, (in, f64, energy))
WEFT_GENERATOR(unbind_begin_of, i64, (in, i64, offset), (in, u32, before, 0))
WEFT_KERNEL(unbind_judge, (bundle, unbind_doubts, d), (in, f64, key, 0), (out, u32, fate),
            (out, u32, leave))
WEFT_KERNEL(unbind_leave, (bundle, unbind_doubts, d), (in, u32, who), (in, u32, fate, 0),
            (in, u32, leave, 0), (inout, u32, gone, 0))

/* What becomes of candidates, and who leaves. */
static void judge(weft_device *device, const unbinding *r, const unbind_doubts_arrays *d,
                  const energies_leavers_arrays *to) {
    const i64 candidates = r->candidates, count = d->which.length;
    const i64 most = count < r->longest ? count : r->longest;
    if (count * most <= tuning_of(device)->subhalos_pairs) {
        weft_for_each(device, count, unbind_rank, .d = *d, .fate = to->fate,
                      .leave = to->leave, .who = to->who, .gone = to->gone);
        return;
    }
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_F64, count);
    const weft_array begin = weft_scratch(device, WEFT_I64, candidates + 1);
    weft_transform(device, count, key, unbind_sort_key, .energy = d->energy);
    weft_transform(device, candidates + 1, begin, unbind_begin_of, .offset = d->offset,
                   .before = d->before);
    weft_copy(device, d->which, to->who);
    weft_sort_segments(device, key, to->who, begin, WEFT_DESCENDING);
    weft_for_each(device, candidates, unbind_judge, .d = *d, .key = key, .fate = to->fate,
                  .leave = to->leave);
    weft_for_each(device, count, unbind_leave, .d = *d, .who = to->who, .fate = to->fate,
                  .leave = to->leave, .gone = to->gone);
    weft_scope_close(device);
}

/* The half of the unbound members of each candidate that goes on leave. */
static void let_go(weft_device *device, const unbind_plan *plan, unbinding *r,
                   const subhalos_who *who) {
    const subhalos_task *task = plan->task;
    const weft_halos some = unbind_halos(device, r);
    if (!r->is_bounded)
        subhalos_depths(device, task, &some, r->longest, r->depth);
    const subhalos_doubts doubts = subhalos_doubt(device, task, &some, who, r->depth);
    if (doubts.count == 0)
        return;
    const unbind_doubts_arrays d = {task->o.least, some.offset, doubts.which,
                                    doubts.before, who->of,     doubts.energy};
    const energies_leavers_arrays leaving = {
        .offset = some.offset,
        .before = doubts.before,
        .of = who->of,
        .fate = who->fate,
        .gone = who->gone,
        .leave = weft_scratch(device, WEFT_U32, r->candidates),
        .who = weft_scratch(device, WEFT_U32, doubts.count)};
    judge(device, r, &d, &leaving);
    subhalos_loosen(device, task, &some, &doubts.slots, &leaving, r->depth,
                    weft_slice(device, plan->told, UNBIND_IS_BOUNDED, 1));
}

/* Measures the candidates, and leaves those that go on in `next`. */
static unbind_told step(weft_device *device, const unbind_plan *plan, unbinding *r,
                        unbinding *next) {
    weft_scope_open(device);
    const int keeps = plan->task->o.keep_unbound != 0;
    subhalos_who who = {.of = r->of};
    if (keeps) {
        who.fate = points_filled(device, r->candidates, UNBIND_HOLDS);
    } else {
        who.gone = weft_scratch(device, WEFT_U32, r->members);
        who.fate = weft_scratch(device, WEFT_U32, r->candidates);
        let_go(device, plan, r, &who);
    }
    const unbind_told told = unbind_carry(device, plan, r, who.fate, who.gone, next);
    next->longest = told.number[UNBIND_LONGEST];
    next->is_bounded = told.number[UNBIND_IS_BOUNDED] != 0;
    weft_scope_close(device);
    return told;
}

/* How many are ready before any has begun. */
static unbind_told look(weft_device *device, const unbind_plan *plan) {
    const subhalos_candidates *c = plan->among;
    unbind_told told = {{0}};
    weft_fill(device, plan->told, &(u32){0});
    weft_for_each(device, c->count, unbind_look, .inside = c->inside, .size = c->size,
                  .told = plan->told);
    weft_read(device, plan->told, told.number);
    return told;
}

void subhalos_unbind(weft_device *device, const subhalos_task *task,
                     const subhalos_candidates *candidates, const subhalos_settled *to) {
    weft_task_begin(device, "subhalos_unbind");
    weft_scope_open(device);
    const unbind_plan plan = {task, candidates, to,
                              weft_scratch(device, WEFT_U32, UNBIND_TOLD)};
    const i64 count = candidates->count, members = task->halos.members;
    unbinding now = unbind_room(device, count, members);
    unbinding next = unbind_room(device, count, members);
    unbind_told told = look(device, &plan);
    u32 begun = 0, size = 0;
    while ((told.number[UNBIND_READY] != begun || now.candidates > 0) &&
           weft_check(device) == WEFT_OK) {
        const u32 ready = told.number[UNBIND_READY], sizes = told.number[UNBIND_SIZE];
        if (ready != begun)
            told = unbind_start(device, &plan, ready - begun, sizes - size, &now);
        begun = ready;
        size = sizes;
        weft_task_until(device, (f64)begun / (f64)count);
        if (now.candidates > 0) {
            next.candidates = next.members = 0;
            told = step(device, &plan, &now, &next);
            const unbinding old = now;
            now = next;
            next = old;
        }
    }
    weft_scope_close(device);
    weft_task_end(device);
}
