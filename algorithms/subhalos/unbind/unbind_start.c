/* Candidates begin, once those inside of them have ended, behind those that are on their
 * way. */
#include "unbind.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(unbind_is_ready, u32, (in, u32, inside))
WEFT_KERNEL(unbind_begin, (in, u32, who), (inout, u32, inside, 0), (shared, u32, told, 0))
WEFT_GENERATOR(unbind_size, i64, (value, i64, count), (in, u32, who, 0), (in, u32, size, 0))
WEFT_BUNDLE(unbind_beginners, (value, i64, count), (value, i64, bits), (in, u32, who, 0),
            (in, u32, begin, 0), (in, u32, order, 0), (in, i64, at, 0))
WEFT_GENERATOR(unbind_key, u64, (bundle, unbind_beginners, b), (in, u32, held, 0))
WEFT_KERNEL(unbind_split, (value, i64, bits), (in, u64, key), (in, u32, input, 0),
            (out, u32, of), (out, u32, member), (out, u32, particle), (out, f64, depth))
WEFT_KERNEL(unbind_suffice, (value, i64, count), (value, i64, n), (value, i64, least),
            (in, u32, of, 0), (out, i64, offset), (out, u32, fate))

/* Those that are ready, and where their members begin. */
static unbind_beginners_arrays list(weft_device *device, const unbind_plan *plan, i64 ready,
                                    weft_array who) {
    const subhalos_candidates *c = plan->among;
    const unbind_beginners_arrays b = {.count = ready,
                                       .bits = lengths_bits(plan->task->halos.members + 1),
                                       .who = who,
                                       .begin = c->begin,
                                       .order = c->order,
                                       .at = weft_scratch(device, WEFT_I64, ready + 1)};
    points_list(device, weft_lazy(c->count, unbind_is_ready, .inside = c->inside), b.who,
                NULL);
    weft_for_each(device, ready, unbind_begin, .who = b.who, .inside = c->inside,
                  .told = plan->told);
    weft_scan(
        device,
        weft_lazy(ready + 1, unbind_size, .count = ready, .who = b.who, .size = c->size),
        weft_plus(WEFT_I64), WEFT_EXCLUSIVE, b.at);
    return b;
}

/* Their members by ascending number in each; behind them, as those of one more candidate,
 * those that are held. */
static unbinding gather(weft_device *device, const unbind_plan *plan, i64 ready, i64 size) {
    unbinding r = unbind_room(device, ready, size);
    weft_scope_open(device);
    const unbind_beginners_arrays b = list(device, plan, ready, r.who);
    const weft_array key = weft_scratch(device, WEFT_U64, size);
    weft_transform(device, size, key, unbind_key, .b = b, .held = plan->to->held);
    weft_sort_bits(device, key, (weft_array){0}, WEFT_ASCENDING, 0,
                   (i32)b.bits + lengths_bits(ready + 1));
    weft_for_each(device, size, unbind_split, .bits = b.bits, .key = key,
                  .input = plan->task->halos.member, .of = r.of, .member = r.member,
                  .particle = r.particle, .depth = r.depth);
    weft_scope_close(device);
    r.candidates = ready;
    r.members = size;
    return r;
}

/* Of these, candidates that have enough members come behind those of `to`. */
static unbind_told begin(weft_device *device, const unbind_plan *plan, i64 ready, i64 size,
                         unbinding *to) {
    weft_scope_open(device);
    const unbinding r = gather(device, plan, ready, size);
    const weft_array fate = weft_scratch(device, WEFT_U32, ready + 1);
    weft_for_each(device, ready + 1, unbind_suffice, .count = ready, .n = size,
                  .least = plan->task->o.least, .of = r.of, .offset = r.offset,
                  .fate = fate);
    const unbind_told told = unbind_carry(device, plan, &r, fate, (weft_array){0}, to);
    weft_scope_close(device);
    return told;
}

/* The same without those that are certain without energies as defined. */
static unbind_told begin_open(weft_device *device, const unbind_plan *plan, i64 ready,
                              i64 size, unbinding *to) {
    weft_scope_open(device);
    unbinding some = unbind_room(device, ready, size);
    unbind_told told = begin(device, plan, ready, size, &some);
    if (some.candidates > 0) {
        const weft_array open = weft_scratch(device, WEFT_U32, some.candidates);
        const subhalos_groups groups = {some.candidates, some.offset, some.who, some.member,
                                        some.particle};
        subhalos_settle(device, plan->task, &groups, plan->to, open);
        told = unbind_carry(device, plan, &some, open, (weft_array){0}, to);
    }
    weft_scope_close(device);
    return told;
}

/* Of candidates from number `first` on. */
static void find_depths(weft_device *device, const subhalos_task *task, i64 longest,
                        i64 first, i64 before, const unbinding *r) {
    const i64 count = r->candidates - first, members = r->members - before;
    weft_scope_open(device);
    const weft_array offset = weft_slice(device, r->offset, first, count + 1);
    const weft_halos some = {.count = count,
                             .members = members,
                             .offset = lengths_since(device, offset, before),
                             .member = weft_slice(device, r->particle, before, members)};
    subhalos_depths(device, task, &some, longest,
                    weft_slice(device, r->depth, before, members));
    weft_scope_close(device);
}

unbind_told unbind_start(weft_device *device, const unbind_plan *plan, i64 ready, i64 size,
                         unbinding *r) {
    const subhalos_task *task = plan->task;
    const int settles = weft_device_style(device) != WEFT_SIMT && !task->o.keep_unbound;
    const i64 first = r->candidates, before = r->members;
    const unbind_told told = (settles ? begin_open : begin)(device, plan, ready, size, r);
    const i64 longest = told.number[UNBIND_LONGEST];
    r->longest = first > 0 && r->longest > longest ? r->longest : longest;
    if (first == 0)
        r->is_bounded = !task->o.keep_unbound;
    if (r->is_bounded && r->candidates > first && weft_check(device) == WEFT_OK)
        find_depths(device, task, longest, first, before, r);
    return told;
}
