/* Energies as step 6 defines them. Most members are bound by what their potential is at
 * least, which is known from one round to the next: who leaves takes little along. */
#include "algorithms/halos/halo_properties.h"
#include "algorithms/mbp/mbp.h"
#include "energies.kernel.h"
#include "subhalos.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/transform.h"

WEFT_KERNEL(energies_motions, (value, energies_constants, u),
            (bundle, points_coordinates, at), (bundle, points_coordinates, flow),
            (in, u32, of), (in, u32, particle), (in, f64, center, 0),
            (in, f64, velocity, 0), (out, f64, kinetic))
WEFT_KERNEL(energies_energy, (value, f64, gravity), (in, f64, kinetic),
            (inout, f64, energy))
WEFT_KERNEL(energies_spread, (value, f64, gravity), (inout, f64, spread))
WEFT_BUNDLE(energies_known, (value, i64, members), (value, i64, groups),
            (value, f64, gravity), (in, i64, offset, 0), (in, u32, of, 0),
            (in, f64, kinetic, 0), (in, f64, depth, 0))
WEFT_BUNDLE(energies_listed, (inout, u32, which, 0), (inout, u32, gone, 0),
            (inout, u32, fate, 0), (inout, i64, slot, 0), (inout, i64, begin, 0),
            (inout, i64, total, 0))
WEFT_GENERATOR(energies_may_be, u32, (bundle, energies_known, k))
WEFT_GENERATOR(energies_blocks, i64, (bundle, energies_known, k))
WEFT_KERNEL(energies_list, (bundle, energies_known, k), (in, u32, before),
            (in, i64, blocks), (bundle, energies_listed, to))
WEFT_KERNEL(energies_slot, (in, u32, which), (in, u32, of, 0), (in, i64, offset, 0),
            (out, i64, slot))
WEFT_KERNEL(energies_decide, (value, f64, gravity), (in, f64, kinetic, 0), (in, u32, which),
            (in, f64, phi), (inout, f64, depth, 0), (out, f64, energy))
WEFT_KERNEL(energies_put, (value, f64, gravity), (in, u32, which), (in, f64, kinetic, 0),
            (in, f64, phi), (out, f64, energy))
WEFT_BUNDLE(energies_price, (value, f64, soft2), (value, i64, groups), (value, i64, most),
            (in, i64, pairs, 0))
WEFT_GENERATOR(energies_pairs, i64, (value, i64, groups),
               (bundle, energies_leavers, leaving))
WEFT_KERNEL(energies_loosen, (bundle, energies_price, price),
            (bundle, energies_leavers, leaving), (bundle, mbp_bodies, b),
            (inout, f64, depth), (shared, u32, is_bounded, 0))

/* How far potentials are off that most members are told by; and so many pairs for each
 * member are no more work than such potentials. */
static const f64 rough = 1e-2;
enum { WORTH = 256 };

static void find_motions(weft_device *device, const subhalos_task *task,
                         const weft_halos *some, weft_array of, weft_array kinetic) {
    const f64 *box = task->bodies->box;
    const energies_constants u = {task->o.hubble, {box[0], box[1], box[2]}};
    weft_scope_open(device);
    const weft_array center = weft_scratch(device, WEFT_F64, 3 * some->count);
    const weft_array velocity = weft_scratch(device, WEFT_F64, 3 * some->count);
    halo_means(device, task->bodies, some, of, center, velocity);
    weft_for_each(device, some->members, energies_motions, .u = u, .at = task->words,
                  .flow = task->flow, .of = of, .particle = some->member, .center = center,
                  .velocity = velocity, .kinetic = kinetic);
    weft_scope_close(device);
}

void subhalos_energies(weft_device *device, const subhalos_task *task,
                       const weft_halos *some, weft_array of, weft_array energy) {
    const weft_mbp_options o = {.softening = task->o.softening};
    weft_scope_open(device);
    const weft_array kinetic = weft_scratch(device, WEFT_F64, some->members);
    find_motions(device, task, some, of, kinetic);
    weft_potential(device, task->bodies, &o, some, 0, energy);
    weft_for_each(device, some->members, energies_energy, .gravity = task->o.gravity,
                  .kinetic = kinetic, .energy = energy);
    weft_scope_close(device);
}

static mbp_rule rule_of(const subhalos_task *task) {
    return (mbp_rule){
        .call = task->call, .bodies = task->bodies, .softening = task->o.softening};
}

static mbp_slots prepare(weft_device *device, const subhalos_task *task,
                         const weft_halos *some) {
    const mbp_rule rule = rule_of(task);
    return mbp_prepare(device, &rule, some);
}

subhalos_measured subhalos_measure(weft_device *device, const subhalos_task *task,
                                   const weft_halos *some, weft_array of) {
    const subhalos_measured m = {weft_scratch(device, WEFT_F64, some->members),
                                 prepare(device, task, some)};
    find_motions(device, task, some, of, m.kinetic);
    return m;
}

