/* The most bound of those whom bounds have left. */
#include "mbp.h"
#include "mbp.kernel.h"
#include "mbp_decide.kernel.h"

WEFT_GENERATOR(mbp_survives, u32, (bundle, mbp_halos, of), (in, f32, high),
               (in, u32, best, 0))
WEFT_KERNEL(mbp_decide_halo, (value, i64, survivors), (in, i64, offset, n + 1),
            (in, u32, member, 0), (in, i64, survivor, 0), (in, f64, phi, 0),
            (out, u32, particle), (out, f64, potential))

void mbp_decide(weft_device *device, const mbp_rule *rule, const mbp_slots *slots,
                weft_array high, weft_array best, weft_array member, weft_array particle,
                weft_array potential) {
    i64 survivors = 0;
    weft_scope_open(device);
    const weft_array found = weft_scratch(device, WEFT_I64, slots->count);
    points_list(
        device,
        weft_lazy(slots->count, mbp_survives, .of = slots->of, .high = high, .best = best),
        found, &survivors);
    survivors = mbp_leave_crowds(device, rule, slots, member,
                                 weft_slice(device, found, 0, survivors));
    const weft_array survivor = weft_slice(device, found, 0, survivors);
    const weft_array phi = weft_scratch(device, WEFT_F64, survivors);
    mbp_evaluate(device, slots, survivor, phi);
    weft_for_each(device, slots->halos, mbp_decide_halo, .survivors = survivors,
                  .offset = slots->of.offset, .member = member, .survivor = survivor,
                  .phi = phi, .particle = particle, .potential = potential);
    weft_scope_close(device);
}
