/* Candidates begin, once those inside of them have ended, behind those that are on their
 * way; and what becomes of both. */
#include "unbind.h"
#include "unbind.kernel.h"
#include "weft/each.h"
#include "weft/expand.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(unbind_is_ready, u32, (in, u32, inside))
WEFT_KERNEL(unbind_begin, (in, u32, who), (inout, u32, inside, 0))
WEFT_GENERATOR(unbind_key, u64, (in, u32, who, 0), (in, u32, begin, 0), (in, u32, order, 0),
               (in, u32, of), (in, u32, k))
WEFT_GENERATOR(unbind_is_free, u32, (in, u64, key), (in, u32, held, 0))
WEFT_KERNEL(unbind_split, (in, u64, key), (out, u32, of), (out, u32, member))
WEFT_GENERATOR(unbind_suffices, u32, (value, i64, least), (in, i64, offset, n + 1))
WEFT_GENERATOR(unbind_behind, u32, (value, u32, first), (in, u32, of))
WEFT_KERNEL(unbind_end, (in, u32, on), (in, u32, who), (in, u32, around, 0),
            (shared, u32, inside, 0))
WEFT_GENERATOR(unbind_stays, u32, (in, u32, on, 0), (in, u32, of), (in, u32, gone))
WEFT_KERNEL(unbind_renumber, (in, u32, number, 0), (inout, u32, of))

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

unbinding unbind_room(weft_device *device, i64 candidates, i64 members) {
    return (unbinding){.who = numbers(device, candidates),
                       .offset = weft_scratch(device, WEFT_I64, candidates + 1),
                       .of = numbers(device, members),
                       .member = numbers(device, members),
                       .depth = weft_scratch(device, WEFT_F64, members)};
}

void unbind_trim(weft_device *device, const unbinding *room, unbinding *r) {
    r->who = weft_slice(device, room->who, 0, r->candidates);
    r->offset = weft_slice(device, room->offset, 0, r->candidates + 1);
    r->of = weft_slice(device, room->of, 0, r->members);
    r->member = weft_slice(device, room->member, 0, r->members);
    r->depth = weft_slice(device, room->depth, 0, r->members);
}

void unbind_keep(weft_device *device, const unbind_plan *plan, unbinding *r, weft_array on,
                 weft_array gone) {
    const weft_array all[] = {r->of, r->member, r->depth};
    weft_for_each(device, r->candidates, unbind_end, .on = on, .who = r->who,
                  .around = plan->among->around, .inside = plan->among->inside);
    weft_scope_open(device);
    const weft_array number = numbers(device, r->candidates);
    weft_scan(device, on, weft_plus(WEFT_U32), WEFT_EXCLUSIVE, number);
    weft_copy_if_each(
        device, 3, all,
        weft_lazy(r->members, unbind_stays, .on = on, .of = r->of, .gone = gone), all,
        &r->members);
    weft_copy_if(device, r->who, on, r->who, &r->candidates);
    unbind_trim(device, r, r);
    weft_for_each(device, r->members, unbind_renumber, .number = number, .of = r->of);
    subhalos_offsets(device, r->of, r->offset);
    weft_scope_close(device);
}

weft_halos unbind_halos(weft_device *device, const subhalos_task *task,
                        const unbinding *r) {
    const weft_array particle = numbers(device, r->members);
    weft_gather(device, task->halos.member, r->member, particle);
    return (weft_halos){.count = r->candidates,
                        .members = r->members,
                        .offset = r->offset,
                        .member = particle};
}

/* The free members of candidates, by ascending number in each. */
static void gather(weft_device *device, const unbind_plan *plan, weft_array size, i64 all,
                   unbinding *r) {
    const subhalos_candidates *c = plan->among;
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, all);
    const weft_array of = numbers(device, all), k = numbers(device, all);
    weft_expand_sources(device, size, of, k, NULL);
    weft_transform(device, all, key, unbind_key, .who = r->who, .begin = c->begin,
                   .order = c->order, .of = of, .k = k);
    weft_copy_if(device, key,
                 weft_lazy(all, unbind_is_free, .key = key, .held = plan->to->held), key,
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

/* Those of some candidates that have enough of them. */
static unbinding begin(weft_device *device, const unbind_plan *plan, weft_array who) {
    u32 all = 0;
    const weft_array size = numbers(device, who.length);
    weft_gather(device, plan->among->size, who, size);
    weft_reduce(device, size, weft_plus(WEFT_U32), &all);
    unbinding r = unbind_room(device, who.length, all);
    r.candidates = who.length;
    weft_copy(device, who, r.who);
    weft_fill(device, r.depth, &(f64){0});
    gather(device, plan, size, all, &r);
    unbind_trim(device, &r, &r);
    subhalos_offsets(device, r.of, r.offset);
    weft_scope_open(device);
    const weft_array on = numbers(device, r.candidates);
    weft_transform(device, r.candidates, on, unbind_suffices, .least = plan->task->o.least,
                   .offset = r.offset);
    unbind_keep(device, plan, &r, on, points_filled(device, r.members, 0));
    weft_scope_close(device);
    return r;
}

/* Leaves those that are not certain without energies as defined. */
static void settle(weft_device *device, const unbind_plan *plan, unbinding *r) {
    weft_scope_open(device);
    const weft_array open = numbers(device, r->candidates);
    const weft_halos some = unbind_halos(device, plan->task, r);
    const subhalos_groups groups = {r->candidates, r->offset, r->who, r->member,
                                    some.member};
    subhalos_settle(device, plan->task, &groups, plan->to, open);
    unbind_keep(device, plan, r, open, points_filled(device, r->members, 0));
    weft_scope_close(device);
}

/* Puts candidates behind others, whose arrays have room for them. */
static void append(weft_device *device, const subhalos_task *task, unbinding *some,
                   const unbinding *room, unbinding *r) {
    const i64 candidates = r->candidates, members = r->members;
    if (candidates == 0)
        r->is_bounded = !task->o.keep_unbound;
    if (r->is_bounded) {
        weft_scope_open(device);
        const weft_halos halos = unbind_halos(device, task, some);
        subhalos_depths(device, task, &halos, some->depth);
        weft_scope_close(device);
    }
    r->candidates += some->candidates;
    r->members += some->members;
    unbind_trim(device, room, r);
    weft_copy(device, some->who, weft_slice(device, r->who, candidates, some->candidates));
    weft_transform(device, some->members, weft_slice(device, r->of, members, some->members),
                   unbind_behind, .first = (u32)candidates, .of = some->of);
    weft_copy(device, some->member, weft_slice(device, r->member, members, some->members));
    weft_copy(device, some->depth, weft_slice(device, r->depth, members, some->members));
    subhalos_offsets(device, r->of, r->offset);
}

i64 unbind_start(weft_device *device, const unbind_plan *plan, const unbinding *room,
                 unbinding *r) {
    const subhalos_task *task = plan->task;
    const int settles = weft_device_style(device) != WEFT_SIMT && !task->o.keep_unbound;
    weft_scope_open(device);
    const weft_array who =
        points_listed(device, weft_lazy(plan->among->count, unbind_is_ready,
                                        .inside = plan->among->inside));
    if (who.length > 0) {
        weft_for_each(device, who.length, unbind_begin, .who = who,
                      .inside = plan->among->inside);
        unbinding some = begin(device, plan, who);
        if (settles && some.candidates > 0)
            settle(device, plan, &some);
        if (some.candidates > 0)
            append(device, task, &some, room, r);
    }
    weft_scope_close(device);
    return who.length;
}
