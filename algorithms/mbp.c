#include "mbp.h"
#include "mbp.kernel.h"
#include "points.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/select.h"
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
WEFT_GENERATOR(mbp_survives, u32, (in, u32, row_halo, 0), (in, f32, high),
               (in, u32, best, 0))
WEFT_GENERATOR(mbp_slot, i64, (value, i64, first))
WEFT_KERNEL(mbp_choose, (value, i64, survivors), (in, i64, offset, n + 1),
            (in, u32, member, 0), (in, i64, survivor, 0), (in, f64, phi, 0),
            (out, u32, particle), (out, f64, potential))

static void check_array(weft_device *device, const char *call, const char *name,
                        weft_array array, weft_type type, i64 count) {
    if (array.type != type)
        weft_fail(device, WEFT_E_TYPE, "%s: array '%s' is of another type than %s", call,
                  name, type == WEFT_U32 ? "u32" : "f64");
    else if (array.length < count)
        weft_fail(device, WEFT_E_SHAPE,
                  "%s: array '%s' has %lld elements, at least %lld are needed", call, name,
                  (long long)array.length, (long long)count);
}

static void check(weft_device *device, const char *call, const weft_mbp_options *options,
                  weft_array mass, i64 points) {
    for (int axis = 0; axis < 3; axis++)
        if (!(options->box[axis] >= 0 && options->box[axis] <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not 0 or a size", call,
                      axis, options->box[axis]);
    if (!(options->softening >= 0 && options->softening <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: softening is %g, not 0 or a length", call,
                  options->softening);
    if (mass.type)
        check_array(device, call, "mass", mass, mass.type == WEFT_F32 ? WEFT_F32 : WEFT_F64,
                    points);
    else if (!(options->particle_mass > 0 && options->particle_mass <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: particle_mass is %g, not above 0", call,
                  options->particle_mass);
}

static mbp_slots place(weft_device *device, const points_words *points, weft_array mass,
                       const weft_mbp_options *options, const weft_halos *halos) {
    static const u32 zero = 0;
    const i64 rows = halos->members / MBP_ROW + halos->count, slots = rows * MBP_ROW;
    const mbp_slots s = {.halos = halos->count,
                         .members = halos->members,
                         .rows = rows,
                         .offset = halos->offset,
                         .row_halo = weft_scratch(device, WEFT_U32, rows),
                         .x = weft_scratch(device, WEFT_F64, slots),
                         .y = weft_scratch(device, WEFT_F64, slots),
                         .z = weft_scratch(device, WEFT_F64, slots),
                         .mass = weft_scratch(device, WEFT_F64, slots),
                         .extent = weft_scratch(device, WEFT_U32, halos->count),
                         .heaviest = weft_scratch(device, WEFT_U32, halos->count)};
    weft_fill(device, s.extent, &zero);
    weft_fill(device, s.heaviest, &zero);
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
                      const weft_halos *halos, weft_array particle, weft_array potential) {
    const mbp_slots none = {0};
    const points_words words = points_view(device, call, points);
    if (weft_check(device) == WEFT_OK)
        check(device, call, options, mass, points->count);
    check_array(device, call, "particle", particle, WEFT_U32, halos->count);
    check_array(device, call, "potential", potential, WEFT_F64, halos->count);
    if (weft_check(device) != WEFT_OK || halos->count == 0)
        return none;
    return place(device, &words, mass, options, halos);
}

void mbp_decide(weft_device *device, const mbp_slots *slots, f64 softening,
                weft_array survives, weft_array member, weft_array particle,
                weft_array potential) {
    const i64 count = slots->rows * MBP_ROW;
    i64 survivors = 0;
    weft_scope_open(device);
    weft_count_if(device, survives, &survivors);
    const weft_array survivor = weft_scratch(device, WEFT_I64, survivors);
    const weft_array phi = weft_scratch(device, WEFT_F64, survivors);
    weft_copy_if(device, weft_lazy(count, mbp_slot, .first = 0), survives, survivor, NULL);
    mbp_evaluate(device, slots, softening, survivor, phi);
    weft_for_each(device, slots->halos, mbp_choose, .survivors = survivors,
                  .offset = slots->offset, .member = member, .survivor = survivor,
                  .phi = phi, .particle = particle, .potential = potential);
    weft_scope_close(device);
}

static void find(weft_device *device, const mbp_slots *slots, f64 softening, int all_pairs,
                 weft_array member, weft_array particle, weft_array potential) {
    static const u32 zero = 0;
    const i64 count = slots->rows * MBP_ROW;
    const weft_array high = weft_scratch(device, WEFT_F32, count);
    const weft_array best = weft_scratch(device, WEFT_U32, slots->halos);
    weft_fill(device, best, &zero);
    if (all_pairs || count > (i64)UINT32_MAX)
        mbp_bound_by_pairs(device, slots, softening, high, best);
    else
        mbp_bound_by_tree(device, slots, softening, high, best);
    mbp_decide(device, slots, softening,
               weft_lazy(count, mbp_survives, .row_halo = slots->row_halo, .high = high,
                         .best = best),
               member, particle, potential);
}

weft_status weft_mbp(weft_device *device, const weft_points *points, weft_array mass,
                     const weft_mbp_options *options, const weft_halos *halos,
                     weft_array particle, weft_array potential) {
    weft_scope_open(device);
    const mbp_slots slots =
        mbp_prepare(device, "weft_mbp", points, mass, options, halos, particle, potential);
    if (slots.halos > 0)
        find(device, &slots, options->softening, options->all_pairs != 0, halos->member,
             particle, potential);
    weft_scope_close(device);
    return weft_check(device);
}
