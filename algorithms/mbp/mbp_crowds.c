/* Survivors that are not the most bound, found without evaluating each. */
#include "mbp.h"
#include "mbp_crowds.kernel.h"
#include "algorithms/pyramid/lengths.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_BUNDLE(mbp_below, (value, i64, count), (in, i64, survivor, 0), (in, u32, turn, 0),
            (in, i64, begin, 0), (in, i64, offset, 0))
WEFT_GENERATOR(mbp_below_size, i64, (value, i64, groups), (bundle, mbp_halos, of),
               (in, i64, survivor, 0), (in, u32, turn, 0), (in, i64, begin))
WEFT_GENERATOR(mbp_below_box, mbp_box, (bundle, mbp_bodies, b), (bundle, mbp_below, g))
WEFT_KERNEL(mbp_below_block, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (bundle, mbp_below, g), (in, mbp_box, box, 0), (out, f64, sums))
WEFT_KERNEL(mbp_below_pair, (bundle, mbp_halos, of), (bundle, mbp_below, g),
            (inout, f64, sums, 0))
WEFT_KERNEL(mbp_below_member, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (bundle, mbp_below, g), (in, f64, sums, 0), (inout, f64, potential, 0))
WEFT_BUNDLE(mbp_crowds_best, (inout, i64, slot, 0), (inout, f64, phi, 0))
WEFT_GENERATOR(mbp_crowds_offset, i64, (value, i64, halos), (in, i64, offset, 0),
               (in, i64, survivor, 0), (value, i64, survivors))
WEFT_GENERATOR(mbp_crowds_particle, u32, (bundle, mbp_halos, of), (in, i64, survivor),
               (in, u32, member, 0))
WEFT_GENERATOR(mbp_crowds_there, u32, (bundle, mbp_halos, of), (in, u32, order))
WEFT_GENERATOR(mbp_crowds_number, u32, (bundle, mbp_halos, of), (in, u32, order, 0),
               (in, u32, place))
WEFT_GENERATOR(mbp_crowds_begins, u32, (value, i64, size), (bundle, mbp_halos, of),
               (in, i64, survivor, 0), (in, u32, turn, 0))
WEFT_GENERATOR(mbp_crowds_choose, i64, (in, i64, survivor, 0), (in, u32, turn, 0),
               (in, i64, begin, n + 1), (in, f64, phi, 0))
WEFT_KERNEL(mbp_crowds_raise, (value, i64, count), (in, i64, offset, n + 1),
            (in, i64, slot, 0), (in, f64, phi, 0), (bundle, mbp_crowds_best, best))
WEFT_GENERATOR(mbp_crowds_stays, u32, (bundle, mbp_halos, of), (in, i64, survivor),
               (in, f64, phi), (in, i64, slot, 0), (in, f64, deepest, 0))

/* Blocks of sums that take longer than this does; sums that are kept at a time, where one
 * group has no more. */
enum { BLOCKS_WORTH = 1 << 16, MOST_SUMS = 1 << 22 };

/* Numbers of survivors, neighbours beside each other, halo by halo: [n] u32. */
static weft_array in_order(weft_device *device, const mbp_rule *rule,
                           const mbp_slots *slots, weft_array member, weft_array survivor) {
    const i64 n = survivor.length, halos = slots->halos;
    const weft_array turn = weft_scratch(device, WEFT_U32, n);
    weft_scope_open(device);
    const weft_array offset = weft_scratch(device, WEFT_I64, halos + 1);
    const weft_array particle = weft_scratch(device, WEFT_U32, n);
    weft_transform(device, halos + 1, offset, mbp_crowds_offset, .halos = halos,
                   .offset = slots->of.offset, .survivor = survivor, .survivors = n);
    weft_transform(device, n, particle, mbp_crowds_particle, .of = slots->of,
                   .survivor = survivor, .member = member);
    const weft_halos some = {
        .count = halos, .members = n, .offset = offset, .member = particle};
    const mbp_slots own = mbp_prepare(device, rule, &some);
    const mbp_tree tree = mbp_tree_order(device, &own);
    const weft_array place = weft_scratch(device, WEFT_U32, own.count);
    points_list(device,
                weft_lazy(own.count, mbp_crowds_there, .of = own.of, .order = tree.order),
                place, NULL);
    weft_transform(device, n, turn, mbp_crowds_number, .of = own.of, .order = tree.order,
                   .place = weft_slice(device, place, 0, n));
    weft_scope_close(device);
    return turn;
}

/* Where groups begin, whose first survivors are flagged, and where the last one ends:
 * [groups + 1] i64, scratch. */
static weft_array begins_of(weft_device *device, weft_array flags) {
    const i64 n = flags.length;
    const weft_array begin = weft_scratch(device, WEFT_I64, n + 1);
    i64 groups = 0;
    points_list(device, flags, weft_slice(device, begin, 0, n), &groups);
    weft_write(device, weft_slice(device, begin, groups, 1), &n);
    return weft_slice(device, begin, 0, groups + 1);
}

