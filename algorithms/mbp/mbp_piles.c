/* The potential as it is defined, of many members at few places. */
#include "mbp.h"
#include "mbp_piles.kernel.h"
#include "algorithms/pyramid/lengths.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_BUNDLE(mbp_piles, (value, i64, count), (value, i32, groups), (in, i64, survivor, 0),
            (in, u32, turn, 0), (in, i64, begin, 0), (in, i64, offset, 0))
WEFT_GENERATOR(mbp_piles_key, u64, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
               (in, i64, survivor))
WEFT_GENERATOR(mbp_piles_begins, u32, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
               (in, i64, survivor, 0), (in, u32, turn, 0))
WEFT_GENERATOR(mbp_piles_size, i64, (value, i64, piles), (bundle, mbp_halos, of),
               (in, i64, survivor, 0), (in, u32, turn, 0), (in, i64, begin))
WEFT_GENERATOR(mbp_piles_box, mbp_box, (bundle, mbp_bodies, b), (bundle, mbp_piles, p))
WEFT_KERNEL(mbp_piles_block, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (bundle, mbp_piles, p), (in, mbp_box, box, 0), (out, f64, sums))
WEFT_KERNEL(mbp_piles_pair, (bundle, mbp_halos, of), (bundle, mbp_piles, p),
            (inout, f64, sums, 0))
WEFT_KERNEL(mbp_piles_member, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (bundle, mbp_piles, p), (in, f64, sums, 0), (inout, f64, potential, 0))

/* Survivors that are worth the sort, the share of them that must be spared, and sums that
 * are kept at a time, where one pile has no more. */
enum { LEAST = 256, LEAST_SHARE = 8, MOST_SUMS = 1 << 22 };

static void evaluate_part(weft_device *device, const mbp_slots *slots, mbp_piles_arrays p,
                          i64 sums, i64 members, weft_array potential) {
    weft_scope_open(device);
    const weft_array sum = weft_scratch(device, WEFT_F64, sums);
    const weft_array box = weft_scratch(device, WEFT_STRUCT(mbp_box), p.count);
    weft_transform(device, p.count, box, mbp_piles_box, .b = slots->at, .p = p);
    weft_for_each(device, sums, mbp_piles_block, .of = slots->of, .b = slots->at, .p = p,
                  .box = box, .sums = sum);
    weft_for_each(device, p.count, mbp_piles_pair, .of = slots->of, .p = p, .sums = sum);
    weft_for_each(device, members, mbp_piles_member, .of = slots->of, .b = slots->at,
                  .p = p, .sums = sum, .potential = potential);
    weft_scope_close(device);
}

void mbp_evaluate_groups(weft_device *device, const mbp_slots *slots, weft_array survivor,
                         weft_array turn, weft_array begin, i32 groups,
                         weft_array potential) {
    const i64 piles = begin.length - 1;
    weft_scope_open(device);
    const weft_array offset = weft_scratch(device, WEFT_I64, piles + 1);
    weft_scan(device,
              weft_lazy(piles + 1, mbp_piles_size, .piles = piles, .of = slots->of,
                        .survivor = survivor, .turn = turn, .begin = begin),
              weft_plus(WEFT_I64), WEFT_EXCLUSIVE, offset);
    for (i64 from = 0, to; from < piles && weft_check(device) == WEFT_OK; from = to) {
        to = lengths_batch(device, piles, offset, from, MOST_SUMS);
        i64 edge[2] = {0, 0}, first = 0, sums = 0;
        weft_read(device, weft_slice(device, begin, from, 1), &edge[0]);
        weft_read(device, weft_slice(device, begin, to, 1), &edge[1]);
        weft_scope_open(device);
        const mbp_piles_arrays part = {
            to - from,
            groups,
            survivor,
            turn,
            weft_slice(device, begin, from, to - from + 1),
            lengths_alone(device, offset, from, to, &first, &sums)};
        evaluate_part(device, slots, part, sums, edge[1] - edge[0], potential);
        weft_scope_close(device);
    }
    weft_scope_close(device);
}

weft_array mbp_begins(weft_device *device, weft_array flags) {
    const i64 n = flags.length;
    const weft_array begin = weft_scratch(device, WEFT_I64, n + 1);
    i64 groups = 0;
    points_list(device, flags, weft_slice(device, begin, 0, n), &groups);
    weft_write(device, weft_slice(device, begin, groups, 1), &n);
    return weft_slice(device, begin, 0, groups + 1);
}

int mbp_evaluate_piles(weft_device *device, const mbp_slots *slots, weft_array survivor,
                       weft_array potential) {
    const i64 n = survivor.length;
    if (!(slots->of.softening * slots->of.softening > 0) || n < LEAST ||
        n > (i64)UINT32_MAX)
        return 0;
    weft_scope_open(device);
    const weft_array turn = points_numbers(device, n);
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, n);
    weft_transform(device, n, key, mbp_piles_key, .of = slots->of, .b = slots->at,
                   .survivor = survivor);
    weft_sort_by_key(device, key, turn, WEFT_ASCENDING);
    weft_scope_close(device);
    const weft_array begin =
        mbp_begins(device, weft_lazy(n, mbp_piles_begins, .of = slots->of, .b = slots->at,
                                     .survivor = survivor, .turn = turn));
    const int pays =
        weft_check(device) == WEFT_OK && begin.length - 1 <= n - n / LEAST_SHARE;
    if (pays)
        mbp_evaluate_groups(device, slots, survivor, turn, begin, 0, potential);
    weft_scope_close(device);
    return pays;
}
