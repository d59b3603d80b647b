#include "mbp.h"
#include "mbp.kernel.h"
#include "algorithms/points/arguments.h"
#include "algorithms/pyramid/lengths.h"
#include "algorithms/tuning.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_best, (bundle, mbp_halos, of), (in, f32, low), (shared, u32, best, 0))
WEFT_KERNEL(mbp_best_there, (bundle, mbp_halos, of), (in, u32, places), (in, u32, order, 0),
            (in, f32, low, 0), (shared, u32, best, 0))
WEFT_GENERATOR(mbp_place_walks, u32, (bundle, mbp_halos, of), (in, u32, order),
               (in, f32, low, 0), (in, f32, high, 0), (in, u32, best, 0))
WEFT_GENERATOR(mbp_still_walks, u32, (bundle, mbp_halos, of), (in, u32, places),
               (in, u32, order, 0), (in, f32, low, 0), (in, f32, high, 0),
               (in, u32, best, 0))
WEFT_GENERATOR(mbp_share_place, u32, (value, u32, share), (value, u32, shares))
WEFT_KERNEL(mbp_leave, (value, u32, share), (value, u32, shares), (in, u32, order),
            (inout, f32, high, 0))
WEFT_GENERATOR(mbp_price, i64, (bundle, mbp_halos, of), (in, f32, high), (in, u32, best, 0))
WEFT_GENERATOR(mbp_pairs_of, i64, (in, i64, offset, n + 1))

/* Members of short halos in a batch, for each that works at once. */
enum { BATCH = 1 << 16 };

/* best [halos] u32: the bits of the largest of lower bounds, of what it was and of these.
 */
static void raise_best(weft_device *device, const mbp_slots *slots, weft_array low,
                       weft_array best) {
    weft_for_each(device, slots->count, mbp_best, .of = slots->of, .low = low,
                  .best = best);
}

/* The same by those in `places`, where no other lower bound was raised. */
static void raise_best_there(weft_device *device, const mbp_slots *slots,
                             const mbp_tree *tree, weft_array places, weft_array low,
                             weft_array best) {
    if (places.length > slots->count / 2)
        raise_best(device, slots, low, best);
    else
        weft_for_each(device, places.length, mbp_best_there, .of = slots->of,
                      .places = places, .order = tree->order, .low = low, .best = best);
}

/* Those of a share, into `places`; returns how many there are. */
static i64 list_share(weft_device *device, i64 count, const mbp_rule *rule,
                      weft_array places) {
    const i64 shares = rule->shares > 1 ? rule->shares : 1, share = rule->share;
    const i64 turns = count / MBP_TURN, over = count % MBP_TURN;
    const i64 n = (turns + shares - 1 - share) / shares * MBP_TURN +
                  (turns % shares == share ? over : 0);
    weft_transform(device, n, places, mbp_share_place, .share = (u32)share,
                   .shares = (u32)shares);
    return n;
}

/* Those whose upper bounds are not below it, nor as close to the lower ones as f32 tells,
 * in the order of the tree, into `places`; returns how many there are. */
static i64 list_walkers(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                        mbp_bounds_arrays bounds, weft_array best, weft_array places) {
    i64 left = 0;
    points_list(device,
                weft_lazy(slots->count, mbp_place_walks, .of = slots->of,
                          .order = tree->order, .low = bounds.low, .high = bounds.high,
                          .best = best),
                places, &left);
    return left;
}

/* Those of a list, which no other has joined since, in its place; returns how many. */
static i64 list_again(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                      mbp_bounds_arrays bounds, weft_array best, weft_array places) {
    i64 left = 0;
    weft_copy_if(device, places,
                 weft_lazy(places.length, mbp_still_walks, .of = slots->of,
                           .places = places, .order = tree->order, .low = bounds.low,
                           .high = bounds.high, .best = best),
                 places, &left);
    return left;
}

/* What it takes to evaluate them, once it is known how deep each halo is at least; only
 * bounds of members in `places` were narrowed. */
