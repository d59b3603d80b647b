/* The potential as it is defined, of many members at few places. */
#include "mbp.h"
#include "mbp_piles.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/sort.h"
#include "weft/transform.h"

#include <stdlib.h>

WEFT_BUNDLE(mbp_piles, (value, i64, from), (value, i64, count), (value, i32, groups),
            (in, i64, survivor, 0), (in, u32, turn, 0), (in, i64, begin, 0),
            (in, i64, ends, 0))
WEFT_GENERATOR(mbp_piles_key, u64, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
               (in, i64, survivor))
WEFT_GENERATOR(mbp_piles_begins, u32, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
               (in, i64, survivor, 0), (in, u32, turn, 0))
WEFT_GENERATOR(mbp_piles_size, i64, (bundle, mbp_halos, of), (in, i64, survivor, 0),
               (in, u32, turn, 0), (in, i64, begin))
WEFT_GENERATOR(mbp_piles_box, mbp_box, (value, i64, last), (bundle, mbp_bodies, b),
               (bundle, mbp_piles, p))
WEFT_KERNEL(mbp_piles_block, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (bundle, mbp_piles, p), (in, mbp_box, box, 0), (out, f64, sums))
WEFT_KERNEL(mbp_piles_pair, (bundle, mbp_halos, of), (bundle, mbp_piles, p),
            (inout, f64, sums, 0))
WEFT_KERNEL(mbp_piles_member, (value, i64, k0), (bundle, mbp_halos, of),
            (bundle, mbp_bodies, b), (bundle, mbp_piles, p), (in, f64, sums, 0),
            (inout, f64, potential, 0))

/* Survivors that are worth the sort, the share of them that must be spared, and sums that
 * are kept at a time, where one pile has no more. */
enum { LEAST = 256, LEAST_SHARE = 8, MOST_SUMS = 1 << 22 };

/* Piles [begin, end), whose members are survivors [first, last) in the order of keys. */
static void evaluate_part(weft_device *device, const mbp_slots *slots, mbp_piles_arrays p,
                          i64 first, i64 last, i64 sums, weft_array potential) {
    weft_scope_open(device);
    const weft_array sum = weft_scratch(device, WEFT_F64, sums);
    const weft_array box = weft_scratch(device, WEFT_STRUCT(mbp_box), p.count);
    weft_transform(device, p.count, box, mbp_piles_box, .last = last, .b = slots->at,
                   .p = p);
    weft_for_each(device, sums, mbp_piles_block, .of = slots->of, .b = slots->at, .p = p,
                  .box = box, .sums = sum);
    weft_for_each(device, p.count, mbp_piles_pair, .of = slots->of, .p = p, .sums = sum);
    weft_for_each(device, last - first, mbp_piles_member, .k0 = first, .of = slots->of,
                  .b = slots->at, .p = p, .sums = sum, .potential = potential);
    weft_scope_close(device);
}

/* Piles in parts for whose sums there is room. */
static void evaluate_all(weft_device *device, const mbp_slots *slots, mbp_piles_arrays all,
                         weft_array potential) {
    const i64 count = all.count, survivors = all.survivor.length;
    i64 *begins = malloc((size_t)(count + 1) * sizeof *begins),
        *ends = malloc((size_t)count * sizeof *ends);
    if (!begins || !ends) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld piles", (long long)count);
    } else {
        weft_read(device, all.begin, begins);
        weft_read(device, all.ends, ends);
        begins[count] = survivors;
    }
    i64 from = 0;
    for (i64 begin = 0, end; begin < count && weft_check(device) == WEFT_OK; begin = end) {
        for (end = begin + 1; end < count && ends[end] - from <= MOST_SUMS; end++)
            ;
        const mbp_piles_arrays part = {from,
                                       end - begin,
                                       all.groups,
                                       all.survivor,
                                       all.turn,
                                       weft_slice(device, all.begin, begin, end - begin),
                                       weft_slice(device, all.ends, begin, end - begin)};
        evaluate_part(device, slots, part, begins[begin], begins[end], ends[end - 1] - from,
                      potential);
        from = ends[end - 1];
    }
    free(begins), free(ends);
}

void mbp_evaluate_groups(weft_device *device, const mbp_slots *slots, weft_array survivor,
                         weft_array turn, weft_array begin, i32 groups,
                         weft_array potential) {
    const i64 piles = begin.length;
    weft_scope_open(device);
    const weft_array ends = weft_scratch(device, WEFT_I64, piles);
    weft_scan(device,
              weft_lazy(piles, mbp_piles_size, .of = slots->of, .survivor = survivor,
                        .turn = turn, .begin = begin),
              weft_plus(WEFT_I64), WEFT_INCLUSIVE, ends);
    if (piles > 0 && weft_check(device) == WEFT_OK)
        evaluate_all(device, slots,
                     (mbp_piles_arrays){0, piles, groups, survivor, turn, begin, ends},
                     potential);
    weft_scope_close(device);
}

int mbp_evaluate_piles(weft_device *device, const mbp_slots *slots, weft_array survivor,
                       weft_array potential) {
    const i64 n = survivor.length;
    if (!(slots->of.softening * slots->of.softening > 0) || n < LEAST ||
        n > (i64)UINT32_MAX)
        return 0;
    i64 piles = 0;
    weft_scope_open(device);
    const weft_array turn = points_numbers(device, n);
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, n);
    weft_transform(device, n, key, mbp_piles_key, .of = slots->of, .b = slots->at,
                   .survivor = survivor);
    weft_sort_by_key(device, key, turn, WEFT_ASCENDING);
    weft_scope_close(device);
    const weft_array begins = weft_lazy(n, mbp_piles_begins, .of = slots->of,
                                        .b = slots->at, .survivor = survivor, .turn = turn);
    weft_count_if(device, begins, &piles);
    const int pays = weft_check(device) == WEFT_OK && piles <= n - n / LEAST_SHARE;
    if (pays) {
        const weft_array begin = weft_scratch(device, WEFT_I64, piles);
        points_list(device, begins, begin, NULL);
        mbp_evaluate_groups(device, slots, survivor, turn, begin, 0, potential);
    }
    weft_scope_close(device);
    return pays;
}
