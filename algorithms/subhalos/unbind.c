/* Steps 6 and 7: candidates are unbound together, round by round, each from the round on in
 * which all inside of it have ended. */
#include "unbind.h"
#include "unbind.kernel.h"
#include "weft/each.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_GENERATOR(unbind_is_unbound, u32, (in, f64, energy))
WEFT_KERNEL(unbind_judge, (value, i64, least), (in, i64, offset, n + 1), (in, u32, unbound),
            (out, u32, holds), (out, u32, on), (out, u32, leave), (out, i64, sorted))
WEFT_KERNEL(unbind_hold, (in, u32, who, 0), (in, u32, holds, 0), (in, u32, of),
            (in, u32, member), (inout, u32, held, 0), (out, u32, gone))
WEFT_GENERATOR(unbind_may_leave, u32, (in, u32, on, 0), (in, u32, of), (in, f64, energy))
WEFT_KERNEL(unbind_leave, (in, u32, unbound), (in, u32, of, 0), (in, i64, begin, 0),
            (in, u32, leave, 0), (inout, u32, gone, 0))

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

/* The half of the unbound members of each candidate that goes on leave. */
static void let_go(weft_device *device, const subhalos_task *task, const weft_halos *some,
                   const mbp_slots *slots, unbinding *r, weft_array on, weft_array leave,
                   weft_array sorted, weft_array energy, weft_array gone) {
    weft_scope_open(device);
    const weft_array unbound =
        points_listed(device, weft_lazy(r->members, unbind_may_leave, .on = on, .of = r->of,
                                        .energy = energy));
    const i64 count = unbound.length;
    const weft_array key = weft_scratch(device, WEFT_F64, count);
    const weft_array begins = weft_scratch(device, WEFT_I64, r->candidates + 1);
    weft_gather(device, energy, unbound, key);
    weft_scan(device, sorted, weft_plus(WEFT_I64), WEFT_EXCLUSIVE, begins);
    weft_write(device, weft_slice(device, begins, r->candidates, 1), &count);
    weft_sort_segments(device, key, unbound, begins, WEFT_DESCENDING);
    weft_for_each(device, count, unbind_leave, .unbound = unbound, .of = r->of,
                  .begin = begins, .leave = leave, .gone = gone);
    const subhalos_leavers leaving = {.of = r->of,
                                      .gone = gone,
                                      .on = on,
                                      .leave = leave,
                                      .begin = begins,
                                      .who = unbound};
    r->is_bounded =
        count > 0 && subhalos_loosen(device, task, some, slots, &leaving, r->depth);
    weft_scope_close(device);
}

static mbp_slots find_energies(weft_device *device, const subhalos_task *task,
                               const weft_halos *some, const unbinding *r,
                               weft_array energy) {
    if (task->o.keep_unbound) {
        weft_fill(device, energy, &(f64){-1});
        return (mbp_slots){0};
    }
    if (!r->is_bounded)
        subhalos_depths(device, task, some, r->depth);
    return subhalos_unbound_energies(device, task, some, r->of, r->depth, energy);
}

/* Measures the candidates, and leaves those that go on. */
static void step(weft_device *device, const unbind_plan *plan, unbinding *r) {
    const subhalos_task *task = plan->task;
    const i64 n = r->candidates;
    weft_scope_open(device);
    const weft_array energy = weft_scratch(device, WEFT_F64, r->members);
    const weft_array gone = numbers(device, r->members);
    const weft_array unbound = numbers(device, n), holds = numbers(device, n);
    const weft_array on = numbers(device, n), leave = numbers(device, n);
    const weft_array sorted = weft_scratch(device, WEFT_I64, n);
    const weft_halos some = unbind_halos(device, task, r);
    const mbp_slots slots = find_energies(device, task, &some, r, energy);
    weft_reduce_segments(device, weft_lazy(r->members, unbind_is_unbound, .energy = energy),
                         r->offset, weft_plus(WEFT_U32), unbound);
    weft_for_each(device, n, unbind_judge, .least = task->o.least, .offset = r->offset,
                  .unbound = unbound, .holds = holds, .on = on, .leave = leave,
                  .sorted = sorted);
    weft_for_each(device, r->members, unbind_hold, .who = r->who, .holds = holds,
                  .of = r->of, .member = r->member, .held = plan->to->held, .gone = gone);
    let_go(device, task, &some, &slots, r, on, leave, sorted, energy, gone);
    unbind_keep(device, plan, r, on, gone);
    weft_scope_close(device);
}

void subhalos_unbind(weft_device *device, const subhalos_task *task,
                     const subhalos_candidates *candidates, const subhalos_settled *to) {
    const unbind_plan plan = {task, candidates, to};
    i64 begun = 0;
    weft_task_begin(device, "subhalos_unbind");
    weft_scope_open(device);
    const unbinding room = unbind_room(device, candidates->count, task->halos.members);
    unbinding r = room;
    while ((begun < candidates->count || r.candidates > 0) &&
           weft_check(device) == WEFT_OK) {
        begun += unbind_start(device, &plan, &room, &r);
        weft_task_until(device, (f64)begun / (f64)candidates->count);
        if (r.candidates > 0)
            step(device, &plan, &r);
    }
    weft_scope_close(device);
    weft_task_end(device);
}
