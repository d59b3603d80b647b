/* Members of halos put into rows, unwrapped and weighed. */
#include "mbp_slots.h"
#include "algorithms/points/arguments.h"
#include "weft/transform.h"

#include <float.h>

WEFT_KERNEL(mbp_slots_row, (value, i64, halos), (in, i64, offset, 0), (out, u32, row_halo),
            (inout, u32, extent, 0), (inout, u32, heaviest, 0))
WEFT_KERNEL(mbp_slots_place, (value, i64, members), (value, i32, each),
            (bundle, mbp_particles, p), (in, i64, offset, 0), (in, u32, row_halo, 0),
            (out, f64, x, 0), (out, f64, y, 0), (out, f64, z, 0), (out, f64, mass, 0),
            (shared, u32, extent, 0), (shared, u32, heaviest, 0))

mbp_particles_arrays mbp_lend(weft_device *device, const mbp_rule *rule,
                              weft_array member) {
    const weft_bodies *bodies = rule->bodies;
    const points_words words = points_view(device, rule->call, &bodies->points);
    arguments_scales(device, rule->call, bodies);
    if (!(rule->softening >= 0 && rule->softening <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: softening is %g, not 0 or a length",
                  rule->call, rule->softening);
    return (mbp_particles_arrays){
        .stride = words.stride,
        .wide = words.wide,
        .wide_mass = bodies->mass.type == WEFT_F64,
        .box_x = bodies->box[0],
        .box_y = bodies->box[1],
        .box_z = bodies->box[2],
        .particle_mass = bodies->particle_mass,
        .member = member,
        .x = words.x,
        .y = words.y,
        .z = words.z,
        .mass = bodies->mass.type ? weft_as(device, bodies->mass, WEFT_U32) : bodies->mass,
    };
}

mbp_slots mbp_prepare(weft_device *device, const mbp_rule *rule, const weft_halos *halos) {
    const mbp_particles_arrays particles = mbp_lend(device, rule, halos->member);
    if (weft_check(device) != WEFT_OK || halos->count == 0)
        return (mbp_slots){0};
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
    weft_for_each(device, rows, mbp_slots_row, .halos = s.halos, .offset = s.of.offset,
                  .row_halo = s.of.row_halo, .extent = s.of.extent,
                  .heaviest = s.of.heaviest);
    const i32 each = weft_device_style(device) == WEFT_SIMT ? 1 : MBP_ROW;
    weft_for_each(device, s.count / each, mbp_slots_place, .members = s.members,
                  .each = each, .p = particles, .offset = s.of.offset,
                  .row_halo = s.of.row_halo, .x = s.at.x, .y = s.at.y, .z = s.at.z,
                  .mass = s.at.mass, .extent = s.of.extent, .heaviest = s.of.heaviest);
    return s;
}
