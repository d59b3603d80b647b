/* Potentials of all members of halos, nearly as they are defined. */
#include "mbp_bounds.h"
#include "mbp_near.kernel.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/transform.h"

WEFT_GENERATOR(mbp_near_items, i64, (value, i64, halos), (in, i64, offset, 0))
WEFT_KERNEL(mbp_near_sum, (value, i64, halos), (bundle, mbp_halos, of),
            (bundle, mbp_bodies, b), (in, i64, begin, 0), (out, f64, sums),
            (shared, u32, is_close, 0))
WEFT_KERNEL(mbp_near_add, (value, i64, halos), (in, i64, offset, 0), (in, i64, begin, 0),
            (in, f64, sums, 0), (out, f64, potential), (shared, u32, deepest, 0))
WEFT_KERNEL(mbp_near_off, (bundle, mbp_halos, of), (in, u32, is_close), (in, u32, deepest),
            (out, f64, off))

void mbp_near(weft_device *device, const mbp_slots *slots, weft_array potential,
              weft_array off) {
    const i64 halos = slots->halos;
    i64 items = 0;
    weft_scope_open(device);
    const weft_array begin = weft_scratch(device, WEFT_I64, halos + 1);
    const weft_array is_close = weft_scratch(device, WEFT_U32, halos);
    const weft_array deepest = weft_scratch(device, WEFT_U32, halos);
    weft_scan(
        device,
        weft_lazy(halos + 1, mbp_near_items, .halos = halos, .offset = slots->of.offset),
        weft_plus(WEFT_I64), WEFT_EXCLUSIVE, begin);
    weft_read(device, weft_slice(device, begin, halos, 1), &items);
    weft_fill(device, is_close, &(u32){0});
    weft_fill(device, deepest, &(u32){0});
    const weft_array sums = weft_scratch(device, WEFT_F64, items);
    weft_for_each(device, items, mbp_near_sum, .halos = halos, .of = slots->of,
                  .b = slots->at, .begin = begin, .sums = sums, .is_close = is_close);
    weft_for_each(device, slots->members, mbp_near_add, .halos = halos,
                  .offset = slots->of.offset, .begin = begin, .sums = sums,
                  .potential = potential, .deepest = deepest);
    weft_for_each(device, halos, mbp_near_off, .of = slots->of, .is_close = is_close,
                  .deepest = deepest, .off = off);
    weft_scope_close(device);
}
