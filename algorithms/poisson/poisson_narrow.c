/* Candidates for the most bound member, by the bounds that weft_mbp finds it with. */
#include "algorithms/mbp/bounds/mbp_bounds.h"
#include "poisson.h"
#include "poisson.kernel.h"
#include "weft/register.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_GENERATOR(mbp_slots_place_number, u32, (value, u32, first))
WEFT_GENERATOR(poisson_flag_at, u32, (in, u32, order), (in, u32, flags, 0))
WEFT_KERNEL(poisson_best, (bundle, mbp_halos, of), (in, u32, flags), (in, f32, low),
            (shared, u32, best, 0))
WEFT_KERNEL(poisson_keep, (bundle, mbp_halos, of), (in, f32, high), (in, u32, best, 0),
            (inout, u32, flags))

void poisson_narrow(weft_device *device, const mbp_slots *slots, weft_array flags) {
    static const f64 tolerance[] = {1e-3, 1e-5};
    static const u32 zero = 0;
    const i64 count = flags.length;
    i64 left = 0;
    if (count > (i64)UINT32_MAX)
        return; /* places are u32 */
    weft_scope_open(device);
    const mbp_tree tree = mbp_tree_build(device, slots);
    const mbp_bounds_arrays bounds = mbp_bound_nothing(device, slots);
    const weft_array places = weft_scratch(device, WEFT_U32, count);
    const weft_array best = weft_scratch(device, WEFT_U32, slots->halos);
    weft_fill(device, best, &zero);
    for (int round = 0; round < 2; round++) {
        weft_copy_if(device, weft_lazy(count, mbp_slots_place_number, .first = 0),
                     weft_lazy(count, poisson_flag_at, .order = tree.order, .flags = flags),
                     places, &left);
        mbp_plan_of(device)->by_tree(device, slots, &tree, tolerance[round], 1, best,
                                     weft_slice(device, places, 0, left), bounds);
        weft_for_each(device, count, poisson_best, .of = slots->of, .flags = flags,
                      .low = bounds.low, .best = best);
        weft_for_each(device, count, poisson_keep, .of = slots->of, .high = bounds.high,
                      .best = best, .flags = flags);
    }
    weft_scope_close(device);
}
