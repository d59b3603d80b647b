/* Steps 6 and 7: candidates of one height are unbound together, round by round. */
#include "subhalos.h"
#include "unbind.kernel.h"
#include "weft/each.h"
#include "weft/expand.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/search.h"
#include "weft/segments.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_GENERATOR(unbind_is_as_high, u32, (value, u32, height), (in, u32, heights))
WEFT_GENERATOR(unbind_key, u64, (in, u32, who, 0), (in, u32, begin, 0), (in, u32, order, 0),
               (in, u32, of), (in, u32, k))
WEFT_GENERATOR(unbind_is_free, u32, (in, u64, key), (in, u32, held, 0))
WEFT_KERNEL(unbind_split, (in, u64, key), (out, u32, of), (out, u32, member))
WEFT_GENERATOR(unbind_suffices, u32, (value, i64, least), (in, i64, offset, n + 1))
WEFT_GENERATOR(unbind_is_unbound, u32, (in, f64, energy))
WEFT_KERNEL(unbind_judge, (value, i64, least), (in, i64, offset, n + 1), (in, u32, unbound),
            (out, u32, holds), (out, u32, on), (out, u32, leave), (out, i64, sorted))
WEFT_KERNEL(unbind_hold, (in, u32, who, 0), (in, u32, holds, 0), (in, u32, of),
            (in, u32, member), (inout, u32, held, 0))
WEFT_GENERATOR(unbind_may_leave, u32, (in, u32, on, 0), (in, u32, of), (in, f64, energy))
WEFT_KERNEL(unbind_leave, (in, u32, unbound), (in, u32, of, 0), (in, i64, begin, 0),
            (in, u32, leave, 0), (inout, u32, gone, 0))
WEFT_GENERATOR(unbind_stays, u32, (in, u32, on, 0), (in, u32, of), (in, u32, gone))
WEFT_KERNEL(unbind_renumber, (in, u32, number, 0), (inout, u32, of))

/* Candidates that are unbound together, and the members that they still have. */
typedef struct unbinding {
    i64 candidates, members;
    int is_bounded;        /* whether depths are there */
    weft_array who;        /* [candidates] u32, among all candidates */
    weft_array offset;     /* [candidates + 1] i64 */
    weft_array of, member; /* [members] u32: the candidate here; the member, among all */
    weft_array depth;      /* [members] f64: what |phi| is at least */
} unbinding;

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

/* The arrays as long as they are used. */
static void trim(weft_device *device, unbinding *r) {
    r->who = weft_slice(device, r->who, 0, r->candidates);
    r->offset = weft_slice(device, r->offset, 0, r->candidates + 1);
    r->of = weft_slice(device, r->of, 0, r->members);
    r->member = weft_slice(device, r->member, 0, r->members);
    r->depth = weft_slice(device, r->depth, 0, r->members);
}

/* Leaves the candidates that are on, and their members that are not gone. */
static void keep(weft_device *device, unbinding *r, weft_array on, weft_array gone) {
    const weft_array all[] = {r->of, r->member, r->depth};
    weft_scope_open(device);
    const weft_array number = numbers(device, r->candidates);
    weft_scan(device, on, weft_plus(WEFT_U32), WEFT_EXCLUSIVE, number);
    weft_copy_if_each(
        device, 3, all,
        weft_lazy(r->members, unbind_stays, .on = on, .of = r->of, .gone = gone), all,
        &r->members);
    weft_copy_if(device, r->who, on, r->who, &r->candidates);
    trim(device, r);
    weft_for_each(device, r->members, unbind_renumber, .number = number, .of = r->of);
    subhalos_offsets(device, r->of, r->offset);
    weft_scope_close(device);
}

/* The free members of candidates, by ascending number in each. */
static void gather(weft_device *device, const subhalos_candidates *c, weft_array held,
                   weft_array size, i64 all, unbinding *r) {
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, all);
    const weft_array of = numbers(device, all), k = numbers(device, all);
    weft_expand_sources(device, size, of, k, NULL);
    weft_transform(device, all, key, unbind_key, .who = r->who, .begin = c->begin,
                   .order = c->order, .of = of, .k = k);
    weft_copy_if(device, key, weft_lazy(all, unbind_is_free, .key = key, .held = held), key,
                 &r->members);
    i32 bits = 32;
    while (bits < 64 && r->candidates > (i64)1 << (bits - 32))
        bits++;
    const weft_array free_ones = weft_slice(device, key, 0, r->members);
    weft_sort_bits(device, free_ones, (weft_array){0}, WEFT_ASCENDING, 0, bits);
    weft_for_each(device, r->members, unbind_split, .key = free_ones, .of = r->of,
                  .member = r->member);
    weft_scope_close(device);
}

