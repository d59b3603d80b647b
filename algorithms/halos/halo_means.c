#include "halo_means.kernel.h"
#include "halo_means.h"
#include "halo_properties.h"
#include "algorithms/points/points.h"
#include "algorithms/pyramid/pyramid.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_BUNDLE(halo_means_of, (value, i64, halos), (value, i64, members), (value, i64, blocks),
            (value, points_period, box), (value, i32, wide_mass),
            (value, f64, particle_mass), (in, i64, offset, 0), (in, u32, of, 0),
            (in, u32, member, 0), (optional, u32, mass, 0))
WEFT_KERNEL(halo_means_step, (bundle, halo_means_of, h), (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (out, f64, mass), (out, f64, step, 6 * n))
WEFT_KERNEL(halo_means_sum, (bundle, halo_means_of, h), (in, f64, mass, 0),
            (inout, f64, step, 0), (out, halo_properties_sums, sums))
WEFT_KERNEL(halo_means_mean, (bundle, halo_means_of, h), (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (in, halo_properties_sums, sums, 0),
            (inout, f64, center, 0), (inout, f64, velocity, 0))

static const char name[] = "halo_means";

static void means_together(weft_device *device, const weft_bodies *b,
                           const weft_halos *halos, weft_array of, weft_array center,
                           weft_array velocity) {
    const points_words at = points_view(device, name, &b->points);
    const points_words flow = points_velocities(device, name, b);
    const halo_means_of_arrays h = {
        .halos = halos->count,
        .members = halos->members,
        .blocks = pyramid_blocks(halos->members, halos->count, HALO_PROPERTIES_BITS),
        .box = {{b->box[0], b->box[1], b->box[2]}},
        .wide_mass = b->mass.type == WEFT_F64,
        .particle_mass = b->particle_mass,
        .offset = halos->offset,
        .of = of,
        .member = halos->member,
        .mass = b->mass.type ? weft_as(device, b->mass, WEFT_U32) : b->mass};
    weft_scope_open(device);
    const weft_array mass = weft_scratch(device, WEFT_F64, h.members);
    const weft_array step = weft_scratch(device, WEFT_F64, 6 * h.members);
    const weft_array sums =
        weft_scratch(device, WEFT_STRUCT(halo_properties_sums), 2 * h.blocks);
    weft_for_each(device, h.members, halo_means_step, .h = h, .at = at, .flow = flow,
                  .mass = mass, .step = step);
    weft_for_each(device, 2 * h.blocks, halo_means_sum, .h = h, .mass = mass, .step = step,
                  .sums = sums);
    weft_for_each(device, 2 * h.halos, halo_means_mean, .h = h, .at = at, .flow = flow,
                  .sums = sums, .center = center, .velocity = velocity);
    weft_scope_close(device);
}

void halo_means(weft_device *device, const weft_bodies *bodies, const weft_halos *halos,
                weft_array of, weft_array center, weft_array velocity) {
    if (weft_device_style(device) == WEFT_SIMT)
        means_together(device, bodies, halos, of, center, velocity);
    else
        halo_properties_means(device, bodies, halos, center, velocity);
}