static i64 price_survivors(weft_device *device, const mbp_slots *slots,
                           const mbp_tree *tree, weft_array places,
                           mbp_bounds_arrays bounds, weft_array best) {
    i64 price = 0;
    raise_best_there(device, slots, tree, places, bounds.low, best);
    weft_reduce(device,
                weft_lazy(slots->count, mbp_price, .of = slots->of, .high = bounds.high,
                          .best = best),
                weft_plus(WEFT_I64), &price);
    return price;
}

/* Walks in f64, by those whom no walk in f32 tells apart. */
static void bound_by_tree64(weft_device *device, const mbp_slots *slots, mbp_tree *tree,
                            mbp_bounds_arrays bounds, i64 cheap, weft_array best,
                            weft_array places) {
    static const f64 tolerance[] = {1e-5, 1e-7, 1e-9};
    weft_task_begin(device, "mbp_tree64");
    weft_scope_open(device);
    mbp_tree64_build(device, slots, tree);
    mbp_leave_coincident(device, slots, tree, bounds.high);
    i64 price = cheap + 1;
    for (int round = 0; round < 3 && price > cheap; round++) {
        const i64 left = list_walkers(device, slots, tree, bounds, best, places);
        weft_task_until(device, 0.4 + 0.2 * (round + 1));
        const weft_array those = weft_slice(device, places, 0, left);
        mbp_tree64_walk_by(device, slots, tree, tolerance[round], 1, best, those, bounds);
        price = price_survivors(device, slots, tree, those, bounds, best);
    }
    weft_scope_close(device);
    weft_task_end(device);
}

/* Those who crowd within the softening are bounded without a walk. Then walks of more and
 * more exactness, by those who may be the most bound ones, until it is cheap to evaluate
 * them. Seeds, the densest members, come first where all may be the most bound, so that the
 * next walk ends early for all that they are deeper than: it goes on by itself where that
 * is known. Then, of many members at one place, only the first one walks; and walks in f32
 * end when they no longer help. */
void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, const mbp_rule *rule,
                       mbp_bounds_arrays bounds, weft_array best) {
    static const f64 tolerance[] = {1e-2, 1e-4, 1e-5, 1e-6, 1e-7};
    const mbp_plan *plan = mbp_plan_of(device);
    const tuning *tuned = tuning_of(device);
    const i64 count = slots->count;
    const i64 cheap = tuned->mbp_cheap + tuned->mbp_cheap_each * count;
    weft_task_begin(device, "mbp_bound_by_tree");
    weft_scope_open(device);
    weft_task_until(device, 0.2);
    mbp_tree tree = mbp_tree_build(device, slots);
    const weft_array places = weft_scratch(device, WEFT_U32, count);
    i64 left = rule->some ? list_walkers(device, slots, &tree, bounds, best, places)
                          : list_share(device, count, rule, places);
    i64 price = INT64_MAX, before = 0;
    if (rule->shares > 1)
        weft_for_each(device, count, mbp_leave, .share = (u32)rule->share,
                      .shares = (u32)rule->shares, .order = tree.order,
                      .high = bounds.high);
    weft_task_until(device, 0.25);
    if (mbp_soft_bound(device, slots, &tree, bounds)) {
        price = price_survivors(device, slots, &tree, places, bounds, best);
        left = list_walkers(device, slots, &tree, bounds, best, places);
    }
    if (plan->seeds && left > 0 && price > cheap) {
        mbp_leave_coincident(device, slots, &tree, bounds.high);
        left = list_walkers(device, slots, &tree, bounds, best, places);
        if (!rule->some) {
            const weft_array seeds = plan->seeds(device, slots, &tree);
            plan->by_tree(device, slots, &tree, 1e-4, 1, best, seeds, bounds);
            raise_best_there(device, slots, &tree, seeds, bounds.low, best);
        }
    }
    for (int round = 0; round < 5 && left > 0 && price > cheap; round++) {
        if (round > 0)
            left = list_again(device, slots, &tree, bounds, best,
                              weft_slice(device, places, 0, left));
        const weft_array those = weft_slice(device, places, 0, left);
        weft_task_until(device, 0.9 - 0.6 / (2 << round)); /* most often the first is all */
        const i32 walks = round == 0 && (rule->deep || !rule->some) ? 4 : 1;
        plan->by_tree(device, slots, &tree, tolerance[round], walks, best, those, bounds);
        before = price;
        price = price_survivors(device, slots, &tree, those, bounds, best);
        if (plan->seeds && round > 1 && price > before / 2)
            break;
    }
    weft_task_until(device, 1);
    if (left > 0 && price > cheap && price > tuned->mbp_tree64 * count)
        bound_by_tree64(device, slots, &tree, bounds, cheap, best, places);
    weft_scope_close(device);
    weft_task_end(device);
}

