/* Step 5. */
#include "subhalos.h"
#include "sweep.kernel.h"
#include "weft/each.h"
#include "weft/transform.h"

WEFT_BUNDLE(sweep_branches, (inout, u32, owner, 0), (inout, u32, joined, 0),
            (inout, u32, rank, 0), (inout, u32, count, 0), (inout, u32, size, 0),
            (inout, u32, around, 0), (inout, u32, behind, 0), (inout, u32, inside, 0))
WEFT_KERNEL(sweep_begin, (bundle, sweep_branches, b))
WEFT_KERNEL(sweep_halo, (value, u32, least), (value, i64, saddles),
            (in, i64, offset, n + 1), (in, u32, peak, 0), (in, u32, level, 0),
            (in, u64, pair, 0), (bundle, sweep_branches, b))
WEFT_KERNEL(sweep_order, (in, u32, member), (in, u32, joined), (in, u32, rank),
            (in, u32, around, 0), (in, u32, behind, 0), (inout, u32, order, 0),
            (out, u32, begin))
WEFT_GENERATOR(sweep_is_candidate, u32, (in, u32, size))
WEFT_KERNEL(sweep_describe, (value, i64, halos), (in, i64, offset, 0), (in, u32, place),
            (in, u32, number, 0), (in, u32, branch_around, 0), (out, u32, halo),
            (out, u32, around))

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

/* Candidates by the places of their peaks. */
static void list(weft_device *device, const subhalos_task *task,
                 const subhalos_basins *basins, const sweep_branches_arrays *b,
                 weft_array begin, subhalos_candidates *c) {
    const i64 members = task->halos.members;
    weft_scope_open(device);
    const weft_array place =
        points_listed(device, weft_lazy(members, sweep_is_candidate, .size = b->size));
    const weft_array number = b->owner;
    c->count = place.length;
    weft_array *const of_each[] = {&c->halo,   &c->begin,  &c->size,
                                   &c->around, &c->inside, &c->peak};
    for (int k = 0; k < 6; k++)
        *of_each[k] = weft_slice(device, *of_each[k], 0, c->count);
    weft_scatter(device, points_numbers(device, c->count), place, number);
    const weft_array from[] = {begin, b->size, b->inside, basins->member};
    const weft_array to[] = {c->begin, c->size, c->inside, c->peak};
    weft_gather_each(device, 4, from, place, to);
    weft_for_each(device, c->count, sweep_describe, .halos = task->halos.count,
                  .offset = task->halos.offset, .place = place, .number = number,
                  .branch_around = b->around, .halo = c->halo, .around = c->around);
    weft_scope_close(device);
}

/* Branches become large before they meet others that are, and then share no member: there
 * are no more candidates than members / least. */
subhalos_candidates subhalos_room(weft_device *device, const subhalos_task *task) {
    const i64 most = task->halos.members / task->o.least;
    return (subhalos_candidates){.order = numbers(device, task->halos.members),
                                 .halo = numbers(device, most),
                                 .begin = numbers(device, most),
                                 .size = numbers(device, most),
                                 .around = numbers(device, most),
                                 .inside = numbers(device, most),
                                 .peak = numbers(device, most)};
}

void subhalos_meet(weft_device *device, const subhalos_task *task,
                   const subhalos_basins *basins, const subhalos_saddles *saddles,
                   subhalos_candidates *c) {
    const i64 members = task->halos.members;
    const sweep_branches_arrays b = {numbers(device, members), numbers(device, members),
                                     numbers(device, members), numbers(device, members),
                                     numbers(device, members), numbers(device, members),
                                     numbers(device, members), numbers(device, members)};
    const weft_array begin = numbers(device, members);
    const i64 least = task->o.least < (i64)UINT32_MAX ? task->o.least : (i64)UINT32_MAX;
    weft_for_each(device, members, sweep_begin, .b = b);
    weft_for_each(device, task->halos.count, sweep_halo, .least = (u32)least,
                  .saddles = saddles->count, .offset = task->halos.offset,
                  .peak = basins->peak, .level = saddles->level, .pair = saddles->pair,
                  .b = b);
    weft_for_each(device, members, sweep_order, .member = basins->member,
                  .joined = b.joined, .rank = b.rank, .around = b.around,
                  .behind = b.behind, .order = c->order, .begin = begin);
    list(device, task, basins, &b, begin, c);
}
