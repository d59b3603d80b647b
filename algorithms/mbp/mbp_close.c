/* Bounds in f64 where those in f32 tell too little. */
#include "mbp.h"
#include "mbp_close.kernel.h"
#include "weft/register.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_close_members, (in, u32, row_halo), (in, u32, heaviest, 0),
            (in, u32, order, 16 * n), (in, f64, x, 0), (in, f64, y, 0), (in, f64, z, 0),
            (in, f64, mass, 0), (out, mbp_close_tile, tile))
WEFT_KERNEL(mbp_close_above, (value, i64, halos), (value, i64, level), (in, i64, offset, 0),
            (in, mbp_close_tile, below, 0), (out, mbp_close_tile, tile))
WEFT_KERNEL(mbp_close_bound, (value, f64, softening), (value, f64, tolerance),
            (in, u32, places), (in, u32, best, 0), (in, i64, level, 0),
            (in, i64, offset, 0), (in, u32, row_halo, 0), (in, u32, extent, 0),
            (in, u32, heaviest, 0), (in, u32, order, 0), (in, mbp_close_tile, tile, 0),
            (inout, f32, low, 0), (inout, f32, high, 0))
WEFT_GENERATOR(mbp_close_beside, u32, (in, f32, x), (in, f32, y), (in, f32, z),
               (in, f32, mass))
WEFT_KERNEL(mbp_close_leave, (in, u32, row_halo, 0), (in, u32, order), (in, f64, x, 0),
            (in, f64, y, 0), (in, f64, z, 0), (inout, f32, high, 0))

enum { MOST_LEVELS = 16 };

i64 mbp_close_coincide(weft_device *device, const mbp_slots *slots, const mbp_tree *tree) {
    i64 count = 0;
    weft_count_if(device,
                  weft_lazy(slots->rows * MBP_ROW, mbp_close_beside, .x = tree->x,
                            .y = tree->y, .z = tree->z, .mass = tree->mass),
                  &count);
    return count;
}

void mbp_leave_coincident(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          f64 softening, const mbp_bounds *bounds) {
    if (softening * softening > 0)
        return;
    weft_for_each(device, slots->rows * MBP_ROW, mbp_close_leave,
                  .row_halo = slots->row_halo, .order = tree->order, .x = slots->x,
                  .y = slots->y, .z = slots->z, .high = bounds->high);
}

mbp_close mbp_close_build(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree) {
    i64 begin[MOST_LEVELS + 1] = {0, slots->rows}, levels = 1;
    for (i64 s = MBP_ROW * MBP_ROW; s < slots->members * MBP_ROW && levels < MOST_LEVELS;
         s *= MBP_ROW, levels++)
        begin[levels + 1] = begin[levels] + slots->members / s + slots->halos;
    const mbp_close close = {
        weft_scratch(device, WEFT_I64, levels),
        weft_scratch(device, WEFT_STRUCT(mbp_close_tile), begin[levels])};
    weft_write(device, close.level, begin);
    weft_for_each(device, slots->rows, mbp_close_members, .row_halo = slots->row_halo,
                  .heaviest = slots->heaviest, .order = tree->order, .x = slots->x,
                  .y = slots->y, .z = slots->z, .mass = slots->mass,
                  .tile = weft_slice(device, close.tile, 0, slots->rows));
    for (i64 l = 1; l < levels; l++)
        weft_for_each(
            device, begin[l + 1] - begin[l], mbp_close_above, .halos = slots->halos,
            .level = l, .offset = slots->offset,
            .below = weft_slice(device, close.tile, begin[l - 1], begin[l] - begin[l - 1]),
            .tile = weft_slice(device, close.tile, begin[l], begin[l + 1] - begin[l]));
    return close;
}

void mbp_bound_closely(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       const mbp_close *close, f64 softening, f64 tolerance,
                       weft_array best, weft_array places, const mbp_bounds *bounds) {
    weft_for_each(device, places.length, mbp_close_bound, .softening = softening,
                  .tolerance = tolerance, .places = places, .best = best,
                  .level = close->level, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .order = tree->order, .tile = close->tile,
                  .low = bounds->low, .high = bounds->high);
}
