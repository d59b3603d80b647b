/* The debug mode of weft_mbp and weft_potential. */
#include "mbp.h"
#include "mbp_verify.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"

WEFT_GENERATOR(mbp_verify_holds, u32, (bundle, mbp_halos, of))
WEFT_GENERATOR(mbp_verify_halo, i64, (value, i64, none), (bundle, mbp_halos, of),
               (in, f64, phi, 0), (in, f32, low, 0), (in, f32, high, 0), (in, u32, best))

void mbp_verify(weft_device *device, const char *call, const mbp_slots *slots,
                mbp_bounds_arrays bounds, weft_array best, weft_array member) {
    const i64 n = slots->members;
    i64 outside = n;
    weft_scope_open(device);
    const weft_array slot = weft_scratch(device, WEFT_I64, n);
    const weft_array phi = weft_scratch(device, WEFT_F64, n);
    points_list(device, weft_lazy(slots->count, mbp_verify_holds, .of = slots->of), slot,
                NULL);
    mbp_evaluate(device, slots, slot, phi);
    weft_reduce(device,
                weft_lazy(slots->halos, mbp_verify_halo, .none = n, .of = slots->of,
                          .phi = phi, .low = bounds.low, .high = bounds.high, .best = best),
                weft_minimum(WEFT_I64), &outside);
    if (weft_check(device) == WEFT_OK && outside < n) {
        u32 particle = 0;
        f64 potential = 0;
        weft_read(device, weft_slice(device, member, outside, 1), &particle);
        weft_read(device, weft_slice(device, phi, outside, 1), &potential);
        weft_fail(device, WEFT_E_CHECK,
                  "%s: the potential of particle %lld, %.17g, is outside its bounds", call,
                  (long long)particle, potential);
    }
    weft_scope_close(device);
}
