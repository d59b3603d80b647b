/* Two passes over each halo, the first for the means, on numbers relative to the halo's
 * first: the shifted two-pass algorithm of Chan, Golub and LeVeque, "Algorithms for
 * computing the sample variance", The American Statistician 37 (1983) 242. */
#include "halo_properties.kernel.h"
#include "algorithms/points/arguments.h"
#include "algorithms/points/points.h"
#include "algorithms/pyramid/pyramid.h"
#include "weft/halo_properties.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_KERNEL(halo_properties_gather, (value, i64, stride), (value, i32, wide),
            (in, u32, member), (in, u32, words, 0), (out, f64, to))
WEFT_BUNDLE(halo_properties_members, (value, i64, halos), (value, i64, members),
            (value, halo_properties_vector, box), (in, i64, offset, 0), (in, f64, mass, 0),
            (in, f64, step, 0))
WEFT_BUNDLE(halo_properties_lists, (value, i64, halos), (value, i64, members),
            (value, halo_properties_vector, box), (in, i64, offset, 0))
WEFT_KERNEL(halo_properties_step, (bundle, points_coordinates, from),
            (bundle, halo_properties_lists, of), (in, u32, member), (inout, f64, step, 0))
WEFT_KERNEL(halo_properties_steps, (bundle, points_coordinates, from),
            (bundle, halo_properties_lists, of), (in, u32, member, 0),
            (inout, f64, step, 0))
WEFT_KERNEL(halo_properties_sum, (bundle, halo_properties_members, of),
            (out, halo_properties_sums, sums))
WEFT_KERNEL(halo_properties_mean, (in, i64, offset, n + 1),
            (in, halo_properties_sums, sums), (out, f64, mass), (out, f64, mean, 3 * n))
WEFT_KERNEL(halo_properties_spread, (bundle, halo_properties_members, of),
            (in, f64, mean, 0), (out, halo_properties_extent, extents))
WEFT_KERNEL(halo_properties_place, (bundle, points_coordinates, from), (in, u32, member, 0),
            (bundle, halo_properties_members, of), (in, f64, mean, 3 * n),
            (in, halo_properties_extent, extents), (out, f64, center, 3 * n),
            (out, f64, radius), (out, u8, wraps))
WEFT_KERNEL(halo_properties_move, (bundle, points_coordinates, from), (in, u32, member, 0),
            (bundle, halo_properties_members, of), (in, f64, mass), (in, f64, mean, 3 * n),
            (in, halo_properties_extent, extents), (out, f64, velocity, 3 * n),
            (out, f64, dispersion))

WEFT_GENERATOR(halo_properties_is_odd, u32, (in, f64, number))
WEFT_GENERATOR(halo_properties_is_light, u32, (in, f64, mass))

/* What is worked out from three columns. */
typedef struct halo_moments {
    weft_array mean;
    weft_array extents;
} halo_moments;

static const char NAME[] = "weft_halos_measure";

/* Every stride-th number, for each member. */
static void gather(weft_device *device, const weft_halos *halos, weft_array words, i32 wide,
                   i64 stride, weft_array to) {
    weft_for_each(device, halos->members, halo_properties_gather, .stride = stride,
                  .wide = wide, .member = halos->member, .words = words, .to = to);
}

static void find_steps(weft_device *device, i64 blocks, const points_words *from,
                       weft_array member, const halo_properties_members_arrays *c) {
    const halo_properties_lists_arrays of = {c->halos, c->members, c->box, c->offset};
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, c->members, halo_properties_step, .from = *from, .of = of,
                      .member = member, .step = c->step);
    else
        weft_for_each(device, blocks, halo_properties_steps, .from = *from, .of = of,
                      .member = member, .step = c->step);
}

/* Fills in the moments of the three columns, and the masses of the halos. */
static void sum_up(weft_device *device, i64 blocks, halo_properties_members_arrays of,
                   const halo_moments *moments, weft_array mass) {
    weft_scope_open(device);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(halo_properties_sums), blocks);
    weft_for_each(device, blocks, halo_properties_sum, .of = of, .sums = sums);
    weft_for_each(device, of.halos, halo_properties_mean, .offset = of.offset, .sums = sums,
                  .mass = mass, .mean = moments->mean);
    weft_for_each(device, blocks, halo_properties_spread, .of = of, .mean = moments->mean,
                  .extents = moments->extents);
    weft_scope_close(device);
}

/* Numbers that are not finite leave a mean that is none; only then, or where a mass is not
 * above 0, members are looked at one by one. */