/* How bounds are found: of long halos, of any, or of short ones, each by a work-item. */
typedef enum way { BY_TREE, BY_PAIRS, BY_HALO } way;

static void find(weft_device *device, const mbp_rule *rule, const weft_halos *halos, way by,
                 weft_array particle, weft_array potential) {
    weft_task_begin(device, "mbp_find");
    const mbp_plan *plan = mbp_plan_of(device);
    const mbp_slots slots = mbp_prepare(device, rule, halos);
    const weft_array best = points_filled(device, halos->count, 0);
    weft_task_until(device, 0.9);
    const mbp_bounds_arrays bounds = by == BY_HALO ? plan->by_halo(device, &slots, best)
                                                   : mbp_bound_nothing(device, &slots);
    if (by == BY_PAIRS || (by == BY_TREE && slots.count > (i64)UINT32_MAX)) {
        plan->by_pairs(device, &slots, bounds);
        raise_best(device, &slots, bounds.low, best);
    } else if (by == BY_TREE) {
        mbp_bound_by_tree(device, &slots, rule, bounds, best);
    }
    weft_task_until(device, 1);
    if (rule->verify)
        mbp_verify(device, rule->call, &slots, bounds, best, halos->member);
    mbp_decide(device, rule, &slots, bounds.high, best, halos->member, particle, potential);
    weft_task_end(device);
}

/* How many halos, which come by length, are to be found by trees: the long ones, unless a
 * tree takes longer than all their pairs. (Those who share pairs would each find all.) */
static i64 count_long(weft_device *device, const weft_halos *halos, const mbp_rule *rule) {
    i64 pairs = INT64_MAX;
    const mbp_plan *plan = mbp_plan_of(device);
    if (rule->all_pairs && !plan->by_halo)
        return 0;
    const i64 last = lengths_last(device, halos->count, halos->offset, plan->short_below);
    if (last > 0 && rule->shares <= 1)
        weft_reduce(device, weft_lazy(last, mbp_pairs_of, .offset = halos->offset),
                    weft_plus(WEFT_I64), &pairs);
    return last > 0 && pairs >= plan->pairs_below ? last : 0;
}

void mbp_find(weft_device *device, const mbp_rule *rule, const weft_halos *halos,
              weft_array particle, weft_array potential) {
    weft_task_begin(device, rule->call);
    weft_scope_open(device);
    arguments_array(device, rule->call, "particle", particle, WEFT_U32, halos->count);
    arguments_array(device, rule->call, "potential", potential, WEFT_F64, halos->count);
    mbp_check(device, rule);
    arguments_members(device, rule->call, rule->bodies, halos);
    const mbp_plan *plan = mbp_plan_of(device);
    const i64 last = halos->count, middle = last > 0 ? count_long(device, halos, rule) : 0;
    const f64 longs = middle == 0 ? 0 : middle < last ? 0.8 : 1;
    for (i64 begin = 0, end; begin < last && weft_check(device) == WEFT_OK; begin = end) {
        const int is_long = begin < middle;
        const way by = is_long && !rule->all_pairs ? BY_TREE
                       : is_long || !plan->by_halo ? BY_PAIRS
                                                   : BY_HALO;
        end = is_long         ? middle
              : by == BY_HALO ? lengths_batch(device, last, halos->offset, begin,
                                              BATCH * weft_concurrency(device))
                              : last;
        weft_task_until(device,
                        is_long ? longs : longs + (1 - longs) * (f64)end / (f64)last);
        weft_scope_open(device);
        const weft_halos part = lengths_halos(device, halos, begin, end);
        find(device, rule, &part, by, weft_slice(device, particle, begin, part.count),
             weft_slice(device, potential, begin, part.count));
        weft_scope_close(device);
    }
    weft_scope_close(device);
    weft_task_end(device);
}
