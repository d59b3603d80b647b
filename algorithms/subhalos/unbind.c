/* Steps 6 and 7: candidates are unbound together, round by round, each from the round on in
 * which all inside of it have ended. */
#include "unbind.h"
#include "algorithms/tuning.h"
#include "weft/listener.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_KERNEL(unbind_look, (in, u32, inside), (in, u32, size), (shared, u32, told, 0))
WEFT_KERNEL(unbind_judge, (value, i64, candidates), (value, i64, least), (in, i64, offset),
            (in, u32, unbound, 0), (in, u32, before, 0), (inout, u32, fate, 0),
            (inout, u32, leave, 0), (out, i64, begin))
WEFT_BUNDLE(unbind_doubts, (in, u32, which, 0), (in, u32, of, 0), (in, u32, fate, 0),
            (in, u32, leave, 0), (in, f64, energy, 0), (in, i64, begin, 0))
WEFT_KERNEL(unbind_rank, (bundle, unbind_doubts, d), (inout, u32, who, 0),
            (inout, u32, gone, 0))
WEFT_KERNEL(unbind_leave, (in, u32, who), (bundle, unbind_doubts, d), (inout, u32, gone, 0))

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

/* The half of the unbound members of each candidate that goes on leave. Of few each finds
 * its rank by itself. */
static void let_go(weft_device *device, const unbind_doubts_arrays *d, weft_array who,
                   weft_array gone) {
    const i64 count = who.length;
    if (count <= tuning_of(device)->subhalos_few) {
        weft_for_each(device, count, unbind_rank, .d = *d, .who = who, .gone = gone);
        return;
    }
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_F64, count);
    weft_copy(device, d->energy, key);
    weft_copy(device, d->which, who);
    weft_sort_segments(device, key, who, d->begin, WEFT_DESCENDING);
    weft_for_each(device, count, unbind_leave, .who = who, .d = *d, .gone = gone);
    weft_scope_close(device);
}

/* Who is unbound in candidates, what becomes of these, and who leaves. */
static void judge(weft_device *device, const unbind_plan *plan, unbinding *r,
                  const subhalos_who *who, weft_array fate) {
    const subhalos_task *task = plan->task;
    const i64 n = r->candidates;
    const weft_halos some = unbind_halos(device, r);
    if (!r->is_bounded)
        subhalos_depths(device, task, &some, r->members, r->depth);
    const subhalos_doubts doubts = subhalos_doubt(device, task, &some, who, r->depth);
    if (doubts.count == 0) {
        weft_fill(device, fate, &(u32){UNBIND_HOLDS});
        return;
    }
    const weft_array leave = numbers(device, n), first = numbers(device, doubts.count);
    const weft_array begin = weft_scratch(device, WEFT_I64, n + 1);
    weft_for_each(device, n + 1, unbind_judge, .candidates = n, .least = task->o.least,
                  .offset = some.offset, .unbound = who->unbound, .before = doubts.before,
                  .fate = fate, .leave = leave, .begin = begin);
    const unbind_doubts_arrays d = {doubts.which, who->of,       fate,
                                    leave,        doubts.energy, begin};
    let_go(device, &d, first, who->gone);
    const subhalos_leavers leaving = {who->of, who->gone, fate, leave, begin, first};
    subhalos_loosen(device, task, &some, &doubts.slots, &leaving, r->depth,
                    weft_slice(device, plan->told, UNBIND_IS_BOUNDED, 1));
}

/* Measures the candidates, and leaves those that go on in `next`. */
static unbind_told step(weft_device *device, const unbind_plan *plan, unbinding *r,
                        unbinding *next) {
    weft_scope_open(device);
    const weft_array fate = numbers(device, r->candidates);
    const subhalos_who who = {.of = r->of,
                              .gone = numbers(device, r->members),
                              .unbound = numbers(device, r->candidates)};
    const int keeps = plan->task->o.keep_unbound != 0;
    if (keeps)
        weft_fill(device, fate, &(u32){UNBIND_HOLDS});
    else
        judge(device, plan, r, &who, fate);
    const unbind_told told =
        unbind_carry(device, plan, r, fate, keeps ? (weft_array){0} : who.gone, next);
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