static void check(weft_device *device, const weft_bodies *bodies, const weft_halos *halos,
                  weft_array mass, weft_array mean) {
    u32 odd = 0, light = 0;
    weft_reduce(device, weft_lazy(mean.length, halo_properties_is_odd, .number = mean),
                weft_maximum(WEFT_U32), &odd);
    if (bodies->mass.type)
        weft_reduce(device, weft_lazy(mass.length, halo_properties_is_light, .mass = mass),
                    weft_maximum(WEFT_U32), &light);
    if (odd || light)
        arguments_members(device, NAME, bodies, halos);
}

static void measure(weft_device *device, const weft_bodies *bodies, const weft_halos *halos,
                    const weft_halo_properties *out) {
    const i64 members = halos->members, count = halos->count;
    const i64 blocks = pyramid_blocks(members, count, HALO_PROPERTIES_BITS);
    halo_properties_members_arrays c = {
        .halos = count,
        .members = members,
        .box = {{bodies->box[0], bodies->box[1], bodies->box[2]}},
        .offset = halos->offset,
        .mass = weft_scratch(device, WEFT_F64, members),
        .step = weft_scratch(device, WEFT_F64, 3 * members),
    };
    const halo_moments moments = {
        weft_scratch(device, WEFT_F64, 3 * count),
        weft_scratch(device, WEFT_STRUCT(halo_properties_extent), blocks)};
    if (bodies->mass.type)
        gather(device, halos, weft_as(device, bodies->mass, WEFT_U32),
               bodies->mass.type == WEFT_F64, 1, c.mass);
    else
        weft_fill(device, c.mass, &bodies->particle_mass);
    const points_words place = points_view(device, NAME, &bodies->points);
    find_steps(device, blocks, &place, halos->member, &c);
    sum_up(device, blocks, c, &moments, out->mass);
    check(device, bodies, halos, c.mass, moments.mean);
    weft_for_each(device, count, halo_properties_place, .from = place,
                  .member = halos->member, .of = c, .mean = moments.mean,
                  .extents = moments.extents, .center = out->center_of_mass,
                  .radius = out->radius_max, .wraps = out->wraps);
    if (bodies->velocity.type == 0)
        return;
    const weft_points flow = weft_points_interleaved(
        device, weft_slice(device, bodies->velocity, 0, 3 * bodies->points.count));
    const points_words velocity = points_view(device, NAME, &flow);
    c.box = (halo_properties_vector){{0, 0, 0}};
    find_steps(device, blocks, &velocity, halos->member, &c);
    sum_up(device, blocks, c, &moments, out->mass);
    weft_for_each(device, count, halo_properties_move, .from = velocity,
                  .member = halos->member, .of = c, .mass = out->mass, .mean = moments.mean,
                  .extents = moments.extents, .velocity = out->velocity,
                  .dispersion = out->dispersion);
}

weft_status weft_halos_measure(weft_device *device, const weft_bodies *bodies,
                               const weft_halos *halos, weft_halo_properties *out) {
    if (out)
        *out = (weft_halo_properties){0};
    if (!arguments_bodies(device, NAME, bodies) ||
        !arguments_given(device, NAME, "halos", halos) ||
        !arguments_given(device, NAME, "out", out))
        return weft_check(device);
    const i64 count = halos->count;
    weft_scope_open(device);
    points_view(device, NAME, &bodies->points);
    if (bodies->velocity.type)
        arguments_array(device, NAME, "velocity", bodies->velocity, 0,
                        3 * bodies->points.count);
    if (weft_check(device) == WEFT_OK)
        arguments_numbers(device, NAME, bodies, halos);
    if (weft_check(device) == WEFT_OK) {
        *out = (weft_halo_properties){
            .mass = weft_array_new(device, WEFT_F64, count),
            .center_of_mass = weft_array_new(device, WEFT_F64, 3 * count),
            .radius_max = weft_array_new(device, WEFT_F64, count),
            .wraps = weft_array_new(device, WEFT_U8, count),
        };
        if (bodies->velocity.type) {
            out->velocity = weft_array_new(device, WEFT_F64, 3 * count);
            out->dispersion = weft_array_new(device, WEFT_F64, count);
        }
        if (count > 0)
            measure(device, bodies, halos, out);
    }
    weft_scope_close(device);
    if (weft_check(device) != WEFT_OK)
        weft_halo_properties_free(device, out);
    return weft_check(device);
}

void weft_halo_properties_free(weft_device *device, weft_halo_properties *properties) {
    if (!properties)
        return;
    weft_array_free(device, properties->mass);
    weft_array_free(device, properties->center_of_mass);
    weft_array_free(device, properties->radius_max);
    weft_array_free(device, properties->wraps);
    weft_array_free(device, properties->velocity);
    weft_array_free(device, properties->dispersion);
    *properties = (weft_halo_properties){0};
}
