/* Energies as step 6 defines them. Most members are bound by what their potential is at
 * least, which is known from one round to the next: who leaves takes little along. */
#include "algorithms/halos/halo_means.h"
#include "algorithms/mbp/mbp.h"
#include "energies.kernel.h"
#include "subhalos.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_KERNEL(energies_motions, (value, energies_constants, u),
            (bundle, points_coordinates, at), (bundle, points_coordinates, flow),
            (in, u32, of), (in, u32, particle), (in, f64, center, 0),
            (in, f64, velocity, 0), (out, f64, kinetic))
WEFT_KERNEL(energies_energy, (value, f64, gravity), (in, f64, kinetic),
            (inout, f64, energy))
WEFT_KERNEL(energies_depth, (value, f64, error), (in, f64, phi), (out, f64, depth))
WEFT_GENERATOR(energies_may_be, u32, (value, f64, gravity), (in, f64, kinetic),
               (in, f64, depth))
WEFT_KERNEL(energies_slot, (in, u32, which), (in, u32, of, 0), (in, i64, offset, 0),
            (out, i64, slot))
WEFT_KERNEL(energies_decide, (value, f64, gravity), (in, u32, which), (in, f64, kinetic, 0),
            (in, f64, phi), (inout, f64, depth, 0), (inout, f64, energy, 0))
WEFT_BUNDLE(energies_leavers, (in, i64, offset, 0), (in, i64, begin, 0), (in, u32, of),
            (in, u32, fate, 0), (in, u32, gone), (in, u32, leave, 0), (in, u32, who, 0))
WEFT_KERNEL(energies_loosen, (value, f64, soft2), (bundle, energies_leavers, leaving),
            (bundle, mbp_bodies, b), (inout, f64, depth))
WEFT_GENERATOR(energies_pairs, i64, (bundle, energies_leavers, leaving))

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

static mbp_slots prepare(weft_device *device, const subhalos_task *task,
                         const weft_halos *some) {
    const mbp_rule rule = {
        .call = task->call, .bodies = task->bodies, .softening = task->o.softening};
    return mbp_prepare(device, &rule, some);
}

/* Of members that are listed. */
static void evaluate(weft_device *device, const subhalos_task *task, const weft_halos *some,
                     const mbp_slots *slots, weft_array of, weft_array which,
                     weft_array kinetic, weft_array depth, weft_array energy) {
    weft_scope_open(device);
    const weft_array slot = weft_scratch(device, WEFT_I64, which.length);
    const weft_array phi = weft_scratch(device, WEFT_F64, which.length);
    weft_for_each(device, which.length, energies_slot, .which = which, .of = of,
                  .offset = some->offset, .slot = slot);
    mbp_evaluate(device, slots, slot, phi);
    weft_for_each(device, which.length, energies_decide, .gravity = task->o.gravity,
                  .which = which, .kinetic = kinetic, .phi = phi, .depth = depth,
                  .energy = energy);
    weft_scope_close(device);
}

void subhalos_energies_of(weft_device *device, const subhalos_task *task,
                          const weft_halos *some, weft_array of, weft_array which,
                          weft_array energy) {
    weft_scope_open(device);
    const weft_array kinetic = weft_scratch(device, WEFT_F64, some->members);
    const weft_array depth = weft_scratch(device, WEFT_F64, some->members);
    find_motions(device, task, some, of, kinetic);
    const mbp_slots slots = prepare(device, task, some);
    evaluate(device, task, some, &slots, of, which, kinetic, depth, energy);
    weft_scope_close(device);
}

void subhalos_depths(weft_device *device, const subhalos_task *task, const weft_halos *some,
                     weft_array depth) {
    const weft_mbp_options o = {.softening = task->o.softening};
    weft_scope_open(device);
    const weft_array phi = weft_scratch(device, WEFT_F64, some->members);
    weft_potential(device, task->bodies, &o, some, rough, phi);
    weft_for_each(device, some->members, energies_depth, .error = rough, .phi = phi,
                  .depth = depth);
    weft_scope_close(device);
}

mbp_slots subhalos_unbound_energies(weft_device *device, const subhalos_task *task,
                                    const weft_halos *some, weft_array of, weft_array depth,
                                    weft_array energy) {
    const weft_array kinetic = weft_scratch(device, WEFT_F64, some->members);
    find_motions(device, task, some, of, kinetic);
    const weft_array which = points_listed(
        device, weft_lazy(some->members, energies_may_be, .gravity = task->o.gravity,
                          .kinetic = kinetic, .depth = depth));
    weft_fill(device, energy, &(f64){-1});
    if (which.length == 0)
        return (mbp_slots){0};
    const mbp_slots slots = prepare(device, task, some);
    evaluate(device, task, some, &slots, of, which, kinetic, depth, energy);
    return slots;
}

int subhalos_loosen(weft_device *device, const subhalos_task *task, const weft_halos *some,
                    const mbp_slots *slots, const subhalos_leavers *leaving,
                    weft_array depth) {
    const energies_leavers_arrays who = {.offset = some->offset,
                                         .begin = leaving->begin,
                                         .of = leaving->of,
                                         .fate = leaving->fate,
                                         .gone = leaving->gone,
                                         .leave = leaving->leave,
                                         .who = leaving->who};
    i64 pairs = 0;
    weft_reduce(device, weft_lazy(some->members, energies_pairs, .leaving = who),
                weft_plus(WEFT_I64), &pairs);
    if (pairs > WORTH * some->members)
        return 0;
    weft_for_each(device, some->members, energies_loosen,
                  .soft2 = task->o.softening * task->o.softening, .leaving = who,
                  .b = slots->at, .depth = depth);
    return 1;
}
