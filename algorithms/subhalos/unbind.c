/* Steps 6 and 7: candidates are unbound together, round by round, each from the round on in
 * which all inside of it have ended. */
#include "unbind.h"
#include "weft/each.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_KERNEL(unbind_look, (in, u32, inside), (in, u32, size), (shared, u32, told, 0))
WEFT_GENERATOR(unbind_is_unbound, u32, (in, f64, energy))
WEFT_KERNEL(unbind_judge, (value, i64, least), (in, i64, offset, n + 1), (in, u32, unbound),
            (out, u32, fate), (out, u32, leave), (out, i64, sorted))
WEFT_GENERATOR(unbind_may_leave, u32, (in, u32, fate, 0), (in, u32, of), (in, f64, energy))
WEFT_KERNEL(unbind_leave, (in, u32, unbound), (in, u32, of, 0), (in, i64, begin, 0),
            (in, u32, leave, 0), (inout, u32, gone, 0))

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

/* The half of the unbound members of each candidate that goes on leave. */
static void let_go(weft_device *device, const subhalos_task *task, const weft_halos *some,
                   const mbp_slots *slots, unbinding *r, weft_array fate, weft_array leave,
                   weft_array sorted, weft_array energy, weft_array gone) {
    weft_scope_open(device);
    const weft_array of = weft_slice(device, r->of, 0, r->members);
    const weft_array unbound =
        points_listed(device, weft_lazy(r->members, unbind_may_leave, .fate = fate,
                                        .of = of, .energy = energy));
    const i64 count = unbound.length;
    const weft_array key = weft_scratch(device, WEFT_F64, count);
    const weft_array begins = weft_scratch(device, WEFT_I64, r->candidates + 1);
    weft_gather(device, energy, unbound, key);
    weft_scan(device, sorted, weft_plus(WEFT_I64), WEFT_EXCLUSIVE, begins);
    weft_write(device, weft_slice(device, begins, r->candidates, 1), &count);
    weft_sort_segments(device, key, unbound, begins, WEFT_DESCENDING);
    weft_for_each(device, count, unbind_leave, .unbound = unbound, .of = of,
                  .begin = begins, .leave = leave, .gone = gone);
    const subhalos_leavers leaving = {.of = of,
                                      .gone = gone,
                                      .fate = fate,
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
static unbind_told step(weft_device *device, const unbind_plan *plan, unbinding *r,
                        unbinding *next) {
    const subhalos_task *task = plan->task;
    const i64 n = r->candidates;
    weft_scope_open(device);
    const weft_array energy = weft_scratch(device, WEFT_F64, r->members);
    const weft_array gone = points_filled(device, r->members, 0);
    const weft_array unbound = numbers(device, n), fate = numbers(device, n);
    const weft_array leave = numbers(device, n), sorted = weft_scratch(device, WEFT_I64, n);
    const weft_halos some = unbind_halos(device, r);
    const mbp_slots slots = find_energies(device, task, &some, r, energy);
    weft_reduce_segments(device, weft_lazy(r->members, unbind_is_unbound, .energy = energy),
                         some.offset, weft_plus(WEFT_U32), unbound);
    weft_for_each(device, n, unbind_judge, .least = task->o.least, .offset = some.offset,
                  .unbound = unbound, .fate = fate, .leave = leave, .sorted = sorted);
    let_go(device, task, &some, &slots, r, fate, leave, sorted, energy, gone);
    const unbind_told told = unbind_carry(device, plan, r, fate, gone, next);
    next->is_bounded = r->is_bounded;
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
