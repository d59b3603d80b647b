/* From the halos of a batch to their subhalos. */
#include "algorithms/points/points.h"
#include "subhalos.h"
#include "subhalos.kernel.h"
#include "weft/each.h"
#include "weft/listener.h"
#include "weft/segments.h"
#include "weft/transform.h"

#include <math.h>

WEFT_GENERATOR(subhalos_is_held, u32, (in, u32, held))
WEFT_GENERATOR(subhalos_is_some, u32, (in, i64, offset, n + 1))
WEFT_GENERATOR(subhalos_size, u32, (in, u32, who), (in, i64, offset, 0))
WEFT_GENERATOR(subhalos_key, u64, (in, u32, who), (in, u32, halo, 0), (in, u32, around, 0),
               (in, i64, offset, 0))
WEFT_KERNEL(subhalos_climb, (in, u32, who), (in, u32, around, 0), (in, u32, number, 0),
            (out, u32, parent), (out, u32, depth), (out, u8, is_main))

/* Members that are held, by (subhalo, number). */
typedef struct holding {
    i64 subhalos, members;
    weft_array who;    /* [subhalos] u32: the candidate */
    weft_array number; /* [candidates] u32: its subhalo */
    weft_array of;     /* [members] u32: the subhalo of each */
    weft_array member; /* [members] u32 */
} holding;

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

/* Candidates that hold any, in the order of subhalos: by (halo, depth), then those with
 * most members first. */
static void list(weft_device *device, const subhalos_candidates *c, weft_array offset,
                 holding *h) {
    h->who = points_listed(device, weft_lazy(c->count, subhalos_is_some, .offset = offset));
    h->subhalos = h->who.length;
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, h->subhalos);
    const weft_array size = numbers(device, h->subhalos);
    weft_transform(device, h->subhalos, size, subhalos_size, .who = h->who,
                   .offset = offset);
    weft_sort_by_key(device, size, h->who, WEFT_DESCENDING);
    weft_transform(device, h->subhalos, key, subhalos_key, .who = h->who, .halo = c->halo,
                   .around = c->around, .offset = offset);
    weft_sort_by_key(device, key, h->who, WEFT_ASCENDING);
    weft_scatter(device, points_numbers(device, h->subhalos), h->who, h->number);
    weft_scope_close(device);
}

static holding hold(weft_device *device, const subhalos_candidates *c, weft_array held) {
    const weft_array is_held = weft_lazy(held.length, subhalos_is_held, .held = held);
    holding h = {.number = points_filled(device, c->count, UINT32_MAX)};
    h.member = points_listed(device, is_held);
    h.members = h.member.length;
    h.of = numbers(device, h.members);
    const weft_array by = numbers(device, h.members);
    const weft_array offset = weft_scratch(device, WEFT_I64, c->count + 1);
    weft_gather(device, held, h.member, by);
    weft_sort_bits(device, by, h.member, WEFT_ASCENDING, 0, lengths_bits(c->count + 1));
    subhalos_offsets(device, by, offset);
    list(device, c, offset, &h);
    weft_gather(device, h.number, by, h.of);
    weft_sort_bits(device, h.of, h.member, WEFT_ASCENDING, 0, lengths_bits(h.subhalos + 1));
    return h;
}

/* Members by their energies. */
static void order(weft_device *device, const subhalos_task *task,
                  const subhalos_settled *settled, const holding *h, weft_subhalos *out) {
    const weft_array input = numbers(device, h->members);
    const weft_halos some = {.count = h->subhalos,
                             .members = h->members,
                             .offset = out->offset,
                             .member = input};
    weft_gather(device, task->halos.member, h->member, input);
    if (task->o.keep_unbound || h->members == 0) {
        weft_copy(device, input, out->member);
        weft_fill(device, out->energy, &(f64){0});
    } else if (task->o.order_only) {
        const weft_array energy = weft_scratch(device, WEFT_F64, h->members);
        const weft_array spread = weft_scratch(device, WEFT_F64, h->subhalos);
        weft_gather(device, settled->energy, h->member, energy);
        weft_gather(device, settled->spread, h->who, spread);
        subhalos_rank(device, task, &some, h->of, spread, energy, out->member);
    } else {
        weft_copy(device, input, out->member);
        subhalos_energies(device, task, &some, h->of, out->energy);
        weft_sort_segments(device, out->energy, out->member, out->offset, WEFT_ASCENDING);
    }
}

