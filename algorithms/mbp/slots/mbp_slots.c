/* Members of halos put into rows, unwrapped and weighed. */
#include "mbp_slots.h"
#include "algorithms/points/arguments.h"
#include "weft/transform.h"

#include <float.h>

WEFT_KERNEL(mbp_slots_row, (value, i64, halos), (in, i64, offset, 0), (out, u32, row_halo),
            (inout, u32, extent, 0), (inout, u32, heaviest, 0))
WEFT_BUNDLE(mbp_made, (out, f64, x, 0), (out, f64, y, 0), (out, f64, z, 0),
            (out, f64, mass, 0), (shared, u32, extent, 0), (shared, u32, heaviest, 0))
WEFT_KERNEL(mbp_slots_place, (value, i64, members), (value, i32, each),
            (value, points_period, box), (bundle, points_coordinates, at),
            (bundle, points_masses, masses), (in, u32, member, 0), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (bundle, mbp_made, to))

points_words mbp_check(weft_device *device, const mbp_rule *rule) {
    const points_words words = points_view(device, rule->call, &rule->bodies->points);
    arguments_scales(device, rule->call, rule->bodies);
    if (!(rule->softening >= 0 && rule->softening <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: softening is %g, not 0 or a length",
                  rule->call, rule->softening);
    return words;
}

mbp_slots mbp_prepare(weft_device *device, const mbp_rule *rule, const weft_halos *halos) {
    const points_words words = mbp_check(device, rule);
    if (weft_check(device) != WEFT_OK || halos->count == 0)
        return (mbp_slots){0};
    const f64 *box = rule->bodies->box;
    const i64 rows = halos->members / MBP_ROW + halos->count, slots = rows * MBP_ROW;
    const mbp_slots s = {
        halos->count,
        halos->members,
        rows,
        slots,
        {rule->softening, halos->offset, weft_scratch(device, WEFT_U32, rows),
         weft_scratch(device, WEFT_U32, halos->count),
         weft_scratch(device, WEFT_U32, halos->count)},
        {weft_scratch(device, WEFT_F64, slots), weft_scratch(device, WEFT_F64, slots),
         weft_scratch(device, WEFT_F64, slots), weft_scratch(device, WEFT_F64, slots)}};
    const mbp_made_arrays to = {s.at.x,    s.at.y,      s.at.z,
                                s.at.mass, s.of.extent, s.of.heaviest};
    weft_for_each(device, rows, mbp_slots_row, .halos = s.halos, .offset = s.of.offset,
                  .row_halo = s.of.row_halo, .extent = s.of.extent,
                  .heaviest = s.of.heaviest);
    const i32 each = weft_device_style(device) == WEFT_SIMT ? 1 : MBP_ROW;
    weft_for_each(device, s.count / each, mbp_slots_place, .members = s.members,
                  .each = each, .box = {{box[0], box[1], box[2]}}, .at = words,
                  .masses = points_masses_of(device, rule->bodies), .member = halos->member,
                  .offset = s.of.offset, .row_halo = s.of.row_halo, .to = to);
    return s;
}
