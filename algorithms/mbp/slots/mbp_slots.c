/* Members of halos put into rows, unwrapped and weighed. */
#include "mbp_slots.h"
#include "weft/transform.h"

#include <float.h>

WEFT_KERNEL(mbp_slots_row, (value, i64, halos), (in, i64, offset, 0), (out, u32, row_halo))
WEFT_KERNEL(mbp_slots_place, (bundle, mbp_particles, p), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (out, f64, x), (out, f64, y), (out, f64, z),
            (out, f64, mass), (shared, u32, extent, 0), (shared, u32, heaviest, 0))

void mbp_check_array(weft_device *device, const char *call, const char *name,
                     weft_array array, weft_type type, i64 count) {
    if (array.type != type)
        weft_fail(device, WEFT_E_TYPE, "%s: array '%s' is of another type than %s", call,
                  name, type == WEFT_U32 ? "u32" : "f64");
    else if (array.length < count)
        weft_fail(device, WEFT_E_SHAPE,
                  "%s: array '%s' has %lld elements, at least %lld are needed", call, name,
                  (long long)array.length, (long long)count);
}

points_words mbp_check(weft_device *device, const char *call, const weft_points *points,
                       weft_array mass, const mbp_rule *options) {
    const points_words words = points_view(device, call, points);
    if (weft_check(device) != WEFT_OK)
        return words;
    for (int axis = 0; axis < 3; axis++)
        if (!(options->box[axis] >= 0 && options->box[axis] <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not 0 or a size", call,
                      axis, options->box[axis]);
    if (!(options->softening >= 0 && options->softening <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: softening is %g, not 0 or a length", call,
                  options->softening);
    if (mass.type)
        mbp_check_array(device, call, "mass", mass,
                        mass.type == WEFT_F32 ? WEFT_F32 : WEFT_F64, points->count);
    else if (!(options->particle_mass > 0 && options->particle_mass <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: particle_mass is %g, not above 0", call,
                  options->particle_mass);
    return words;
}

mbp_particles_arrays mbp_lend(weft_device *device, const points_words *points,
                              weft_array mass, const mbp_rule *options,
                              const weft_halos *halos) {
    return (mbp_particles_arrays){
        .stride = points->stride,
        .wide = points->wide,
        .wide_mass = mass.type == WEFT_F64,
        .box_x = options->box[0],
        .box_y = options->box[1],
        .box_z = options->box[2],
        .particle_mass = options->particle_mass,
        .member = halos->member,
        .x = points->x,
        .y = points->y,
        .z = points->z,
        .mass = mass.type ? weft_as(device, mass, WEFT_U32) : mass,
    };
}

static mbp_slots lay_out(weft_device *device, mbp_particles_arrays particles, f64 softening,
                         const weft_halos *halos) {
    static const u32 zero = 0;
    const i64 rows = halos->members / MBP_ROW + halos->count, slots = rows * MBP_ROW;
    const weft_array exponents = weft_scratch(device, WEFT_U32, 2 * halos->count);
    const mbp_slots s = {
        halos->count,
        halos->members,
        rows,
        slots,
        {softening, halos->offset, weft_scratch(device, WEFT_U32, rows),
         weft_slice(device, exponents, 0, halos->count),
         weft_slice(device, exponents, halos->count, halos->count)},
        {weft_scratch(device, WEFT_F64, slots), weft_scratch(device, WEFT_F64, slots),
         weft_scratch(device, WEFT_F64, slots), weft_scratch(device, WEFT_F64, slots)}};
    weft_fill(device, exponents, &zero);
    weft_for_each(device, rows, mbp_slots_row, .halos = s.halos, .offset = s.of.offset,
                  .row_halo = s.of.row_halo);
    weft_for_each(device, slots, mbp_slots_place, .p = particles, .offset = s.of.offset,
                  .row_halo = s.of.row_halo, .x = s.at.x, .y = s.at.y, .z = s.at.z,
                  .mass = s.at.mass, .extent = s.of.extent, .heaviest = s.of.heaviest);
    return s;
}

mbp_slots mbp_prepare(weft_device *device, const char *call, const weft_points *points,
                      weft_array mass, const mbp_rule *options, const weft_halos *halos) {
    const points_words words = mbp_check(device, call, points, mass, options);
    const mbp_slots none = {0};
    return weft_check(device) == WEFT_OK && halos->count > 0
               ? lay_out(device, mbp_lend(device, &words, mass, options, halos),
                         options->softening, halos)
               : none;
}
