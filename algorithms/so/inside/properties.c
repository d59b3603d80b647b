#include "algorithms/points/arguments.h"
#include "algorithms/pyramid/pyramid.h"
#include "algorithms/so/known.h"
#include "inside.h"
#include "so_nfw.kernel.h"
#include "so_shaped.kernel.h"
#include "so_sphere.kernel.h"
#include "weft/listener.h"
#include "weft/so_properties.h"
#include "weft/transform.h"

#include <float.h>
#include <stddef.h>

WEFT_BUNDLE(so_measured_found, (inout, f64, vmax, 0), (inout, f64, rmax, 0),
            (inout, f64, concentration_vmax, 0), (inout, f64, concentration_r1, 0),
            (inout, f64, half_mass_radius, 0), (inout, f64, shape, 0),
            (inout, f64, shape_axes, 0), (inout, f64, shape_reduced, 0),
            (inout, f64, shape_reduced_axes, 0), (inout, f64, center_of_mass, 0),
            (inout, f64, offset_position, 0), (inout, f64, spin_bullock, 0),
            (inout, f64, angular_momentum, 0), (inout, f64, velocity, 0),
            (inout, f64, dispersion, 0), (inout, f64, offset_velocity, 0),
            (inout, f64, kinetic_energy, 0))
WEFT_KERNEL(so_properties_sum, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_properties_lists, lists), (out, so_properties_sums, sums))
WEFT_KERNEL(so_properties_place, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, so_properties_members, of),
            (in, f64, center, 0), (out, f64, place, 3 * n), (inout, f64, velocity, 0))
WEFT_KERNEL(so_properties_add, (bundle, so_properties_members, of),
            (in, so_properties_sums, sums, 0), (out, so_properties_sums, total),
            (inout, f64, before, 0))
WEFT_KERNEL(so_properties_rest, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (bundle, so_properties_lists, lists),
            (in, so_properties_sums, total, 0), (in, f64, before),
            (out, so_properties_moments, moments))
WEFT_KERNEL(so_measured_finish, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (bundle, so_properties_lists, lists),
            (in, so_properties_sums, total), (in, so_properties_moments, moments, 0),
            (bundle, so_measured_found, found))
WEFT_KERNEL(so_sphere_measure, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (bundle, so_properties_lists, lists),
            (out, so_properties_sums, total), (bundle, so_measured_found, found))
WEFT_KERNEL(so_shaped_spheres, (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (in, so_properties_sums, total, 0),
            (bundle, so_measured_found, found))
WEFT_KERNEL(so_nfw_one, (value, i64, n), (inout, f64, peak, 0), (inout, f64, mean, 0))
WEFT_KERNEL(so_nfw_eight, (value, i64, n), (inout, f64, peak, 0), (inout, f64, mean, 0))

static const char NAME[] = "weft_so_measure";

static so_measured_found_arrays written(weft_device *device,
                                        const weft_so_properties *out) {
    const weft_array none = weft_scratch(device, WEFT_F64, 0);
    const int moves = out->velocity.type != 0;
    return (so_measured_found_arrays){
        .vmax = out->vmax,
        .rmax = out->rmax,
        .concentration_vmax = out->concentration_vmax,
        .concentration_r1 = out->concentration_r1,
        .half_mass_radius = out->half_mass_radius,
        .shape = out->shape,
        .shape_axes = out->shape_axes,
        .shape_reduced = out->shape_reduced,
        .shape_reduced_axes = out->shape_reduced_axes,
        .center_of_mass = out->center_of_mass,
        .offset_position = out->offset_position,
        .spin_bullock = moves ? out->spin_bullock : none,
        .angular_momentum = moves ? out->angular_momentum : none,
        .velocity = moves ? out->velocity : none,
        .dispersion = moves ? out->velocity_dispersion_tensor : none,
        .offset_velocity = moves ? out->offset_velocity : none,
        .kinetic_energy = moves ? out->kinetic_energy : none,
    };
}

/* Concentrations of a batch, in place of what they follow from. */
static void solve(weft_device *device, const weft_so_properties *out, i64 first, i64 n) {
    const weft_array peak = weft_slice(device, out->concentration_vmax, first, n),
                     mean = weft_slice(device, out->concentration_r1, first, n);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, n, so_nfw_one, .n = n, .peak = peak, .mean = mean);
    else
        weft_for_each(device, (n + SO_NFW_LANES - 1) / SO_NFW_LANES, so_nfw_eight, .n = n,
                      .peak = peak, .mean = mean);
}

so_properties_lists_arrays so_inside_lists(weft_device *device, const so_task *task,
                                           const so_members *members,
                                           const so_properties_members_arrays *of,
                                           const points_words *flow) {
    if (task->told > 0)
        return (so_properties_lists_arrays){members->place, members->velocity};
    const i64 n = 3 * members->members;
    const so_properties_lists_arrays lists = {
        weft_scratch(device, WEFT_F64, n),
        weft_scratch(device, WEFT_F64, of->moves ? n : 0)};
    weft_for_each(device, members->members, so_properties_place, .s = task->search,
                  .at = task->words, .flow = *flow, .of = *of, .center = task->center,
                  .place = lists.place, .velocity = lists.flow);
    return lists;
}

