#include "algorithms/points/arguments.h"
#include "algorithms/pyramid/pyramid.h"
#include "inside.h"
#include "so_shapes.kernel.h"
#include "weft/listener.h"
#include "weft/so_shapes.h"
#include "weft/transform.h"

WEFT_KERNEL(so_shapes_reach, (in, f64, radius), (out, f64, reach2))
WEFT_KERNEL(so_shapes_begin, (bundle, so_properties_members, of),
            (out, so_shapes_state, state))
WEFT_KERNEL(so_shapes_sum, (value, so_search, s), (bundle, so_properties_members, of),
            (value, i64, blocks), (in, f64, radius, 0), (in, f64, place, 0),
            (in, so_shapes_state, state, 0), (out, so_shapes_sums, sums))
WEFT_KERNEL(so_shapes_step, (bundle, so_properties_members, of), (value, i64, blocks),
            (in, so_shapes_sums, sums, 0), (inout, so_shapes_state, state))
WEFT_KERNEL(so_shapes_note, (bundle, so_properties_members, of),
            (in, so_shapes_state, state), (inout, f64, shape, 0), (inout, f64, axes, 0),
            (inout, f64, reduced, 0), (inout, f64, reduced_axes, 0))

static const char NAME[] = "weft_so_shapes_measure";

enum { ROUNDS = 20 };

typedef struct batch {
    weft_array radius;
    const weft_so_shapes *out;
} batch;

static void measure(weft_device *device, const so_task *task, const so_members *members,
                    void *context) {
    const batch *b = context;
    const i64 spheres = members->spheres;
    const i64 blocks = pyramid_blocks(members->members, spheres, SO_PROPERTIES_BITS);
    const so_properties_members_arrays of =
        so_inside_members(device, task, members, (weft_array){0}, 0);
    const weft_array place =
        so_inside_lists(device, task, members, &of, &task->words).place;
    const weft_array state =
        weft_scratch(device, WEFT_STRUCT(so_shapes_state), 2 * spheres);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(so_shapes_sums), 2 * blocks);
    weft_for_each(device, 2 * spheres, so_shapes_begin, .of = of, .state = state);
    for (int round = 0; round < ROUNDS; round++) {
        weft_for_each(device, 2 * blocks, so_shapes_sum, .s = task->search, .of = of,
                      .blocks = blocks, .radius = b->radius, .place = place, .state = state,
                      .sums = sums);
        weft_for_each(device, 2 * spheres, so_shapes_step, .of = of, .blocks = blocks,
                      .sums = sums, .state = state);
    }
    weft_for_each(device, 2 * spheres, so_shapes_note, .of = of, .state = state,
                  .shape = b->out->shape, .axes = b->out->axes, .reduced = b->out->reduced,
                  .reduced_axes = b->out->reduced_axes);
}

weft_status weft_so_shapes_measure(weft_device *device, const weft_bodies *bodies,
                                   const weft_points *centers,
                                   const weft_so_options *options, weft_array radius,
                                   weft_so_shapes *out) {
    so_task task;
    if (out)
        *out = (weft_so_shapes){0};
    if (!arguments_given(device, NAME, "out", out))
        return weft_check(device);
    const int some = so_task_begin(device, NAME, bodies, centers, options, &task);
    if (weft_check(device) == WEFT_OK) {
        const i64 n = centers->count;
        arguments_array(device, NAME, "radius", radius, WEFT_F64, n);
        *out = (weft_so_shapes){.shape = so_zeros(device, WEFT_F64, 3 * n),
                                .axes = so_zeros(device, WEFT_F64, 9 * n),
                                .reduced = so_zeros(device, WEFT_F64, 3 * n),
                                .reduced_axes = so_zeros(device, WEFT_F64, 9 * n)};
    }
    if (some && weft_check(device) == WEFT_OK) {
        weft_task_until(device, 1);
        const weft_array reach2 = weft_scratch(device, WEFT_F64, centers->count);
        batch b = {radius, out};
        weft_for_each(device, centers->count, so_shapes_reach, .radius = radius,
                      .reach2 = reach2);
        so_members_each(device, &task, reach2, (weft_array){0}, measure, &b);
    }
    so_task_end(device, options, &task);
    if (weft_check(device) != WEFT_OK)
        weft_so_shapes_free(device, out);
    return weft_check(device);
}

void weft_so_shapes_free(weft_device *device, weft_so_shapes *shapes) {
    if (!shapes)
        return;
    const weft_array arrays[] = {shapes->shape, shapes->axes, shapes->reduced,
                                 shapes->reduced_axes};
    for (int k = 0; k < 4; k++)
        weft_array_free(device, arrays[k]);
    *shapes = (weft_so_shapes){0};
}
