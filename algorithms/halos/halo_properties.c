/* Two passes over each halo, the first for the means, on numbers relative to the halo's
 * first: the shifted two-pass algorithm of Chan, Golub and LeVeque, "Algorithms for
 * computing the sample variance", The American Statistician 37 (1983) 242. */
#include "halo_properties.h"
#include "halo_properties.kernel.h"
#include "algorithms/points/arguments.h"
#include "algorithms/points/points.h"
#include "algorithms/pyramid/lengths.h"
#include "algorithms/pyramid/pyramid.h"
#include "weft/halo_properties.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_BUNDLE(halo_properties_members, (value, i64, halos), (value, i64, members),
            (value, i64, blocks), (value, i64, sides), (value, points_period, box),
            (in, i64, offset, 0), (in, u32, member, 0), (inout, f64, mass, 0),
            (inout, f64, step, 0))
WEFT_KERNEL(halo_properties_step, (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, points_masses, masses),
            (bundle, halo_properties_members, h), (optional, u32, of))
WEFT_KERNEL(halo_properties_steps, (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, points_masses, masses),
            (bundle, halo_properties_members, h))
WEFT_KERNEL(halo_properties_sum, (bundle, halo_properties_members, h),
            (out, halo_properties_sums, sums))
WEFT_KERNEL(halo_properties_mean, (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, halo_properties_members, h),
            (in, halo_properties_sums, sums, 0), (inout, f64, mass, 0),
            (out, f64, mean, 3 * n), (inout, f64, center, 0), (inout, f64, velocity, 0))
WEFT_KERNEL(halo_properties_spread, (bundle, halo_properties_members, h),
            (in, f64, mean, 0), (out, halo_properties_extent, extents))
WEFT_KERNEL(halo_properties_finish, (bundle, halo_properties_members, h),
            (in, halo_properties_extent, extents, 0), (in, f64, mass), (out, f64, radius),
            (out, u8, wraps), (inout, f64, dispersion, 0))

WEFT_GENERATOR(halo_properties_is_odd, u32, (in, f64, number))
WEFT_GENERATOR(halo_properties_is_light, u32, (in, f64, mass))

static const char NAME[] = "weft_halos_measure";

/* Members that a thread looks at in a batch: some numbers of each fit its second cache. */
enum { BATCH = 1 << 14 };

/* Where means of halos go. */
typedef struct means {
    weft_array mass;             /* [halos] f64 */
    weft_array mean;             /* [sides][3 halos] f64: from the first member */
    weft_array center, velocity; /* [3 halos] f64; velocity: none where none move */
} means;

/* The members of halos with their masses and steps, in scratch, and from these the means;
 * `of` is the halo of each, or none. */
static halo_properties_members_arrays find_means(weft_device *device,
                                                 const weft_bodies *bodies,
                                                 const weft_halos *halos, weft_array of,
                                                 const means *to) {
    const i64 members = halos->members, sides = bodies->velocity.type ? 2 : 1;
    const points_words at = points_view(device, NAME, &bodies->points);
    const points_words flow = sides > 1 ? points_velocities(device, NAME, bodies) : at;
    const points_masses_arrays masses = points_masses_of(device, bodies);
    const halo_properties_members_arrays h = {
        .halos = halos->count,
        .members = members,
        .blocks = pyramid_blocks(members, halos->count, HALO_PROPERTIES_BITS),
        .sides = sides,
        .box = {{bodies->box[0], bodies->box[1], bodies->box[2]}},
        .offset = halos->offset,
        .member = halos->member,
        .mass = weft_scratch(device, WEFT_F64, members),
        .step = weft_scratch(device, WEFT_F64, 3 * sides * members),
    };
    weft_scope_open(device);
    const weft_array sums =
        weft_scratch(device, WEFT_STRUCT(halo_properties_sums), sides * h.blocks);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, members, halo_properties_step, .at = at, .flow = flow,
                      .masses = masses, .h = h, .of = of);
    else
        weft_for_each(device, h.blocks, halo_properties_steps, .at = at, .flow = flow,
                      .masses = masses, .h = h);
    weft_for_each(device, sides * h.blocks, halo_properties_sum, .h = h, .sums = sums);
    weft_for_each(device, sides * h.halos, halo_properties_mean, .at = at, .flow = flow,
                  .h = h, .sums = sums, .mass = to->mass, .mean = to->mean,
                  .center = to->center, .velocity = to->velocity);
    weft_scope_close(device);
    return h;
}

void halo_means(weft_device *device, const weft_bodies *bodies, const weft_halos *halos,
                weft_array of, weft_array center, weft_array velocity) {
    weft_scope_open(device);
    const means to = {weft_scratch(device, WEFT_F64, halos->count),
                      weft_scratch(device, WEFT_F64, 6 * halos->count), center, velocity};
    find_means(device, bodies, halos, of, &to);
    weft_scope_close(device);
}

/* Numbers that are not finite leave a mean that is none; only then, or where a mass is not
 * above 0, members are looked at one by one: those of all halos. */
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

/* Some of the halos, as they would be alone. */
static void measure(weft_device *device, const weft_bodies *bodies, const weft_halos *all,
                    const weft_halos *halos, const weft_halo_properties *out) {
    const i64 numbers = 3 * halos->count;
    const int moves = bodies->velocity.type != 0;
    const weft_array none = weft_scratch(device, WEFT_F64, 0);
    const means to = {out->mass, weft_scratch(device, WEFT_F64, (moves ? 2 : 1) * numbers),
                      out->center_of_mass, moves ? out->velocity : none};
    const halo_properties_members_arrays h =
        find_means(device, bodies, halos, (weft_array){0}, &to);
    const weft_array extents =
        weft_scratch(device, WEFT_STRUCT(halo_properties_extent), h.sides * h.blocks);
    check(device, bodies, all, h.mass, weft_slice(device, to.mean, 0, numbers));
    weft_for_each(device, extents.length, halo_properties_spread, .h = h, .mean = to.mean,
                  .extents = extents);
    weft_for_each(device, h.halos, halo_properties_finish, .h = h, .extents = extents,
                  .mass = out->mass, .radius = out->radius_max, .wraps = out->wraps,
                  .dispersion = moves ? out->dispersion : none);
}

/* Numbers of halos [begin, end). */
static weft_array take(weft_device *device, weft_array all, i64 begin, i64 end, i64 each) {
    return all.type ? weft_slice(device, all, each * begin, each * (end - begin)) : all;
}

/* Batch by batch, so that a thread finds in its cache what it has just worked out. */
static void measure_all(weft_device *device, const weft_bodies *bodies,
                        const weft_halos *halos, const weft_halo_properties *out) {
    const i64 most = weft_device_style(device) == WEFT_SIMT
                         ? halos->members
                         : BATCH * weft_concurrency(device);
    for (i64 begin = 0, end; begin < halos->count && weft_check(device) == WEFT_OK;
         begin = end) {
        end = lengths_batch(device, halos->count, halos->offset, begin, most);
        weft_scope_open(device);
        const weft_halos part = lengths_halos(device, halos, begin, end);
        const weft_halo_properties to = {
            .mass = take(device, out->mass, begin, end, 1),
            .center_of_mass = take(device, out->center_of_mass, begin, end, 3),
            .radius_max = take(device, out->radius_max, begin, end, 1),
            .wraps = take(device, out->wraps, begin, end, 1),
            .velocity = take(device, out->velocity, begin, end, 3),
            .dispersion = take(device, out->dispersion, begin, end, 1),
        };
        measure(device, bodies, halos, &part, &to);
        weft_scope_close(device);
    }
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
        measure_all(device, bodies, halos, out);
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
