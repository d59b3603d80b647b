/* Bounds in short halos, of which a work-item with vectors takes one at a time. */
#include "mbp_bounds.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_GENERATOR(mbp_short_slots, i64, (in, i64, offset, n + 1))
WEFT_KERNEL(mbp_short_bound, (bundle, mbp_particles, p), (bundle, mbp_shorts, s))

/* Kernels for each that runs at once, so that all end together; but their places are no
 * more than the members'. */
static i64 count_items(const weft_device *device, i64 halos, i64 slots, i64 width) {
    const i64 least = weft_concurrency(device), most = slots / width;
    i64 items = most < 16 * least ? most : 16 * least;
    items = items > least ? items : least;
    return items < halos ? items : halos;
}

mbp_shorts_arrays mbp_bound_short(weft_device *device, mbp_particles_arrays particles,
                                  f64 softening, const weft_halos *halos) {
    const i64 slots = (halos->members / MBP_ROW + halos->count) * MBP_ROW;
    mbp_shorts_arrays s = {.halos = halos->count,
                           .width = MBP_ROW,
                           .softening = softening,
                           .offset = halos->offset,
                           .high = weft_scratch(device, WEFT_F32, slots),
                           .best = weft_scratch(device, WEFT_F32, halos->count)};
    weft_reduce(device, weft_lazy(halos->count, mbp_short_slots, .offset = halos->offset),
                weft_maximum(WEFT_I64), &s.width);
    s.items = count_items(device, halos->count, slots, s.width);
    s.word = weft_scratch(device, WEFT_U32, 3 * slots << particles.wide);
    s.place = weft_scratch(device, WEFT_F64, 4 * s.items * s.width);
    s.rounded = weft_scratch(device, WEFT_F32, 4 * s.items * s.width);
    weft_for_each(device, s.items, mbp_short_bound, .p = particles, .s = s);
    return s;
}
