/* The all-pairs pass of weft_mbp. */
#include "mbp.h"
#include "mbp_pairs.kernel.h"
#include "mbp_quads.kernel.h"
#include "algorithms/tuning.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_pairs_round, (value, f64, softening), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0),
            (in, f64, from_x), (in, f64, from_y), (in, f64, from_z), (in, f64, from_mass),
            (out, f32, x), (out, f32, y), (out, f32, z), (out, f32, mass))
WEFT_KERNEL(mbp_pairs_bound, (value, f64, softening), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0),
            (in, f32, x, 16 * n), (in, f32, y, 16 * n), (in, f32, z, 16 * n),
            (in, f32, mass, 16 * n), (out, f32, low, 16 * n), (out, f32, high, 16 * n))
WEFT_GENERATOR(mbp_pairs_rounded, mbp_pairs_body, (value, f64, softening),
               (in, i64, offset, 0), (in, u32, row_halo, 0), (in, u32, extent, 0),
               (in, u32, heaviest, 0), (in, f64, from_x), (in, f64, from_y),
               (in, f64, from_z), (in, f64, from_mass))
WEFT_KERNEL(mbp_quads_meet_part, (value, i64, slots), (value, i64, width),
            (value, i64, parts), (value, i64, least), (value, f64, softening),
            (in, i64, offset, 0), (in, u32, row_halo, 0), (in, u32, extent, 0),
            (in, u32, heaviest, 0), (in, mbp_pairs_body, body, 0),
            (out, mbp_quads_sum, sums, 0))
WEFT_KERNEL(mbp_quads_bound, (value, i64, slots), (value, i64, parts), (value, i64, least),
            (value, f64, softening), (in, i64, offset, 0), (in, u32, row_halo, 0),
            (in, u32, extent, 0), (in, u32, heaviest, 0), (in, mbp_quads_sum, sums, 0),
            (out, f32, low), (out, f32, high))

enum { MOST_PARTS = 64, LEAST_PART = 1024 };

mbp_rounded mbp_round(weft_device *device, const mbp_slots *slots, f64 softening) {
    const i64 count = slots->rows * MBP_ROW;
    const mbp_rounded to = {
        weft_scratch(device, WEFT_F32, count), weft_scratch(device, WEFT_F32, count),
        weft_scratch(device, WEFT_F32, count), weft_scratch(device, WEFT_F32, count)};
    weft_for_each(device, count, mbp_pairs_round, .softening = softening,
                  .offset = slots->offset, .row_halo = slots->row_halo,
                  .extent = slots->extent, .heaviest = slots->heaviest, .from_x = slots->x,
                  .from_y = slots->y, .from_z = slots->z, .from_mass = slots->mass,
                  .x = to.x, .y = to.y, .z = to.z, .mass = to.mass);
    return to;
}

/* Each work-item owns four members, and meets a part of the halo, in as many parts as it
 * takes for enough of them: not the longest halo decides then. */
static void bound_quads(weft_device *device, const mbp_slots *slots, f64 softening,
                        const mbp_bounds *bounds) {
    const i64 count = slots->rows * MBP_ROW;
    const i64 width =
        (count + MBP_QUADS_STEP - 1) / MBP_QUADS_STEP * (MBP_QUADS_STEP / MBP_QUADS_OWN);
    const i64 enough = tuning_of(device)->mbp_pairs_items * weft_concurrency(device);
    i64 parts = 1;
    while (parts < MOST_PARTS && 2 * parts * width <= enough)
        parts *= 2;
    weft_scope_open(device);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(mbp_quads_sum), parts * count);
    const weft_array body = weft_scratch(device, WEFT_STRUCT(mbp_pairs_body), count);
    weft_transform(device, count, body, mbp_pairs_rounded, .softening = softening,
                   .offset = slots->offset, .row_halo = slots->row_halo,
                   .extent = slots->extent, .heaviest = slots->heaviest, .from_x = slots->x,
                   .from_y = slots->y, .from_z = slots->z, .from_mass = slots->mass);
    weft_for_each(device, parts * width, mbp_quads_meet_part, .slots = count,
                  .width = width, .parts = parts, .least = LEAST_PART,
                  .softening = softening, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .body = body, .sums = sums);
    weft_for_each(device, count, mbp_quads_bound, .slots = count, .parts = parts,
                  .least = LEAST_PART, .softening = softening, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .sums = sums, .low = bounds->low,
                  .high = bounds->high);
    weft_scope_close(device);
}

static void bound_rows(weft_device *device, const mbp_slots *slots, f64 softening,
                       const mbp_bounds *bounds) {
    weft_scope_open(device);
    const mbp_rounded at = mbp_round(device, slots, softening);
    weft_for_each(device, slots->rows, mbp_pairs_bound, .softening = softening,
                  .offset = slots->offset, .row_halo = slots->row_halo,
                  .extent = slots->extent, .heaviest = slots->heaviest, .x = at.x,
                  .y = at.y, .z = at.z, .mass = at.mass, .low = bounds->low,
                  .high = bounds->high);
    weft_scope_close(device);
}

void mbp_bound_by_pairs(weft_device *device, const mbp_slots *slots, f64 softening,
                        const mbp_bounds *bounds) {
    typedef void bound(weft_device *, const mbp_slots *, f64, const mbp_bounds *);
    static bound *const by_style[] = {[WEFT_SIMD] = bound_rows, [WEFT_SIMT] = bound_quads};
    by_style[weft_device_style(device)](device, slots, softening, bounds);
}
