/* Members of halos put into rows, unwrapped and weighed. */
#include "mbp.h"
#include "mbp.kernel.h"
#include "algorithms/points/points.h"
#include "weft/register.h"
#include "weft/transform.h"

#include <float.h>

WEFT_KERNEL(mbp_row, (value, i64, halos), (in, i64, offset, 0), (out, u32, row_halo))
WEFT_KERNEL(mbp_place, (value, i64, stride), (value, i32, wide), (value, f64, box_x),
            (value, f64, box_y), (value, f64, box_z), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, member, 0), (in, u32, from_x, 0),
            (in, u32, from_y, 0), (in, u32, from_z, 0), (out, f64, x), (out, f64, y),
            (out, f64, z), (shared, u32, extent, 0))
WEFT_KERNEL(mbp_weigh, (value, i32, wide), (value, i32, has_mass),
            (value, f64, particle_mass), (in, i64, offset, 0), (in, u32, row_halo, 0),
            (in, u32, member, 0), (in, u32, from, 0), (out, f64, mass),
            (shared, u32, heaviest, 0))

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
                       weft_array mass, const weft_mbp_options *options) {
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

static mbp_slots lay_out(weft_device *device, const points_words *points, weft_array mass,
                         const weft_mbp_options *options, const weft_halos *halos) {
    static const u32 zero = 0;
    const i64 rows = halos->members / MBP_ROW + halos->count, slots = rows * MBP_ROW;
    const weft_array exponents = weft_scratch(device, WEFT_U32, 2 * halos->count);
    const mbp_slots s = {.halos = halos->count,
                         .members = halos->members,
                         .rows = rows,
                         .offset = halos->offset,
                         .row_halo = weft_scratch(device, WEFT_U32, rows),
                         .x = weft_scratch(device, WEFT_F64, slots),
                         .y = weft_scratch(device, WEFT_F64, slots),
                         .z = weft_scratch(device, WEFT_F64, slots),
                         .mass = weft_scratch(device, WEFT_F64, slots),
                         .extent = weft_slice(device, exponents, 0, halos->count),
                         .heaviest =
                             weft_slice(device, exponents, halos->count, halos->count)};
    weft_fill(device, exponents, &zero);
    weft_for_each(device, rows, mbp_row, .halos = s.halos, .offset = s.offset,
                  .row_halo = s.row_halo);
    weft_for_each(device, slots, mbp_place, .stride = points->stride, .wide = points->wide,
                  .box_x = options->box[0], .box_y = options->box[1],
                  .box_z = options->box[2], .offset = s.offset, .row_halo = s.row_halo,
                  .member = halos->member, .from_x = points->x, .from_y = points->y,
                  .from_z = points->z, .x = s.x, .y = s.y, .z = s.z, .extent = s.extent);
    weft_for_each(device, slots, mbp_weigh, .wide = mass.type == WEFT_F64,
                  .has_mass = mass.type != 0, .particle_mass = options->particle_mass,
                  .offset = s.offset, .row_halo = s.row_halo, .member = halos->member,
                  .from = mass.type ? weft_as(device, mass, WEFT_U32) : halos->member,
                  .mass = s.mass, .heaviest = s.heaviest);
    return s;
}

mbp_slots mbp_prepare(weft_device *device, const char *call, const weft_points *points,
                      weft_array mass, const weft_mbp_options *options,
                      const weft_halos *halos) {
    const points_words words = mbp_check(device, call, points, mass, options);
    const mbp_slots none = {0};
    return weft_check(device) == WEFT_OK && halos->count > 0
               ? lay_out(device, &words, mass, options, halos)
               : none;
}
