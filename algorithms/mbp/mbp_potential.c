/* The potential of every member, to a given error. */
#include "mbp.h"
#include "mbp_potential.kernel.h"
#include "algorithms/points/arguments.h"
#include "weft/listener.h"
#include "weft/reduce.h"
#include "weft/transform.h"

#include <float.h>

WEFT_GENERATOR(mbp_potential_open, u32, (value, f64, error), (bundle, mbp_halos, of),
               (in, f32, low), (in, f32, high))
WEFT_GENERATOR(mbp_potential_open_place, u32, (value, f64, error), (bundle, mbp_halos, of),
               (in, u32, order), (in, f32, low, 0), (in, f32, high, 0))
WEFT_KERNEL(mbp_potential_middle, (bundle, mbp_halos, of), (in, f32, low), (in, f32, high),
            (out, f64, potential, 0))
WEFT_KERNEL(mbp_potential_depth, (bundle, mbp_halos, of), (in, f32, low),
            (inout, f64, depth, 0))
WEFT_KERNEL(mbp_potential_put, (bundle, mbp_halos, of), (in, i64, slot), (in, f64, phi),
            (inout, f64, potential, 0))

/* The closest that bounds from sums in f32 come. */
static const f64 least_error = 4e-5;

/* Walks of more and more exactness, by those whose bounds are too far apart. */
static void bound_by_tree(weft_device *device, const mbp_slots *slots, f64 error,
                          mbp_bounds_arrays bounds) {
    static const f64 share[] = {0.05, 0.005, 0.0005};
    weft_scope_open(device);
    weft_task_until(device, 0.2);
    const mbp_tree tree = mbp_tree_build(device, slots);
    const i64 count = slots->count;
    const weft_array places = points_numbers(device, count);
    const weft_array best = points_filled(device, slots->halos, 0);
    i64 left = count;
    for (int round = 0; round < 3 && left > 0 && weft_check(device) == WEFT_OK; round++) {
        weft_task_until(device, 0.9 - 0.6 / (2 << round));
        mbp_plan_of(device)->by_tree(device, slots, &tree, error * share[round], 1, best,
                                     weft_slice(device, places, 0, left), bounds);
        points_list(device,
                    weft_lazy(count, mbp_potential_open_place, .error = error,
                              .of = slots->of, .order = tree.order, .low = bounds.low,
                              .high = bounds.high),
                    places, &left);
    }
    weft_scope_close(device);
}

/* Evaluates what bounds do not tell. */
static void evaluate_rest(weft_device *device, const mbp_slots *slots, f64 error,
                          mbp_bounds_arrays bounds, weft_array potential) {
    const i64 count = slots->count;
    i64 left = 0;
    weft_scope_open(device);
    const weft_array is_open =
        weft_lazy(count, mbp_potential_open, .error = error, .of = slots->of,
                  .low = bounds.low, .high = bounds.high);
    weft_count_if(device, is_open, &left);
    const weft_array slot = weft_scratch(device, WEFT_I64, left);
    const weft_array phi = weft_scratch(device, WEFT_F64, left);
    points_list(device, is_open, slot, NULL);
    mbp_evaluate(device, slots, slot, phi);
    weft_for_each(device, left, mbp_potential_put, .of = slots->of, .slot = slot,
                  .phi = phi, .potential = potential);
    weft_scope_close(device);
}

void mbp_potentials(weft_device *device, const mbp_rule *rule, const weft_halos *halos,
                    f64 error, weft_array potential) {
    weft_task_begin(device, rule->call);
    weft_scope_open(device);
    if (!(error >= 0 && error <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: error is %g, not 0 or above", rule->call,
                  error);
    arguments_array(device, rule->call, "potential", potential, WEFT_F64, halos->members);
    arguments_members(device, rule->call, rule->bodies, halos);
    const mbp_slots slots = mbp_prepare(device, rule, halos);
    const i64 count = slots.count;
    if (slots.halos > 0) {
        const mbp_bounds_arrays bounds = mbp_bound_nothing(device, &slots);
        const weft_array to = weft_slice(device, potential, 0, halos->members);
        weft_task_until(device, 0.9);
        if (error >= least_error && (rule->all_pairs || count > (i64)UINT32_MAX))
            mbp_plan_of(device)->by_pairs(device, &slots, bounds);
        else if (error >= least_error)
            bound_by_tree(device, &slots, error, bounds);
        if (rule->verify)
            mbp_verify(device, rule->call, &slots, bounds,
                       points_filled(device, slots.halos, 0), halos->member);
        weft_for_each(device, count, mbp_potential_middle, .of = slots.of,
                      .low = bounds.low, .high = bounds.high, .potential = to);
        weft_task_until(device, 1);
        evaluate_rest(device, &slots, error, bounds, to);
    }
    weft_scope_close(device);
    weft_task_end(device);
}

/* Whether all pairs take less time than a tree over halos of up to `longest` members. */
static int is_for_pairs(const mbp_plan *plan, i64 members, i64 longest) {
    return (!plan->by_halo && longest < plan->short_below) ||
           (f64)members * (f64)longest < (f64)plan->pairs_below;
}

void mbp_depths(weft_device *device, const mbp_rule *rule, const weft_halos *halos,
                i64 longest, f64 error, weft_array depth) {
    const mbp_plan *plan = mbp_plan_of(device);
    weft_task_begin(device, rule->call);
    weft_scope_open(device);
    const mbp_slots slots = mbp_prepare(device, rule, halos);
    if (slots.halos > 0) {
        const mbp_bounds_arrays bounds = mbp_bound_nothing(device, &slots);
        if (is_for_pairs(plan, halos->members, longest))
            plan->by_pairs(device, &slots, bounds);
        else
            bound_by_tree(device, &slots, error, bounds);
        weft_for_each(device, slots.count, mbp_potential_depth, .of = slots.of,
                      .low = bounds.low, .depth = depth);
    }
    weft_scope_close(device);
    weft_task_end(device);
}