/* By a work-item a block or a sphere. */
static void measure_apart(weft_device *device, const so_inside *in,
                          const so_inside_properties *m) {
    const so_members *members = in->members;
    const i64 blocks =
        pyramid_blocks(members->members, members->spheres, SO_PROPERTIES_BITS);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(so_properties_sums), blocks);
    const weft_array before = weft_scratch(device, WEFT_F64, blocks);
    const weft_array moments =
        weft_scratch(device, WEFT_STRUCT(so_properties_moments), blocks);
    const so_search s = in->task->search;
    weft_for_each(device, blocks, so_properties_sum, .s = s, .of = in->of,
                  .lists = in->lists, .sums = sums);
    weft_for_each(device, members->spheres, so_properties_add, .of = in->of, .sums = sums,
                  .total = in->total, .before = before);
    weft_for_each(device, blocks, so_properties_rest, .s = s, .of = in->of, .by = in->by,
                  .lists = in->lists, .total = in->total, .before = before,
                  .moments = moments);
    weft_for_each(device, members->spheres, so_measured_finish, .s = s, .of = in->of,
                  .by = in->by, .lists = in->lists, .total = in->total, .moments = moments,
                  .found = written(device, m->out));
}

/* By a work-item a sphere, or a few. */
static void measure_spheres(weft_device *device, const so_inside *in,
                            const so_inside_properties *m) {
    const i64 spheres = in->members->spheres;
    const so_measured_found_arrays found = written(device, m->out);
    weft_for_each(device, spheres, so_sphere_measure, .s = in->task->search, .of = in->of,
                  .by = in->by, .lists = in->lists, .total = in->total, .found = found);
    weft_for_each(device, (spheres + SO_SHAPED_SPHERES - 1) / SO_SHAPED_SPHERES,
                  so_shaped_spheres, .of = in->of, .by = in->by, .total = in->total,
                  .found = found);
}

void so_inside_measure(weft_device *device, const so_task *task, const so_members *members,
                       void *context) {
    const so_inside_properties *m = context;
    const so_properties_members_arrays of =
        so_inside_members(device, task, members, m->end, m->moves);
    const so_inside in = {
        .task = task,
        .members = members,
        .of = of,
        .by = m->by,
        .lists = so_inside_lists(device, task, members, &of, &m->flow),
        .total = weft_scratch(device, WEFT_STRUCT(so_properties_sums), members->spheres)};
    weft_task_begin(device, "measure");
    weft_task_until(device, 0.3);
    if (task->told > 0)
        measure_spheres(device, &in, m);
    else
        measure_apart(device, &in, m);
    solve(device, m->out, members->first, members->spheres);
    weft_task_until(device, 0.95);
    so_inside_energies(device, &in, m->out->potential_energy, m->out->kinetic_energy,
                       m->out->angular_momentum, m->out->bound_fraction,
                       m->out->spin_peebles);
    so_inside_fit(device, &in, m->out->concentration_nfw, m->out->concentration_nfw_error);
    weft_task_end(device);
}

/* Where the results are, and how many numbers each has of a sphere; those from OF_MOVING on
 * are of particles that move. */
enum { OF_MOVING = 14, RESULTS = 22 };
static const struct {
    size_t at;
    i64 each;
} results[RESULTS] = {{offsetof(weft_so_properties, vmax), 1},
                      {offsetof(weft_so_properties, rmax), 1},
                      {offsetof(weft_so_properties, concentration_vmax), 1},
                      {offsetof(weft_so_properties, concentration_r1), 1},
                      {offsetof(weft_so_properties, half_mass_radius), 1},
                      {offsetof(weft_so_properties, shape), 3},
                      {offsetof(weft_so_properties, shape_axes), 9},
                      {offsetof(weft_so_properties, shape_reduced), 3},
                      {offsetof(weft_so_properties, shape_reduced_axes), 9},
                      {offsetof(weft_so_properties, center_of_mass), 3},
                      {offsetof(weft_so_properties, offset_position), 1},
                      {offsetof(weft_so_properties, concentration_nfw), 1},
                      {offsetof(weft_so_properties, concentration_nfw_error), 1},
                      {offsetof(weft_so_properties, potential_energy), 1},
                      {offsetof(weft_so_properties, spin_bullock), 1},
                      {offsetof(weft_so_properties, angular_momentum), 3},
                      {offsetof(weft_so_properties, velocity), 3},
                      {offsetof(weft_so_properties, velocity_dispersion_tensor), 6},
                      {offsetof(weft_so_properties, offset_velocity), 1},
                      {offsetof(weft_so_properties, kinetic_energy), 1},
                      {offsetof(weft_so_properties, bound_fraction), 1},
                      {offsetof(weft_so_properties, spin_peebles), 1}};

