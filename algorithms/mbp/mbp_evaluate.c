/* The potential as it is defined, of few members of many halos; mbp_piles.c has that of
 * many at few places. */
#include "mbp.h"
#include "mbp_evaluate.kernel.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"

#include <stdlib.h>

WEFT_BUNDLE(mbp_survivors, (value, i64, from), (value, i64, count), (in, i64, slot, 0),
            (in, i64, ends, 0))
WEFT_GENERATOR(mbp_evaluate_blocks, i64, (bundle, mbp_halos, of), (in, i64, survivor))
WEFT_KERNEL(mbp_evaluate_sum, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (bundle, mbp_survivors, s), (out, f64, sums))
WEFT_KERNEL(mbp_evaluate_pair_parts, (bundle, mbp_survivors, s), (inout, f64, sums, 0))
WEFT_KERNEL(mbp_evaluate_pair_all, (bundle, mbp_survivors, s), (inout, f64, sums, 0),
            (out, f64, potential))

/* Sums of blocks that are kept at a time, where one member has no more; and so many that
 * piles are looked for first, which takes a sort. */
enum { MOST_BLOCKS = 1 << 22, BLOCKS_WORTH_PILES = 1 << 15 };

static void evaluate_part(weft_device *device, const mbp_slots *slots,
                          mbp_survivors_arrays s, i64 blocks, weft_array potential) {
    weft_scope_open(device);
    const weft_array sums = weft_scratch(device, WEFT_F64, blocks);
    weft_for_each(device, blocks, mbp_evaluate_sum, .of = slots->of, .b = slots->at, .s = s,
                  .sums = sums);
    weft_for_each(device, blocks, mbp_evaluate_pair_parts, .s = s, .sums = sums);
    weft_for_each(device, s.count, mbp_evaluate_pair_all, .s = s, .sums = sums,
                  .potential = potential);
    weft_scope_close(device);
}

i64 mbp_evaluate_count(weft_device *device, const mbp_slots *slots, weft_array survivor) {
    i64 blocks = 0;
    weft_reduce(device,
                weft_lazy(survivor.length, mbp_evaluate_blocks, .of = slots->of,
                          .survivor = survivor),
                weft_plus(WEFT_I64), &blocks);
    return weft_check(device) == WEFT_OK ? blocks : 0;
}

void mbp_evaluate(weft_device *device, const mbp_slots *slots, weft_array survivor,
                  weft_array potential) {
    const i64 count = survivor.length;
    i64 *host = malloc((size_t)(count + 1) * sizeof *host);
    if (!host) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: the blocks of %lld members",
                  (long long)count);
        return;
    }
    weft_task_begin(device, "mbp_evaluate");
    weft_scope_open(device);
    const weft_array ends = weft_scratch(device, WEFT_I64, count);
    weft_scan(device,
              weft_lazy(count, mbp_evaluate_blocks, .of = slots->of, .survivor = survivor),
              weft_plus(WEFT_I64), WEFT_INCLUSIVE, ends);
    weft_read(device, ends, host);
    const int done = count > 0 && weft_check(device) == WEFT_OK &&
                     host[count - 1] >= BLOCKS_WORTH_PILES &&
                     mbp_evaluate_piles(device, slots, survivor, potential);
    i64 from = 0;
    for (i64 begin = 0, end; !done && begin < count && weft_check(device) == WEFT_OK;
         begin = end) {
        for (end = begin + 1; end < count && host[end] - from <= MOST_BLOCKS; end++)
            ;
        const i64 n = end - begin;
        const mbp_survivors_arrays part = {from, n, weft_slice(device, survivor, begin, n),
                                           weft_slice(device, ends, begin, n)};
        weft_task_until(device, (f64)end / (f64)count);
        evaluate_part(device, slots, part, host[end - 1] - from,
                      weft_slice(device, potential, begin, n));
        from = host[end - 1];
    }
    weft_scope_close(device);
    weft_task_end(device);
    free(host);
}