void subhalos_energies_of(weft_device *device, const subhalos_task *task,
                          const weft_halos *some, weft_array of, const subhalos_measured *m,
                          weft_array which, weft_array energy) {
    weft_scope_open(device);
    const weft_array slot = weft_scratch(device, WEFT_I64, which.length);
    const weft_array phi = weft_scratch(device, WEFT_F64, which.length);
    weft_for_each(device, which.length, energies_slot, .which = which, .of = of,
                  .offset = some->offset, .slot = slot);
    mbp_evaluate(device, &m->slots, slot, phi);
    weft_for_each(device, which.length, energies_put, .gravity = task->o.gravity,
                  .which = which, .kinetic = m->kinetic, .phi = phi, .energy = energy);
    weft_scope_close(device);
}

void subhalos_energies_near(weft_device *device, const subhalos_task *task,
                            const subhalos_measured *m, weft_array energy,
                            weft_array spread) {
    mbp_near(device, &m->slots, energy, spread);
    weft_for_each(device, energy.length, energies_energy, .gravity = task->o.gravity,
                  .kinetic = m->kinetic, .energy = energy);
    weft_for_each(device, spread.length, energies_spread, .gravity = task->o.gravity,
                  .spread = spread);
}

void subhalos_depths(weft_device *device, const subhalos_task *task, const weft_halos *some,
                     i64 longest, weft_array depth) {
    const mbp_rule rule = rule_of(task);
    mbp_depths(device, &rule, some, longest, rough, depth);
}

/* Lists them; slots, where blocks begin, and how many these are. */
static i64 list(weft_device *device, const energies_known_arrays *k,
                const subhalos_who *who, subhalos_doubts *d, weft_array *slot,
                weft_array *begin) {
    const i64 members = k->members;
    i64 total[2] = {0, 0};
    *slot = weft_scratch(device, WEFT_I64, members);
    *begin = weft_scratch(device, WEFT_I64, members + 1);
    d->which = weft_scratch(device, WEFT_U32, members);
    d->before = weft_scratch(device, WEFT_U32, members + 1);
    weft_scope_open(device);
    const weft_array blocks = weft_scratch(device, WEFT_I64, members + 1);
    const energies_listed_arrays to = {
        d->which, who->gone, who->fate, *slot, *begin, weft_scratch(device, WEFT_I64, 2)};
    weft_scan(device, weft_lazy(members + 1, energies_may_be, .k = *k), weft_plus(WEFT_U32),
              WEFT_EXCLUSIVE, d->before);
    weft_scan(device, weft_lazy(members + 1, energies_blocks, .k = *k), weft_plus(WEFT_I64),
              WEFT_EXCLUSIVE, blocks);
    weft_for_each(device, members + 1, energies_list, .k = *k, .before = d->before,
                  .blocks = blocks, .to = to);
    weft_read(device, to.total, total);
    weft_scope_close(device);
    d->count = total[0];
    d->which = weft_slice(device, d->which, 0, d->count);
    *slot = weft_slice(device, *slot, 0, d->count);
    *begin = weft_slice(device, *begin, 0, d->count + 1);
    return total[1];
}

subhalos_doubts subhalos_doubt(weft_device *device, const subhalos_task *task,
                               const weft_halos *some, const subhalos_who *who,
                               weft_array depth) {
    subhalos_doubts d = {0};
    const weft_array kinetic = weft_scratch(device, WEFT_F64, some->members);
    const energies_known_arrays known = {
        some->members, some->count, task->o.gravity, some->offset, who->of, kinetic, depth};
    weft_array slot, begin;
    find_motions(device, task, some, who->of, kinetic);
    const i64 blocks = list(device, &known, who, &d, &slot, &begin);
    if (d.count == 0)
        return d;
    const weft_array phi = weft_scratch(device, WEFT_F64, d.count);
    d.energy = weft_scratch(device, WEFT_F64, d.count);
    d.slots = prepare(device, task, some);
    mbp_evaluate_known(device, &d.slots, slot, begin, blocks, phi);
    weft_for_each(device, d.count, energies_decide, .gravity = task->o.gravity,
                  .kinetic = kinetic, .which = d.which, .phi = phi, .depth = depth,
                  .energy = d.energy);
    return d;
}

void subhalos_loosen(weft_device *device, const subhalos_task *task, const weft_halos *some,
                     const mbp_slots *slots, const energies_leavers_arrays *leaving,
                     weft_array depth, weft_array is_bounded) {
    weft_scope_open(device);
    const energies_price_arrays price = {
        .soft2 = task->o.softening * task->o.softening,
        .groups = some->count,
        .most = WORTH * some->members,
        .pairs = weft_scratch(device, WEFT_I64, some->count + 1)};
    weft_scan(device,
              weft_lazy(some->count + 1, energies_pairs, .groups = some->count,
                        .leaving = *leaving),
              weft_plus(WEFT_I64), WEFT_EXCLUSIVE, price.pairs);
    weft_for_each(device, some->members, energies_loosen, .price = price,
                  .leaving = *leaving, .b = slots->at, .depth = depth,
                  .is_bounded = is_bounded);
    weft_scope_close(device);
}
