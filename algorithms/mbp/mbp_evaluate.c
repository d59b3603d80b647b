/* The potential as it is defined, of few members of many halos. */
#include "mbp.h"
#include "mbp.kernel.h"
#include "algorithms/tuning.h"
#include "weft/operators.h"
#include "weft/register.h"
#include "weft/scan.h"

#include <stdlib.h>

WEFT_GENERATOR(mbp_blocks, i64, (in, i64, offset, 0), (in, u32, row_halo, 0),
               (in, i64, survivor))
WEFT_KERNEL(mbp_sum, (value, i64, from), (value, i64, survivors), (value, f64, soft2),
            (in, i64, offset, 0), (in, u32, row_halo, 0), (in, i64, survivor, 0),
            (in, i64, ends, 0), (in, f64, x, 0), (in, f64, y, 0), (in, f64, z, 0),
            (in, f64, mass, 0), (out, f64, sums))
WEFT_KERNEL(mbp_terms, (value, i64, from), (value, i64, survivors), (value, f64, soft2),
            (in, i64, offset, 0), (in, u32, row_halo, 0), (in, i64, survivor, 0),
            (in, i64, ends, 0), (in, f64, x, 0), (in, f64, y, 0), (in, f64, z, 0),
            (in, f64, mass, 0), (out, f64, terms))
WEFT_KERNEL(mbp_add_terms, (in, f64, terms, 256 * n), (out, f64, sums))
WEFT_KERNEL(mbp_pair_parts, (value, i64, from), (value, i64, survivors), (in, i64, ends, 0),
            (inout, f64, sums, 0))
WEFT_KERNEL(mbp_pair_all, (value, i64, from), (in, i64, ends), (inout, f64, sums, 0),
            (out, f64, potential))

/* Sums of blocks that are kept at a time, where one member has no more. */
enum { MOST_BLOCKS = 1 << 22 };

/* Those of survivors, from block number `from` on; of few blocks each term is a
 * work-item's.
 */
static void sum_blocks(weft_device *device, const mbp_slots *slots, f64 softening,
                       weft_array survivor, weft_array ends, i64 from, weft_array sums) {
    const i64 blocks = sums.length;
    if (blocks > tuning_of(device)->mbp_term_blocks * weft_concurrency(device)) {
        weft_for_each(device, blocks, mbp_sum, .from = from, .survivors = survivor.length,
                      .soft2 = softening * softening, .offset = slots->offset,
                      .row_halo = slots->row_halo, .survivor = survivor, .ends = ends,
                      .x = slots->x, .y = slots->y, .z = slots->z, .mass = slots->mass,
                      .sums = sums);
        return;
    }
    weft_scope_open(device);
    const weft_array terms = weft_scratch(device, WEFT_F64, blocks * MBP_BLOCK);
    weft_for_each(device, terms.length, mbp_terms, .from = from,
                  .survivors = survivor.length, .soft2 = softening * softening,
                  .offset = slots->offset, .row_halo = slots->row_halo,
                  .survivor = survivor, .ends = ends, .x = slots->x, .y = slots->y,
                  .z = slots->z, .mass = slots->mass, .terms = terms);
    weft_for_each(device, blocks, mbp_add_terms, .terms = terms, .sums = sums);
    weft_scope_close(device);
}

/* Survivors whose blocks are those from number `from` on. */
static void evaluate_part(weft_device *device, const mbp_slots *slots, f64 softening,
                          weft_array survivor, weft_array ends, i64 from, i64 blocks,
                          weft_array potential) {
    weft_scope_open(device);
    const weft_array sums = weft_scratch(device, WEFT_F64, blocks);
    sum_blocks(device, slots, softening, survivor, ends, from, sums);
    weft_for_each(device, blocks, mbp_pair_parts, .from = from,
                  .survivors = survivor.length, .ends = ends, .sums = sums);
    weft_for_each(device, survivor.length, mbp_pair_all, .from = from, .ends = ends,
                  .sums = sums, .potential = potential);
    weft_scope_close(device);
}

void mbp_evaluate(weft_device *device, const mbp_slots *slots, f64 softening,
                  weft_array survivor, weft_array potential) {
    const i64 count = survivor.length;
    i64 *host = malloc((size_t)(count + 1) * sizeof *host);
    if (!host) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: the blocks of %lld members",
                  (long long)count);
        return;
    }
    weft_scope_open(device);
    const weft_array ends = weft_scratch(device, WEFT_I64, count);
    weft_scan(device,
              weft_lazy(count, mbp_blocks, .offset = slots->offset,
                        .row_halo = slots->row_halo, .survivor = survivor),
              weft_plus(WEFT_I64), WEFT_INCLUSIVE, ends);
    weft_read(device, ends, host);
    i64 from = 0;
    for (i64 begin = 0, end; begin < count && weft_check(device) == WEFT_OK; begin = end) {
        for (end = begin + 1; end < count && host[end] - from <= MOST_BLOCKS; end++)
            ;
        evaluate_part(
            device, slots, softening, weft_slice(device, survivor, begin, end - begin),
            weft_slice(device, ends, begin, end - begin), from, host[end - 1] - from,
            weft_slice(device, potential, begin, end - begin));
        from = host[end - 1];
    }
    weft_scope_close(device);
    free(host);
}
