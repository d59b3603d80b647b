/* Bounds in short halos, of which a work-item with vectors takes one at a time. */
#include "mbp_bounds.h"
#include "mbp_short.kernel.h"

WEFT_KERNEL(mbp_short_bound, (value, i64, items), (value, i64, halos),
            (bundle, mbp_halos, of), (bundle, mbp_bodies, at), (inout, f32, rounded, 0),
            (bundle, mbp_bounds, bounds), (out, u32, best, 0))

/* Kernels for each that runs at once, so that all end together: as many as are still few
 * elements to a team of threads, which begins them all at once. */
mbp_bounds_arrays mbp_short_by_halo(weft_device *device, const mbp_slots *slots,
                                    weft_array best) {
    const i64 most = 28 * weft_concurrency(device);
    const i64 items = slots->halos < most ? slots->halos : most;
    const mbp_bounds_arrays bounds = {weft_scratch(device, WEFT_F32, slots->count),
                                      weft_scratch(device, WEFT_F32, slots->count)};
    weft_scope_open(device);
    weft_for_each(device, items, mbp_short_bound, .items = items, .halos = slots->halos,
                  .of = slots->of, .at = slots->at,
                  .rounded = weft_scratch(device, WEFT_F32, 4 * slots->count),
                  .bounds = bounds, .best = best);
    weft_scope_close(device);
    return bounds;
}
