#include "inside.kernel.h"
#include "algorithms/points/arguments.h"
#include "algorithms/pyramid/lengths.h"
#include "algorithms/pyramid/pyramid.h"
#include "subhalos.h"
#include "weft/halo_properties.h"
#include "weft/listener.h"
#include "weft/register.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_BUNDLE(inside_members, (value, points_period, box), (value, i64, subhalos),
            (in, i64, offset, 0), (in, u32, member, 0))
WEFT_BUNDLE(inside_found, (out, f64, vmax), (out, f64, rmax), (out, f64, half_at),
            (out, f64, reach), (out, f64, spin))
WEFT_KERNEL(inside_distance, (bundle, inside_members, in), (bundle, points_coordinates, at),
            (in, u32, of), (out, f64, r2))
WEFT_KERNEL(inside_sum, (bundle, inside_members, in), (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, points_masses, masses),
            (in, u32, nearest, 0), (in, f64, velocity, 0), (out, inside_sums, sums))
WEFT_KERNEL(inside_add, (bundle, inside_members, in), (inout, inside_sums, sums, 0),
            (out, f64, momentum, 3 * n))
WEFT_KERNEL(inside_rise, (value, f64, softening), (bundle, inside_members, in),
            (bundle, points_masses, masses), (in, u32, nearest, 0), (in, f64, r2, 0),
            (in, f64, mass, 0), (in, inside_sums, sums), (out, inside_curve, curves))
WEFT_KERNEL(inside_measure, (value, f64, gravity), (bundle, inside_members, in),
            (in, f64, r2, 0), (in, f64, mass), (in, inside_curve, curves, 0),
            (in, f64, momentum, 3 * n), (bundle, inside_found, found))

static const char name[] = "weft_subhalos_measure";

static weft_array numbers(weft_device *device, i64 n) {
    return weft_array_new(device, WEFT_F64, n);
}

static void measure(weft_device *device, const weft_bodies *b, const points_words *at,
                    const points_words *flow, const weft_subhalos_options *o,
                    const weft_subhalos *s, weft_subhalo_properties *out) {
    const inside_members_arrays in = {.box = {{b->box[0], b->box[1], b->box[2]}},
                                      .subhalos = s->count,
                                      .offset = s->offset,
                                      .member = s->member};
    const points_masses_arrays masses = points_masses_of(device, b);
    const inside_found_arrays found = {out->vmax, out->rmax, out->half_mass_radius,
                                       out->radius_max, out->spin};
    const i64 blocks = pyramid_blocks(s->members, s->count, INSIDE_BITS);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(inside_sums), blocks);
    const weft_array curves = weft_scratch(device, WEFT_STRUCT(inside_curve), blocks);
    const weft_array r2 = weft_scratch(device, WEFT_F64, s->members);
    const weft_array of = weft_scratch(device, WEFT_U32, s->members);
    const weft_array nearest = points_numbers(device, s->members);
    lengths_expand(device, s->offset.length - 1, s->offset, of, (weft_array){0});
    weft_for_each(device, s->members, inside_distance, .in = in, .at = *at, .of = of,
                  .r2 = r2);
    weft_sort_segments(device, r2, nearest, s->offset, WEFT_ASCENDING);
    weft_for_each(device, blocks, inside_sum, .in = in, .at = *at, .flow = *flow,
                  .masses = masses, .nearest = nearest, .velocity = out->velocity,
                  .sums = sums);
    weft_for_each(device, s->count, inside_add, .in = in, .sums = sums,
                  .momentum = out->angular_momentum);
    weft_for_each(device, blocks, inside_rise, .softening = o->softening, .in = in,
                  .masses = masses, .nearest = nearest, .r2 = r2, .mass = out->mass,
                  .sums = sums, .curves = curves);
    weft_for_each(device, s->count, inside_measure, .gravity = o->gravity, .in = in,
                  .r2 = r2, .mass = out->mass, .curves = curves,
                  .momentum = out->angular_momentum, .found = found);
}

/* What halos have, too. */
static void take_means(weft_device *device, const weft_bodies *bodies,
                       const weft_subhalos *s, weft_subhalo_properties *out) {
    const weft_halos some = {
        .count = s->count, .members = s->members, .offset = s->offset, .member = s->member};
    weft_halo_properties of;
    weft_halos_measure(device, bodies, &some, &of);
    if (weft_check(device) != WEFT_OK)
        return;
    *out = (weft_subhalo_properties){.mass = of.mass,
                                     .center_of_mass = of.center_of_mass,
                                     .velocity = of.velocity,
                                     .dispersion = of.dispersion,
                                     .radius_max = numbers(device, s->count),
                                     .vmax = numbers(device, s->count),
                                     .rmax = numbers(device, s->count),
                                     .half_mass_radius = numbers(device, s->count),
                                     .angular_momentum = numbers(device, 3 * s->count),
                                     .spin = numbers(device, s->count)};
    weft_array_free(device, of.radius_max);
    weft_array_free(device, of.wraps);
}

weft_status weft_subhalos_measure(weft_device *device, const weft_bodies *bodies,
                                  const weft_subhalos_options *options,
                                  const weft_subhalos *subhalos,
                                  weft_subhalo_properties *out) {
    if (out)
        *out = (weft_subhalo_properties){0};
    if (!arguments_bodies(device, name, bodies) ||
        !arguments_given(device, name, "options", options) ||
        !arguments_known(device, name, "options", options->reserved,
                         sizeof options->reserved) ||
        !arguments_given(device, name, "subhalos", subhalos) ||
        !arguments_given(device, name, "out", out))
        return weft_check(device);
    weft_task_begin(device, name);
    weft_scope_open(device);
    const points_words at = points_view(device, name, &bodies->points);
    arguments_array(device, name, "velocity", bodies->velocity, 0,
                    3 * bodies->points.count);
    take_means(device, bodies, subhalos, out);
    if (weft_check(device) == WEFT_OK && subhalos->count > 0) {
        const points_words flow = points_velocities(device, name, bodies);
        weft_task_until(device, 1);
        measure(device, bodies, &at, &flow, options, subhalos, out);
    }
    weft_scope_close(device);
    weft_task_end(device);
    if (weft_check(device) != WEFT_OK)
        weft_subhalo_properties_free(device, out);
    return weft_check(device);
}

void weft_subhalo_properties_free(weft_device *device, weft_subhalo_properties *p) {
    if (!p)
        return;
    const weft_array arrays[] = {
        p->mass, p->center_of_mass, p->velocity,         p->dispersion,       p->radius_max,
        p->vmax, p->rmax,           p->half_mass_radius, p->angular_momentum, p->spin};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        weft_array_free(device, arrays[k]);
    *p = (weft_subhalo_properties){0};
}
