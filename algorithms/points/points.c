#include "points.h"
#include "algorithms/tuning.h"
#include "weft/reduce.h"
#include "weft/select.h"
#include "weft/transform.h"

#include <float.h>

WEFT_KERNEL(points_bound, (value, i64, n), (value, i64, block), (value, points_box, empty),
            (bundle, points_coordinates, at), (out, points_box, out))
WEFT_GENERATOR(points_index, u32, (value, u32, first))
WEFT_GENERATOR(points_number, i64, (value, i64, first))
WEFT_OPERATOR(points_enclose, points_box,
              {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, (i64)1 << 62})

static weft_points interleaved(weft_device *device, const char *call, i64 axes,
                               const char *each, weft_array positions) {
    const i64 n = positions.length / axes, rest = positions.length % axes;
    weft_points points = {positions, positions, {0}, axes, 0};
    if (weft_check(device) == WEFT_OK && rest != 0)
        weft_fail(device, WEFT_E_SHAPE, "%s: %lld coordinates are not %s", call,
                  (long long)positions.length, each);
    const int are = n > 0 && rest == 0;
    if (axes == 3)
        points.z = are ? weft_slice(device, positions, 2, 3 * n - 2) : positions;
    if (are) {
        points.y = weft_slice(device, positions, 1, axes * n - 1);
        points.count = n;
    }
    return points;
}

weft_points weft_points_interleaved(weft_device *device, weft_array positions) {
    return interleaved(device, "weft_points_interleaved", 3, "three a particle", positions);
}

weft_points weft_points_interleaved_2d(weft_device *device, weft_array positions) {
    return interleaved(device, "weft_points_interleaved_2d", 2, "two a point", positions);
}

weft_points weft_points_separate(weft_device *device, weft_array x, weft_array y,
                                 weft_array z) {
    if (weft_check(device) == WEFT_OK &&
        (x.length != y.length || (z.type != 0 && x.length != z.length)))
        weft_fail(device, WEFT_E_SHAPE,
                  "weft_points_separate: x, y and z have %lld, %lld and %lld elements",
                  (long long)x.length, (long long)y.length, (long long)z.length);
    return (weft_points){x, y, z, 1, x.length};
}

static weft_array view_axis(weft_device *device, const char *what, const char *axis,
                            weft_array a, const weft_points *points) {
    if (a.type != WEFT_F32 && a.type != WEFT_F64)
        weft_fail(device, WEFT_E_TYPE, "%s: %s coordinates are neither f32 nor f64", what,
                  axis);
    else if (a.type != points->x.type)
        weft_fail(device, WEFT_E_TYPE, "%s: x and %s coordinates differ in type", what,
                  axis);
    else if (points->count > 0 && (a.length - 1) / points->stride < points->count - 1)
        weft_fail(device, WEFT_E_SHAPE, "%s: %s has fewer than %lld coordinates", what,
                  axis, (long long)points->count);
    return weft_as(device, a, WEFT_U32);
}

/* The coordinate 0 for each of the points of a plane. */
static weft_array view_plane(weft_device *device, const weft_points *points) {
    const i64 length = points->count > 0 ? (points->count - 1) * points->stride + 1 : 0;
    return points_filled(device, points->x.type == WEFT_F64 ? 2 * length : length, 0);
}

points_words points_view(weft_device *device, const char *what, const weft_points *points) {
    points_words words = {0};
    if (weft_check(device) != WEFT_OK)
        return words;
    if (!points) {
        weft_fail(device, WEFT_E_ARGUMENT, "%s: 'points' is NULL", what);
        return words;
    }
    if (points->stride < 1 || points->count < 0 || points->count >= (i64)UINT32_MAX) {
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: points need a stride of at least 1 and a count below 2^32 - 1",
                  what);
        return words;
    }
    words.x = view_axis(device, what, "x", points->x, points);
    words.y = view_axis(device, what, "y", points->y, points);
    words.z = points->z.type == 0 ? view_plane(device, points)
                                  : view_axis(device, what, "z", points->z, points);
    words.stride = points->stride;
    words.wide = points->x.type == WEFT_F64;
    return words;
}

points_words points_velocities(weft_device *device, const char *what,
                               const weft_bodies *bodies) {
    const weft_points flow = weft_points_interleaved(
        device, weft_slice(device, bodies->velocity, 0, 3 * bodies->points.count));
    return points_view(device, what, &flow);
}

points_masses_arrays points_masses_of(weft_device *device, const weft_bodies *bodies) {
    const weft_array mass = bodies->mass;
    return (points_masses_arrays){mass.type ? weft_as(device, mass, WEFT_U32) : mass,
                                  bodies->particle_mass, mass.type == WEFT_F64};
}

points_box points_empty(void) {
    return points_enclose_identity;
}

points_box points_around(weft_device *device, const char *what, weft_array part,
                         i64 count) {
    points_box box = {0};
    weft_reduce(device, part, weft_op(points_enclose), &box);
    if (weft_check(device) == WEFT_OK && box.bad < count)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: particle %lld has a coordinate that is not finite", what,
                  (long long)box.bad);
    return box;
}

/* The boxes around blocks of particles, scratch of the open scope. */
static weft_array blocks_of(weft_device *device, const points_words *words, i64 count) {
    const i64 block = tuning_of(device)->points_block;
    const weft_array part =
        weft_scratch(device, WEFT_STRUCT(points_box), (count + block - 1) / block);
    weft_for_each(device, part.length, points_bound, .n = count, .block = block,
                  .empty = points_enclose_identity, .at = *words, .out = part);
    return part;
}

points_box points_bounds(weft_device *device, const char *what, const points_words *words,
                         i64 count) {
    weft_scope_open(device);
    const points_box box =
        points_around(device, what, blocks_of(device, words, count), count);
    weft_scope_close(device);
    return box;
}

points_box points_sample(weft_device *device, const points_words *words, i64 count) {
    enum { SOME = 1 << 10 };
    points_box box = {0};
    points_words some = *words;
    const i64 every = count / SOME | 1;
    some.stride *= every;
    weft_scope_open(device);
    weft_reduce(device, blocks_of(device, &some, (count - 1) / every + 1),
                weft_op(points_enclose), &box);
    weft_scope_close(device);
    return box;
}

weft_array points_filled(weft_device *device, i64 count, u32 value) {
    const weft_array array = weft_scratch(device, WEFT_U32, count);
    weft_fill(device, array, &value);
    return array;
}

weft_array points_numbers(weft_device *device, i64 count) {
    const u32 first = 0, step = 1;
    const weft_array array = weft_scratch(device, WEFT_U32, count);
    weft_sequence(device, array, &first, &step);
    return array;
}

void points_list(weft_device *device, weft_array flags, weft_array to, i64 *count) {
    if (to.type == WEFT_U32)
        weft_copy_if(device, weft_lazy(flags.length, points_index, .first = 0), flags, to,
                     count);
    else
        weft_copy_if(device, weft_lazy(flags.length, points_number, .first = 0), flags, to,
                     count);
}

weft_array points_listed(weft_device *device, weft_array flags) {
    const weft_array all = weft_scratch(device, WEFT_U32, flags.length);
    i64 count = 0;
    points_list(device, flags, all, &count);
    return weft_slice(device, all, 0, count);
}
