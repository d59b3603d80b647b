/* The all-pairs pass of weft_mbp. */
#include "mbp.h"
#include "mbp_pairs.kernel.h"
#include "weft/register.h"

WEFT_KERNEL(mbp_pairs_round, (value, f64, softening), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0),
            (in, f64, from_x), (in, f64, from_y), (in, f64, from_z), (in, f64, from_mass),
            (out, f32, x), (out, f32, y), (out, f32, z), (out, f32, mass))
WEFT_KERNEL(mbp_pairs_bound, (value, f64, softening), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0),
            (in, f32, x, 2 * n), (in, f32, y, 2 * n), (in, f32, z, 2 * n),
            (in, f32, mass, 2 * n), (out, f32, low, 2 * n), (out, f32, high, 2 * n))

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

void mbp_bound_by_pairs(weft_device *device, const mbp_slots *slots, f64 softening,
                        const mbp_bounds *bounds) {
    weft_scope_open(device);
    const mbp_rounded at = mbp_round(device, slots, softening);
    weft_for_each(device, slots->rows * MBP_ROW / 2, mbp_pairs_bound,
                  .softening = softening, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .x = at.x, .y = at.y, .z = at.z,
                  .mass = at.mass, .low = bounds->low, .high = bounds->high);
    weft_scope_close(device);
}
