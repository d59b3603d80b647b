#include "weft/subhalos.h"
#include "algorithms/neighbours/knn.h"
#include "algorithms/points/arguments.h"
#include "subhalos.h"
#include "subhalos.kernel.h"
#include "weft/each.h"
#include "weft/find.h"
#include "weft/listener.h"
#include "weft/reduce.h"
#include "weft/segments.h"
#include "weft/transform.h"

#include <float.h>
#include <math.h>

WEFT_GENERATOR(subhalos_is_large, u32, (value, i64, least), (in, i64, offset, n + 1))
WEFT_GENERATOR(subhalos_is_held, u32, (in, u32, held))
WEFT_GENERATOR(subhalos_is_some, u32, (in, i64, offset, n + 1))
WEFT_GENERATOR(subhalos_key, u64, (in, u32, who), (in, u32, halo, 0), (in, u32, around, 0),
               (in, i64, offset, 0))
WEFT_KERNEL(subhalos_climb, (in, u32, who), (in, u32, around, 0), (in, u32, number, 0),
            (out, u32, parent), (out, u32, depth), (out, u8, is_main))

static const char name[] = "weft_subhalos_find";

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

/* Candidates that hold any, in the order of subhalos. */
static void list(weft_device *device, const subhalos_candidates *c, weft_array offset,
                 holding *h) {
    h->who = points_listed(device, weft_lazy(c->count, subhalos_is_some, .offset = offset));
    h->subhalos = h->who.length;
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, h->subhalos);
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
    weft_sort_by_key(device, by, h.member, WEFT_ASCENDING);
    subhalos_offsets(device, by, offset);
    list(device, c, offset, &h);
    weft_gather(device, h.number, by, h.of);
    weft_sort_by_key(device, h.of, h.member, WEFT_ASCENDING);
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

static void make(weft_device *device, const subhalos_task *task,
                 const subhalos_candidates *c, const subhalos_settled *settled,
                 const holding *h, weft_subhalos *out) {
    const i64 n = h->subhalos;
    out->count = n;
    out->members = h->members;
    out->halo = weft_array_new(device, WEFT_U32, n);
    out->parent = weft_array_new(device, WEFT_U32, n);
    out->depth = weft_array_new(device, WEFT_U32, n);
    out->main = weft_array_new(device, WEFT_U8, n);
    out->peak = weft_array_new(device, WEFT_U32, n);
    out->offset = weft_array_new(device, WEFT_I64, n + 1);
    out->member = weft_array_new(device, WEFT_U32, h->members);
    out->energy = weft_array_new(device, WEFT_F64, task->o.order_only ? 0 : h->members);
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

static void find(weft_device *device, const subhalos_task *task, weft_subhalos *out) {
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

static void check(weft_device *device, const weft_subhalos_options *o) {
    const struct {
        const char *name;
        i64 value, most;
    } counts[] = {{"least_halo", o->least_halo, INT64_MAX},
                  {"least", o->least, INT64_MAX},
                  {"density_neighbours", o->density_neighbours, KNN_MOST},
                  {"link_neighbours", o->link_neighbours, KNN_MOST}};
    for (int k = 0; k < 4 && weft_check(device) == WEFT_OK; k++)
        if (counts[k].value < 1 || counts[k].value > counts[k].most)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: %s is %lld, not 1 to %lld", name,
                      counts[k].name, (long long)counts[k].value,
                      (long long)counts[k].most);
    const struct {
        const char *name;
        f64 value;
    } numbers_of[] = {
        {"softening", o->softening}, {"gravity", o->gravity}, {"hubble", o->hubble}};
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++)
        if (!(numbers_of[k].value >= 0 && numbers_of[k].value <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: %s is %g, not 0 or above", name,
                      numbers_of[k].name, numbers_of[k].value);
}

static i64 or_else(i64 value, i64 otherwise) {
    return value == 0 ? otherwise : value;
}

/* The halos that are looked into: the first ones, since they descend. */
static void choose(weft_device *device, const weft_halos *halos, subhalos_task *task) {
    i64 count = 0, members = 0;
    weft_find_if_not(device,
                     weft_lazy(halos->count, subhalos_is_large, .least = task->o.least_halo,
                               .offset = halos->offset),
                     &count);
    if (count < 0)
        count = halos->count;
    weft_read(device, weft_slice(device, halos->offset, count, 1), &members);
    task->halos = (weft_halos){.count = count,
                               .members = members,
                               .offset = weft_slice(device, halos->offset, 0, count + 1),
                               .member = weft_slice(device, halos->member, 0, members)};
}

static void prepare(weft_device *device, const weft_bodies *bodies, const weft_halos *halos,
                    subhalos_task *task) {
    check(device, &task->o);
    task->words = points_view(device, name, &bodies->points);
    if (weft_check(device) == WEFT_OK)
        arguments_members(device, name, bodies, halos);
    if (weft_check(device) == WEFT_OK && !task->o.keep_unbound) {
        arguments_array(device, name, "velocity", bodies->velocity, 0,
                        3 * bodies->points.count);
        if (weft_check(device) == WEFT_OK) {
            const weft_points flow = weft_points_interleaved(
                device, weft_slice(device, bodies->velocity, 0, 3 * bodies->points.count));
            task->flow = points_view(device, name, &flow);
        }
    }
    if (weft_check(device) == WEFT_OK && bodies->points.count > 0)
        points_bounds(device, name, &task->words, bodies->points.count);
    if (weft_check(device) == WEFT_OK)
        choose(device, halos, task);
}

weft_status weft_subhalos_find(weft_device *device, const weft_bodies *bodies,
                               const weft_subhalos_options *options,
                               const weft_halos *halos, weft_subhalos *out) {
    if (out)
        *out = (weft_subhalos){0};
    if (!arguments_bodies(device, name, bodies) ||
        !arguments_given(device, name, "options", options) ||
        !arguments_known(device, name, "options", options->reserved,
                         sizeof options->reserved) ||
        !arguments_given(device, name, "halos", halos) ||
        !arguments_given(device, name, "out", out))
        return weft_check(device);
    subhalos_task task = {.call = name, .bodies = bodies, .o = *options};
    task.o.least_halo = or_else(options->least_halo, 50);
    task.o.least = or_else(options->least, 20);
    task.o.density_neighbours = or_else(options->density_neighbours, 20);
    task.o.link_neighbours = or_else(options->link_neighbours, 10);
    weft_task_begin(device, name);
    weft_scope_open(device);
    prepare(device, bodies, halos, &task);
    if (weft_check(device) == WEFT_OK) {
        out->first = weft_array_new(device, WEFT_I64, halos->count + 1);
        find(device, &task, out);
        subhalos_offsets(device, out->halo, out->first);
    }
    weft_scope_close(device);
    weft_task_end(device);
    if (weft_check(device) != WEFT_OK)
        weft_subhalos_free(device, out);
    return weft_check(device);
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
