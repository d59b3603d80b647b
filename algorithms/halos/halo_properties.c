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

WEFT_KERNEL(halo_properties_gather, (value, i64, stride), (value, i32, wide),
            (in, u32, member), (in, u32, words, 0), (out, f64, to))
WEFT_BUNDLE(halo_properties_members, (value, i64, halos), (value, i64, members),
            (value, points_period, box), (in, i64, offset, 0), (in, f64, mass, 0),
            (inout, f64, step, 0))
WEFT_KERNEL(halo_properties_step, (bundle, points_coordinates, from),
            (bundle, halo_properties_members, of), (in, u32, member))
WEFT_KERNEL(halo_properties_steps, (bundle, points_coordinates, from),
            (bundle, halo_properties_members, of), (in, u32, member, 0))
WEFT_KERNEL(halo_properties_sum, (bundle, halo_properties_members, of),
            (out, halo_properties_sums, sums))
WEFT_KERNEL(halo_properties_mean, (in, i64, offset, n + 1),
            (in, halo_properties_sums, sums), (out, f64, mass), (out, f64, mean, 3 * n))
WEFT_KERNEL(halo_properties_spread, (bundle, halo_properties_members, of),
            (in, f64, mean, 0), (out, halo_properties_extent, extents))
WEFT_KERNEL(halo_properties_center, (bundle, points_coordinates, from),
            (bundle, halo_properties_members, of), (in, u32, member, 0),
            (in, f64, mean, 3 * n), (out, f64, center, 3 * n))
WEFT_KERNEL(halo_properties_reach, (bundle, halo_properties_members, of),
            (in, halo_properties_extent, extents), (out, f64, radius), (out, u8, wraps))
WEFT_KERNEL(halo_properties_disperse, (in, i64, offset, n + 1), (in, f64, mass),
            (in, halo_properties_extent, extents), (out, f64, dispersion))

WEFT_GENERATOR(halo_properties_is_odd, u32, (in, f64, number))
WEFT_GENERATOR(halo_properties_is_light, u32, (in, f64, mass))

static const char NAME[] = "weft_halos_measure";

/* Members that a thread looks at in a batch: some numbers of each fit its second cache. */
enum { BATCH = 1 << 15 };

/* Every stride-th number, for each member. */
static void gather(weft_device *device, const weft_halos *halos, weft_array words, i32 wide,
                   i64 stride, weft_array to) {
    weft_for_each(device, halos->members, halo_properties_gather, .stride = stride,
                  .wide = wide, .member = halos->member, .words = words, .to = to);
}

static i64 blocks_of(const halo_properties_members_arrays *c) {
    return pyramid_blocks(c->members, c->halos, HALO_PROPERTIES_BITS);
}

static void find_steps(weft_device *device, const points_words *from, weft_array member,
                       const halo_properties_members_arrays *c) {
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, c->members, halo_properties_step, .from = *from, .of = *c,
                      .member = member);
    else
        weft_for_each(device, blocks_of(c), halo_properties_steps, .from = *from, .of = *c,
                      .member = member);
}

/* The masses of the halos; and the means of three columns, in steps from the first member
 * and as they are. */
static void find_means(weft_device *device, const points_words *from, weft_array member,
                       const halo_properties_members_arrays *c, weft_array mass,
                       weft_array mean, weft_array center) {
    weft_scope_open(device);
    const i64 blocks = blocks_of(c);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(halo_properties_sums), blocks);
    find_steps(device, from, member, c);
    weft_for_each(device, blocks, halo_properties_sum, .of = *c, .sums = sums);
    weft_for_each(device, c->halos, halo_properties_mean, .offset = c->offset, .sums = sums,
                  .mass = mass, .mean = mean);
    weft_for_each(device, c->halos, halo_properties_center, .from = *from, .of = *c,
                  .member = member, .mean = mean, .center = center);
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

/* The members and their masses; steps are to be found. */
static halo_properties_members_arrays
columns(weft_device *device, const weft_bodies *bodies, const weft_halos *halos) {
    const i64 members = halos->members;
    const halo_properties_members_arrays c = {
        .halos = halos->count,
        .members = members,
        .box = {{bodies->box[0], bodies->box[1], bodies->box[2]}},
        .offset = halos->offset,
        .mass = weft_scratch(device, WEFT_F64, members),
        .step = weft_scratch(device, WEFT_F64, 3 * members),
    };
    if (bodies->mass.type)
        gather(device, halos, weft_as(device, bodies->mass, WEFT_U32),
               bodies->mass.type == WEFT_F64, 1, c.mass);
    else
        weft_fill(device, c.mass, &bodies->particle_mass);
    return c;
}

/* Some of the halos, as they would be alone. */
static void measure(weft_device *device, const weft_bodies *bodies, const weft_halos *all,
                    const weft_halos *halos, const weft_halo_properties *out) {
    halo_properties_members_arrays c = columns(device, bodies, halos);
    const i64 blocks = blocks_of(&c);
    const weft_array mean = weft_scratch(device, WEFT_F64, 3 * halos->count);
    const weft_array extents =
        weft_scratch(device, WEFT_STRUCT(halo_properties_extent), blocks);
    const points_words place = points_view(device, NAME, &bodies->points);
    find_means(device, &place, halos->member, &c, out->mass, mean, out->center_of_mass);
    check(device, bodies, all, c.mass, mean);
    weft_for_each(device, blocks, halo_properties_spread, .of = c, .mean = mean,
                  .extents = extents);
    weft_for_each(device, c.halos, halo_properties_reach, .of = c, .extents = extents,
                  .radius = out->radius_max, .wraps = out->wraps);
    if (bodies->velocity.type == 0)
        return;
    const points_words velocity = points_velocities(device, NAME, bodies);
    c.box = (points_period){{0, 0, 0}};
    find_means(device, &velocity, halos->member, &c, out->mass, mean, out->velocity);
    weft_for_each(device, blocks, halo_properties_spread, .of = c, .mean = mean,
                  .extents = extents);
    weft_for_each(device, c.halos, halo_properties_disperse, .offset = c.offset,
                  .mass = out->mass, .extents = extents, .dispersion = out->dispersion);
}

void halo_properties_means(weft_device *device, const weft_bodies *bodies,
                           const weft_halos *halos, weft_array center,
                           weft_array velocity) {
    weft_scope_open(device);
    halo_properties_members_arrays c = columns(device, bodies, halos);
    const weft_array mean = weft_scratch(device, WEFT_F64, 3 * halos->count);
    const weft_array mass = weft_scratch(device, WEFT_F64, halos->count);
    const points_words place = points_view(device, NAME, &bodies->points);
    const points_words flow = points_velocities(device, NAME, bodies);
    find_means(device, &place, halos->member, &c, mass, mean, center);
    c.box = (points_period){{0, 0, 0}};
    find_means(device, &flow, halos->member, &c, mass, mean, velocity);
    weft_scope_close(device);
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