static void evaluate_part(weft_device *device, const mbp_slots *slots, mbp_below_arrays g,
                          i64 sums, i64 members, weft_array potential) {
    weft_scope_open(device);
    const weft_array sum = weft_scratch(device, WEFT_F64, sums);
    const weft_array box = weft_scratch(device, WEFT_STRUCT(mbp_box), g.count);
    weft_transform(device, g.count, box, mbp_below_box, .b = slots->at, .g = g);
    weft_for_each(device, sums, mbp_below_block, .of = slots->of, .b = slots->at, .g = g,
                  .box = box, .sums = sum);
    weft_for_each(device, g.count, mbp_below_pair, .of = slots->of, .g = g, .sums = sum);
    weft_for_each(device, members, mbp_below_member, .of = slots->of, .b = slots->at,
                  .g = g, .sums = sum, .potential = potential);
    weft_scope_close(device);
}

/* potential [n] f64: no more than phi of each survivor, of groups that begin with survivor
 * number turn[begin[..]]. */
static void evaluate_groups(weft_device *device, const mbp_slots *slots,
                            weft_array survivor, weft_array turn, weft_array begin,
                            weft_array potential) {
    const i64 groups = begin.length - 1;
    weft_scope_open(device);
    const weft_array offset = weft_scratch(device, WEFT_I64, groups + 1);
    weft_scan(device,
              weft_lazy(groups + 1, mbp_below_size, .groups = groups, .of = slots->of,
                        .survivor = survivor, .turn = turn, .begin = begin),
              weft_plus(WEFT_I64), WEFT_EXCLUSIVE, offset);
    for (i64 from = 0, to; from < groups && weft_check(device) == WEFT_OK; from = to) {
        to = lengths_batch(device, groups, offset, from, MOST_SUMS);
        i64 edge[2] = {0, 0}, first = 0, sums = 0;
        weft_read(device, weft_slice(device, begin, from, 1), &edge[0]);
        weft_read(device, weft_slice(device, begin, to, 1), &edge[1]);
        weft_scope_open(device);
        const mbp_below_arrays part = {
            to - from, survivor, turn, weft_slice(device, begin, from, to - from + 1),
            lengths_alone(device, offset, from, to, &first, &sums)};
        evaluate_part(device, slots, part, sums, edge[1] - edge[0], potential);
        weft_scope_close(device);
    }
    weft_scope_close(device);
}

/* Evaluates the member of each group that may be its most bound, by `phi`. */
static void raise_best(weft_device *device, const mbp_slots *slots, weft_array survivor,
                       weft_array turn, weft_array begin, weft_array phi,
                       mbp_crowds_best_arrays best) {
    const i64 groups = begin.length - 1;
    weft_scope_open(device);
    const weft_array chosen = weft_scratch(device, WEFT_I64, groups);
    const weft_array value = weft_scratch(device, WEFT_F64, groups);
    weft_transform(device, groups, chosen, mbp_crowds_choose, .survivor = survivor,
                   .turn = turn, .begin = begin, .phi = phi);
    mbp_evaluate(device, slots, chosen, value);
    weft_for_each(device, slots->halos, mbp_crowds_raise, .count = groups,
                  .offset = slots->of.offset, .slot = chosen, .phi = value, .best = best);
    weft_scope_close(device);
}

/* Groups of fewer and fewer neighbours, until few survivors are left, or most of them stay
 * in whatever group. */
i64 mbp_leave_crowds(weft_device *device, const mbp_rule *rule, const mbp_slots *slots,
                     weft_array member, weft_array survivor) {
    static const i64 sizes[] = {1024, 128, 16, 4};
    i64 n = survivor.length;
    if (!(slots->of.softening * slots->of.softening > 0) || n > (i64)UINT32_MAX ||
        mbp_evaluate_count(device, slots, survivor) < BLOCKS_WORTH)
        return n;
    const i64 none = -1;
    weft_scope_open(device);
    const mbp_crowds_best_arrays best = {weft_scratch(device, WEFT_I64, slots->halos),
                                         weft_scratch(device, WEFT_F64, slots->halos)};
    const weft_array kept = weft_scratch(device, WEFT_I64, n);
    weft_fill(device, best.slot, &none);
    for (int round = 0, stuck = 0; round < 4 && stuck < 2; round++) {
        const weft_array those = weft_slice(device, survivor, 0, n);
        const i64 before = n;
        if (mbp_evaluate_count(device, slots, those) < BLOCKS_WORTH)
            break;
        weft_scope_open(device);
        const weft_array turn = in_order(device, rule, slots, member, those);
        const weft_array phi = weft_scratch(device, WEFT_F64, n);
        const weft_array begin =
            begins_of(device, weft_lazy(n, mbp_crowds_begins, .size = sizes[round],
                                        .of = slots->of, .survivor = those, .turn = turn));
        evaluate_groups(device, slots, those, turn, begin, phi);
        raise_best(device, slots, those, turn, begin, phi, best);
        weft_copy_if(device, those,
                     weft_lazy(n, mbp_crowds_stays, .of = slots->of, .survivor = those,
                               .phi = phi, .slot = best.slot, .deepest = best.phi),
                     kept, &n);
        weft_copy(device, weft_slice(device, kept, 0, n),
                  weft_slice(device, survivor, 0, n));
        weft_scope_close(device);
        stuck = n > before - before / 4 ? stuck + 1 : 0;
    }
    weft_scope_close(device);
    return n;
}