static weft_array *result_of(weft_so_properties *p, int k) {
    return (weft_array *)(void *)((char *)p + results[k].at);
}

void so_inside_make(weft_device *device, i64 n, int moves, weft_so_properties *out) {
    *out = (weft_so_properties){0};
    for (int k = 0; k < (moves ? RESULTS : OF_MOVING); k++)
        *result_of(out, k) = so_zeros(device, WEFT_F64, results[k].each * n);
}

void so_inside_check(weft_device *device, const char *call, const weft_bodies *bodies,
                     const weft_so_measures *m) {
    if (!arguments_known(device, call, "measures", m->reserved, sizeof m->reserved))
        return;
    if (!(m->gravity > 0 && m->gravity <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: gravity is %g, not above 0", call,
                  m->gravity);
    if (!(m->hubble >= 0 && m->hubble <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: hubble is %g, not 0 or above", call,
                  m->hubble);
    if (!(m->softening >= 0 && m->softening <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: softening is %g, not 0 or above", call,
                  m->softening);
    if (bodies->velocity.type)
        arguments_array(device, call, "velocity", bodies->velocity, 0,
                        3 * bodies->points.count);
}

points_words so_inside_flow(weft_device *device, const char *call,
                            const weft_bodies *bodies, const so_task *task) {
    return bodies->velocity.type ? points_velocities(device, call, bodies) : task->words;
}

void so_inside_tell(weft_device *device, const weft_bodies *bodies, so_task *task) {
    if (weft_device_style(device) == WEFT_SIMT)
        return;
    task->told = bodies->velocity.type ? 2 : 1;
    task->flow = so_inside_flow(device, task->call, bodies, task);
}

so_properties_members_arrays so_inside_members(weft_device *device, const so_task *task,
                                               const so_members *members, weft_array end,
                                               i32 moves) {
    return (so_properties_members_arrays){
        .first = members->first,
        .spheres = members->spheres,
        .moves = moves,
        .offset = members->offset,
        .end = end.type ? end : weft_slice(device, members->offset, 1, members->spheres),
        .r2 = members->r2,
        .who = members->who,
        .weight = task->weight};
}

so_inside_properties so_inside_with(weft_device *device, const weft_bodies *bodies,
                                    const so_task *task, const so_known *known,
                                    const weft_so_measures *how,
                                    const weft_so_properties *out) {
    return (so_inside_properties){.flow = so_inside_flow(device, task->call, bodies, task),
                                  .moves = bodies->velocity.type != 0,
                                  .by = {.gravity = how->gravity,
                                         .softening = how->softening,
                                         .hubble = how->hubble,
                                         .center = task->center,
                                         .mass = known->mass,
                                         .radius = known->radius},
                                  .out = out};
}

static void find(weft_device *device, const weft_bodies *bodies, so_task *task,
                 const weft_so_spheres *spheres, const weft_so_measures *how,
                 const weft_so_properties *out) {
    so_inside_tell(device, bodies, task);
    const so_known known = so_known_of(device, task, spheres, how->threshold);
    so_inside_properties with = so_inside_with(device, bodies, task, &known, how, out);
    weft_task_until(device, 1);
    so_members_each(device, task, known.reach2, known.count, so_inside_measure, &with);
}

weft_status weft_so_measure(weft_device *device, const weft_bodies *bodies,
                            const weft_points *centers, const weft_so_options *options,
                            const weft_so_spheres *spheres,
                            const weft_so_measures *measures, weft_so_properties *out) {
    so_task task;
    if (out)
        *out = (weft_so_properties){0};
    if (!arguments_given(device, NAME, "out", out) ||
        !arguments_given(device, NAME, "spheres", spheres) ||
        !arguments_given(device, NAME, "measures", measures))
        return weft_check(device);
    const int some = so_task_begin(device, NAME, bodies, centers, options, &task);
    if (weft_check(device) == WEFT_OK) {
        const i64 n = centers->count;
        so_known_check(device, options, n, spheres, measures->threshold, &task);
        so_inside_check(device, NAME, bodies, measures);
        so_inside_make(device, n, bodies->velocity.type != 0, out);
    }
    if (some && weft_check(device) == WEFT_OK)
        find(device, bodies, &task, spheres, measures, out);
    so_task_end(device, options, &task);
    if (weft_check(device) != WEFT_OK)
        weft_so_properties_free(device, out);
    return weft_check(device);
}

void weft_so_properties_free(weft_device *device, weft_so_properties *p) {
    if (!p)
        return;
    for (int k = 0; k < RESULTS; k++)
        weft_array_free(device, *result_of(p, k));
    *p = (weft_so_properties){0};
}
