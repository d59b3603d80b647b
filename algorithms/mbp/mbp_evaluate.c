/* The potential as it is defined, of few members of many halos. */
#include "mbp.h"
#include "mbp_evaluate.kernel.h"
#include "algorithms/pyramid/lengths.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"

WEFT_BUNDLE(mbp_survivors, (value, i64, count), (in, i64, slot, 0), (in, i64, offset, 0))
WEFT_GENERATOR(mbp_evaluate_blocks, i64, (value, i64, survivors), (bundle, mbp_halos, of),
               (in, i64, survivor, 0))
WEFT_KERNEL(mbp_evaluate_sum, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (bundle, mbp_survivors, s), (out, f64, sums))
WEFT_KERNEL(mbp_evaluate_pair_parts, (bundle, mbp_survivors, s), (inout, f64, sums, 0))
WEFT_KERNEL(mbp_evaluate_pair_all, (bundle, mbp_survivors, s), (inout, f64, sums, 0),
            (out, f64, potential))

/* Sums of blocks that are kept at a time, where one member has no more. */
enum { MOST_BLOCKS = 1 << 22 };

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
                weft_lazy(survivor.length, mbp_evaluate_blocks,
                          .survivors = survivor.length, .of = slots->of,
                          .survivor = survivor),
                weft_plus(WEFT_I64), &blocks);
    return weft_check(device) == WEFT_OK ? blocks : 0;
}

/* Survivors in parts for whose sums there is room. */
static void evaluate_parts(weft_device *device, const mbp_slots *slots, weft_array survivor,
                           weft_array offset, weft_array potential) {
    const i64 count = survivor.length;
    for (i64 begin = 0, end; begin < count && weft_check(device) == WEFT_OK; begin = end) {
        end = lengths_batch(device, count, offset, begin, MOST_BLOCKS);
        i64 first = 0, blocks = 0;
        weft_scope_open(device);
        const mbp_survivors_arrays part = {
            end - begin, weft_slice(device, survivor, begin, end - begin),
            lengths_alone(device, offset, begin, end, &first, &blocks)};
        weft_task_until(device, (f64)end / (f64)count);
        evaluate_part(device, slots, part, blocks,
                      weft_slice(device, potential, begin, end - begin));
        weft_scope_close(device);
    }
}

void mbp_evaluate_known(weft_device *device, const mbp_slots *slots, weft_array survivor,
                        weft_array offset, i64 blocks, weft_array potential) {
    const i64 count = survivor.length;
    weft_task_begin(device, "mbp_evaluate");
    if (blocks > MOST_BLOCKS)
        evaluate_parts(device, slots, survivor, offset, potential);
    else
        evaluate_part(device, slots, (mbp_survivors_arrays){count, survivor, offset},
                      blocks, potential);
    weft_task_end(device);
}

void mbp_evaluate(weft_device *device, const mbp_slots *slots, weft_array survivor,
                  weft_array potential) {
    const i64 count = survivor.length;
    i64 blocks = 0;
    weft_scope_open(device);
    const weft_array offset = weft_scratch(device, WEFT_I64, count + 1);
    weft_scan(device,
              weft_lazy(count + 1, mbp_evaluate_blocks, .survivors = count, .of = slots->of,
                        .survivor = survivor),
              weft_plus(WEFT_I64), WEFT_EXCLUSIVE, offset);
    weft_read(device, weft_slice(device, offset, count, 1), &blocks);
    mbp_evaluate_known(device, slots, survivor, offset, blocks, potential);
    weft_scope_close(device);
}