/* The candidates of a height that have enough members which are free. */
static unbinding begin(weft_device *device, const subhalos_task *task,
                       const subhalos_candidates *c, weft_array held, u32 height) {
    unbinding r = {
        .who = points_listed(device, weft_lazy(c->count, unbind_is_as_high,
                                               .height = height, .heights = c->height))};
    r.candidates = r.who.length;
    r.offset = weft_scratch(device, WEFT_I64, r.candidates + 1);
    u32 all = 0;
    const weft_array size = numbers(device, r.candidates);
    weft_gather(device, c->size, r.who, size);
    weft_reduce(device, size, weft_plus(WEFT_U32), &all);
    r.of = numbers(device, all);
    r.member = numbers(device, all);
    r.depth = weft_scratch(device, WEFT_F64, all);
    weft_fill(device, r.depth, &(f64){0});
    gather(device, c, held, size, all, &r);
    trim(device, &r);
    subhalos_offsets(device, r.of, r.offset);
    weft_scope_open(device);
    const weft_array on = numbers(device, r.candidates);
    weft_transform(device, r.candidates, on, unbind_suffices, .least = task->o.least,
                   .offset = r.offset);
    keep(device, &r, on, points_filled(device, r.members, 0));
    weft_scope_close(device);
    return r;
}

/* The half of the unbound members of each candidate that goes on leave. */
static void let_go(weft_device *device, const subhalos_task *task, const weft_halos *some,
                   unbinding *r, weft_array on, weft_array leave, weft_array sorted,
                   weft_array energy, weft_array gone) {
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
    r->is_bounded = count > 0 && subhalos_loosen(device, task, some, &leaving, r->depth);
    weft_scope_close(device);
}

static void find_energies(weft_device *device, const subhalos_task *task,
                          const weft_halos *some, const unbinding *r, weft_array energy) {
    if (!r->is_bounded)
        subhalos_depths(device, task, some, r->depth);
    subhalos_unbound_energies(device, task, some, r->of, r->depth, energy);
}

/* Leaves those that are not certain without energies as defined. */
static void settle(weft_device *device, const subhalos_task *task,
                   const subhalos_settled *to, unbinding *r) {
    weft_scope_open(device);
    const weft_array open = numbers(device, r->candidates);
    const weft_array particle = numbers(device, r->members);
    weft_gather(device, task->halos.member, r->member, particle);
    const subhalos_groups groups = {r->candidates, r->offset, r->who, r->member, particle};
    subhalos_settle(device, task, &groups, to, open);
    keep(device, r, open, points_filled(device, r->members, 0));
    weft_scope_close(device);
}

/* Measures the candidates, and leaves those that go on. */
static void step(weft_device *device, const subhalos_task *task, weft_array held,
                 unbinding *r) {
    const i64 n = r->candidates;
    weft_scope_open(device);
    const weft_array energy = weft_scratch(device, WEFT_F64, r->members);
    const weft_array particle = numbers(device, r->members);
    const weft_array gone = points_filled(device, r->members, 0);
    const weft_array unbound = numbers(device, n), holds = numbers(device, n);
    const weft_array on = numbers(device, n), leave = numbers(device, n);
    const weft_array sorted = weft_scratch(device, WEFT_I64, n);
    const weft_halos some = {
        .count = n, .members = r->members, .offset = r->offset, .member = particle};
    weft_gather(device, task->halos.member, r->member, particle);
    if (task->o.keep_unbound)
        weft_fill(device, energy, &(f64){-1});
    else
        find_energies(device, task, &some, r, energy);
    weft_reduce_segments(device, weft_lazy(r->members, unbind_is_unbound, .energy = energy),
                         r->offset, weft_plus(WEFT_U32), unbound);
    weft_for_each(device, n, unbind_judge, .least = task->o.least, .offset = r->offset,
                  .unbound = unbound, .holds = holds, .on = on, .leave = leave,
                  .sorted = sorted);
    weft_for_each(device, r->members, unbind_hold, .who = r->who, .holds = holds,
                  .of = r->of, .member = r->member, .held = held);
    let_go(device, task, &some, r, on, leave, sorted, energy, gone);
    keep(device, r, on, gone);
    weft_scope_close(device);
}

void subhalos_unbind(weft_device *device, const subhalos_task *task,
                     const subhalos_candidates *candidates, const subhalos_settled *to) {
    const int settles = weft_device_style(device) != WEFT_SIMT && !task->o.keep_unbound;
    weft_task_begin(device, "subhalos_unbind");
    for (i64 height = 0; height < candidates->heights; height++) {
        weft_task_until(device, (f64)(height + 1) / (f64)candidates->heights);
        weft_scope_open(device);
        unbinding r = begin(device, task, candidates, to->held, (u32)height);
        if (settles && r.candidates > 0)
            settle(device, task, to, &r);
        while (r.candidates > 0 && weft_check(device) == WEFT_OK)
            step(device, task, to->held, &r);
        weft_scope_close(device);
    }
    weft_task_end(device);
}
