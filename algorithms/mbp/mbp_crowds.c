/* Survivors that are not the most bound, found without evaluating each. */
#include "mbp.h"
#include "mbp_crowds.kernel.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_BUNDLE(mbp_crowds_best, (inout, i64, slot, 0), (inout, f64, phi, 0))
WEFT_GENERATOR(mbp_crowds_offset, i64, (value, i64, halos), (in, i64, offset, 0),
               (in, i64, survivor, 0), (value, i64, survivors))
WEFT_KERNEL(mbp_crowds_place, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (in, i64, survivor, 0), (out, f64, x), (out, f64, y), (out, f64, z),
            (shared, u32, extent, 0))
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

/* Blocks of sums that take longer than this does. */
enum { BLOCKS_WORTH = 1 << 16 };

/* Numbers of survivors, neighbours beside each other, halo by halo: [n] u32. */
static weft_array in_order(weft_device *device, const mbp_slots *slots,
                           weft_array survivor) {
    const i64 n = survivor.length, halos = slots->halos, rows = n / MBP_ROW + halos;
    const weft_array turn = weft_scratch(device, WEFT_U32, n);
    weft_scope_open(device);
    const weft_array offset = weft_scratch(device, WEFT_I64, halos + 1);
    weft_transform(device, halos + 1, offset, mbp_crowds_offset, .halos = halos,
                   .offset = slots->of.offset, .survivor = survivor, .survivors = n);
    const mbp_slots own = mbp_rows(device, halos, n, offset, slots->of.softening);
    weft_for_each(device, own.count, mbp_crowds_place, .of = own.of, .at = slots->at,
                  .survivor = survivor, .x = own.at.x, .y = own.at.y, .z = own.at.z,
                  .extent = own.of.extent);
    const mbp_tree tree = mbp_tree_order(device, &own);
    const weft_array place = weft_scratch(device, WEFT_U32, rows * MBP_ROW);
    points_list(device,
                weft_lazy(own.count, mbp_crowds_there, .of = own.of, .order = tree.order),
                place, NULL);
    weft_transform(device, n, turn, mbp_crowds_number, .of = own.of, .order = tree.order,
                   .place = weft_slice(device, place, 0, n));
    weft_scope_close(device);
    return turn;
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
i64 mbp_leave_crowds(weft_device *device, const mbp_slots *slots, weft_array survivor) {
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
        const weft_array turn = in_order(device, slots, those);
        const weft_array phi = weft_scratch(device, WEFT_F64, n);
        const weft_array begin =
            mbp_begins(device, weft_lazy(n, mbp_crowds_begins, .size = sizes[round],
                                         .of = slots->of, .survivor = those, .turn = turn));
        mbp_evaluate_groups(device, slots, those, turn, begin, 1, phi);
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