void subhalos_make_room(weft_device *device, const subhalos_task *task, i64 n, i64 members,
                        weft_subhalos *out) {
    out->count = n;
    out->members = members;
    out->halo = weft_array_new(device, WEFT_U32, n);
    out->parent = weft_array_new(device, WEFT_U32, n);
    out->depth = weft_array_new(device, WEFT_U32, n);
    out->main = weft_array_new(device, WEFT_U8, n);
    out->peak = weft_array_new(device, WEFT_U32, n);
    out->offset = weft_array_new(device, WEFT_I64, n + 1);
    out->member = weft_array_new(device, WEFT_U32, members);
    out->energy = weft_array_new(device, WEFT_F64, task->o.order_only ? 0 : members);
}

static void make(weft_device *device, const subhalos_task *task,
                 const subhalos_candidates *c, const subhalos_settled *settled,
                 const holding *h, weft_subhalos *out) {
    const i64 n = h->subhalos;
    subhalos_make_room(device, task, n, h->members, out);
    const weft_array peak = numbers(device, n);
    const weft_array from[] = {c->halo, c->peak}, to[] = {out->halo, peak};
    weft_gather_each(device, 2, from, h->who, to);
    weft_gather(device, task->halos.member, peak, out->peak);
    weft_for_each(device, n, subhalos_climb, .who = h->who, .around = c->around,
                  .number = h->number, .parent = out->parent, .depth = out->depth,
                  .is_main = out->main);
    subhalos_offsets(device, h->of, out->offset);
    order(device, task, settled, h, out);
}

static subhalos_candidates find_candidates(weft_device *device, const subhalos_task *task) {
    const i64 members = task->halos.members;
    subhalos_candidates c = subhalos_room(device, task);
    if (members == 0)
        return c;
    weft_scope_open(device);
    const weft_array neighbour = numbers(device, members * task->o.link_neighbours);
    const weft_array rank = numbers(device, members);
    weft_task_begin(device, "find_candidates");
    weft_task_until(device, 0.9);
    const subhalos_basins basins = subhalos_find_basins(device, task, neighbour, rank);
    const subhalos_saddles saddles =
        subhalos_find_saddles(device, task, &basins, neighbour, rank);
    subhalos_meet(device, task, &basins, &saddles, &c);
    weft_task_end(device);
    weft_scope_close(device);
    return c;
}

void subhalos_find_together(weft_device *device, const subhalos_task *task,
                            weft_subhalos *out) {
    weft_task_until(device, 0.5);
    const subhalos_candidates c = find_candidates(device, task);
    weft_task_until(device, 0.9);
    const subhalos_settled settled = {
        points_filled(device, task->halos.members, UINT32_MAX),
        weft_scratch(device, WEFT_F64, task->halos.members),
        weft_scratch(device, WEFT_F64, c.count)};
    weft_fill(device, settled.energy, &(f64){0});
    weft_fill(device, settled.spread, &(f64){INFINITY});
    subhalos_unbind(device, task, &c, &settled);
    weft_task_until(device, 1);
    const holding h = hold(device, &c, settled.held);
    make(device, task, &c, &settled, &h, out);
}

void weft_subhalos_free(weft_device *device, weft_subhalos *s) {
    if (!s)
        return;
    const weft_array arrays[] = {s->first, s->halo,   s->parent, s->depth, s->main,
                                 s->peak,  s->offset, s->member, s->energy};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        weft_array_free(device, arrays[k]);
    *s = (weft_subhalos){0};
}
