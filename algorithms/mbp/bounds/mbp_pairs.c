/* The all-pairs pass of weft_mbp. */
#include "mbp_bounds.h"
#include "mbp_pairs4.kernel.h"
#include "algorithms/tuning.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_bounds_order, (optional, u32, order), (in, mbp_body, from, 0),
            (out, f32, x), (out, f32, y), (out, f32, z), (out, f32, mass))
WEFT_KERNEL(mbp_pairs_bound, (bundle, mbp_halos, of), (bundle, mbp_rounded, at),
            (bundle, mbp_bounds, to))
WEFT_GENERATOR(mbp_bounds_rounded, mbp_body, (bundle, mbp_halos, of),
               (bundle, mbp_bodies, from))
WEFT_KERNEL(mbp_pairs4_meet_part, (value, mbp_pairs4_parts, cut), (bundle, mbp_halos, of),
            (in, mbp_body, body, 0), (out, mbp_pairs4_sum, sums, 0))
WEFT_KERNEL(mbp_pairs4_bound, (value, mbp_pairs4_parts, cut), (bundle, mbp_halos, of),
            (in, mbp_pairs4_sum, sums, 0), (bundle, mbp_bounds, to))

enum { MOST_PARTS = 64, LEAST_PART = 1024 };

static weft_array round_bodies(weft_device *device, const mbp_slots *slots) {
    const weft_array body = weft_scratch(device, WEFT_STRUCT(mbp_body), slots->count);
    weft_transform(device, slots->count, body, mbp_bounds_rounded, .of = slots->of,
                   .from = slots->at);
    return body;
}

mbp_rounded_arrays mbp_round(weft_device *device, const mbp_slots *slots,
                             weft_array order) {
    const i64 count = slots->count;
    const mbp_rounded_arrays to = {
        weft_scratch(device, WEFT_F32, count), weft_scratch(device, WEFT_F32, count),
        weft_scratch(device, WEFT_F32, count), weft_scratch(device, WEFT_F32, count)};
    weft_scope_open(device);
    weft_for_each(device, count, mbp_bounds_order, .order = order,
                  .from = round_bodies(device, slots), .x = to.x, .y = to.y, .z = to.z,
                  .mass = to.mass);
    weft_scope_close(device);
    return to;
}

/* Each work-item owns four members, and meets a part of the halo, in as many parts as it
 * takes for enough of them: not the longest halo decides then. */
void mbp_pairs_by_fours(weft_device *device, const mbp_slots *slots, mbp_bounds_arrays to) {
    const i64 count = slots->count;
    const i64 width = (count + MBP_PAIRS4_STEP - 1) / MBP_PAIRS4_STEP *
                      (MBP_PAIRS4_STEP / MBP_PAIRS4_OWN);
    const i64 enough = tuning_of(device)->mbp_pairs_items * weft_concurrency(device);
    mbp_pairs4_parts cut = {count, width, 1, LEAST_PART};
    while (cut.parts < MOST_PARTS && 2 * cut.parts * width <= enough)
        cut.parts *= 2;
    weft_scope_open(device);
    const weft_array sums =
        weft_scratch(device, WEFT_STRUCT(mbp_pairs4_sum), cut.parts * count);
    weft_for_each(device, cut.parts * width, mbp_pairs4_meet_part, .cut = cut,
                  .of = slots->of, .body = round_bodies(device, slots), .sums = sums);
    weft_for_each(device, count, mbp_pairs4_bound, .cut = cut, .of = slots->of,
                  .sums = sums, .to = to);
    weft_scope_close(device);
}

void mbp_pairs_by_rows(weft_device *device, const mbp_slots *slots, mbp_bounds_arrays to) {
    weft_scope_open(device);
    weft_for_each(device, slots->rows, mbp_pairs_bound, .of = slots->of,
                  .at = mbp_round(device, slots, (weft_array){0}), .to = to);
    weft_scope_close(device);
}
