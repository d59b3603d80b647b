/* Bounds in f64 where those in f32 tell too little. */
#include "mbp.h"
#include "mbp_close.kernel.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_close_members, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (in, u32, order, 16 * n), (out, mbp_close_tile, tile))
WEFT_KERNEL(mbp_close_above, (value, i64, halos), (value, i64, level), (in, i64, offset, 0),
            (in, mbp_close_tile, below, 0), (out, mbp_close_tile, tile))
WEFT_KERNEL(mbp_close_bound, (value, f64, tolerance), (bundle, mbp_halos, of),
            (in, i64, level, 0), (in, u32, order, 0), (in, mbp_close_tile, tile, 0),
            (in, u32, places), (in, u32, best, 0), (bundle, mbp_bounds, to))
WEFT_GENERATOR(mbp_close_beside, u32, (bundle, mbp_rounded, at))
WEFT_KERNEL(mbp_close_leave, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (in, u32, order), (inout, f32, high, 0))

enum { MOST_LEVELS = 16 };

i64 mbp_close_coincide(weft_device *device, const mbp_slots *slots, const mbp_tree *tree) {
    i64 count = 0;
    weft_count_if(
        device, weft_lazy(slots->rows * MBP_ROW, mbp_close_beside, .at = tree->at), &count);
    return count;
}

void mbp_leave_coincident(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          weft_array high) {
    if (slots->of.softening * slots->of.softening > 0)
        return;
    weft_for_each(device, slots->rows * MBP_ROW, mbp_close_leave, .of = slots->of,
                  .at = slots->at, .order = tree->order, .high = high);
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
    weft_for_each(device, slots->rows, mbp_close_members, .of = slots->of, .at = slots->at,
                  .order = tree->order,
                  .tile = weft_slice(device, close.tile, 0, slots->rows));
    for (i64 l = 1; l < levels; l++)
        weft_for_each(
            device, begin[l + 1] - begin[l], mbp_close_above, .halos = slots->halos,
            .level = l, .offset = slots->of.offset,
            .below = weft_slice(device, close.tile, begin[l - 1], begin[l] - begin[l - 1]),
            .tile = weft_slice(device, close.tile, begin[l], begin[l + 1] - begin[l]));
    return close;
}

void mbp_bound_closely(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       const mbp_close *close, f64 tolerance, weft_array best,
                       weft_array places, mbp_bounds_arrays to) {
    weft_for_each(device, places.length, mbp_close_bound, .tolerance = tolerance,
                  .of = slots->of, .level = close->level, .order = tree->order,
                  .tile = close->tile, .places = places, .best = best, .to = to);
}
