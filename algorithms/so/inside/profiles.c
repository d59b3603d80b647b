#include "algorithms/points/arguments.h"
#include "inside.h"
#include "so_shells.kernel.h"
#include "weft/listener.h"
#include "weft/profiles.h"
#include "weft/transform.h"

#include <float.h>

WEFT_BUNDLE(so_profiles_shells, (value, i64, bins), (in, f64, edge, 0),
            (in, f64, radius, 0), (in, f64, center, 0), (optional, f64, velocity, 0),
            (inout, i64, count, 0), (inout, f64, mass, 0), (inout, f64, density, 0),
            (inout, f64, radial_velocity, 0), (inout, f64, dispersion, 0))
WEFT_KERNEL(so_profiles_reach, (value, f64, last), (in, f64, radius), (out, f64, reach2))
WEFT_KERNEL(so_profiles_sphere, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_profiles_shells, shells), (bundle, so_properties_lists, lists))
WEFT_BUNDLE(so_shells_parts, (value, i64, members), (inout, i64, edge, 0),
            (inout, f64, term, 0), (inout, f64, sum, 0))
WEFT_KERNEL(so_shells_find, (bundle, so_properties_members, of),
            (bundle, so_profiles_shells, shells), (bundle, so_shells_parts, parts))
WEFT_KERNEL(so_shells_add, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, so_properties_members, of),
            (bundle, so_profiles_shells, shells), (bundle, so_shells_parts, parts))
WEFT_KERNEL(so_shells_sum, (value, i64, spheres), (value, i64, bins),
            (bundle, so_shells_parts, parts))
WEFT_KERNEL(so_shells_spread, (value, so_search, s), (bundle, points_coordinates, flow),
            (bundle, so_properties_members, of), (value, i64, bins),
            (bundle, so_shells_parts, parts))
WEFT_KERNEL(so_shells_note, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_profiles_shells, shells), (bundle, so_shells_parts, parts))

static const char NAME[] = "weft_profiles_measure";

/* By a work-item a particle, then one a sum. */
static void measure_apart(weft_device *device, const so_task *task,
                          const so_inside_shells *b, const so_profiles_shells_arrays *found,
                          const so_properties_members_arrays *of, i64 members) {
    const i64 shells = of->spheres * found->bins;
    const i64 sums = b->moves ? SO_SHELLS_SUMS : 1;
    weft_scope_open(device);
    const so_shells_parts_arrays parts = {
        .members = members,
        .edge = weft_scratch(device, WEFT_I64, of->spheres * (found->bins + 1)),
        .term = weft_scratch(device, WEFT_F64, sums * members),
        .sum = weft_scratch(device, WEFT_F64, sums * shells)};
    weft_for_each(device, of->spheres * (found->bins + 1), so_shells_find, .of = *of,
                  .shells = *found, .parts = parts);
    weft_for_each(device, members, so_shells_add, .s = task->search, .at = task->words,
                  .flow = b->flow, .of = *of, .shells = *found, .parts = parts);
    weft_for_each(device, sums * shells, so_shells_sum, .spheres = of->spheres,
                  .bins = found->bins, .parts = parts);
    if (b->moves)
        weft_for_each(device, members, so_shells_spread, .s = task->search, .flow = b->flow,
                      .of = *of, .bins = found->bins, .parts = parts);
    weft_for_each(device, shells, so_shells_note, .s = task->search, .of = *of,
                  .shells = *found, .parts = parts);
    weft_scope_close(device);
}

/* What is written, and by what. */
static so_profiles_shells_arrays written(weft_device *device, const so_task *task,
                                         const so_inside_shells *b) {
    const weft_array none = weft_scratch(device, WEFT_F64, 0);
    const weft_profiles *out = b->out;
    return (so_profiles_shells_arrays){
        .bins = out->bins,
        .edge = b->edge,
        .radius = b->radius,
        .center = task->center,
        .velocity = b->velocity,
        .count = out->count,
        .mass = out->mass,
        .density = out->density,
        .radial_velocity = b->moves ? out->radial_velocity : none,
        .dispersion = b->moves ? out->velocity_dispersion : none};
}

void so_inside_shell(weft_device *device, const so_task *task, const so_members *members,
                     void *context) {
    const so_inside_shells *b = context;
    const so_properties_members_arrays of =
        so_inside_members(device, task, members, (weft_array){0}, b->moves);
    const so_profiles_shells_arrays found = written(device, task, b);
    if (weft_device_style(device) == WEFT_SIMT)
        measure_apart(device, task, b, &found, &of, members->members);
    else
        weft_for_each(device, members->spheres, so_profiles_sphere, .s = task->search,
                      .of = of, .shells = found,
                      .lists = {members->place, members->velocity});
}

void so_inside_check_shells(weft_device *device, const char *call,
                            const weft_profiles_options *how) {
    if (!arguments_known(device, call, "how", how->reserved, sizeof how->reserved))
        return;
    if (how->bins < 0 || how->bins > WEFT_PROFILES_MOST)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: %lld bins are not 0 to %d", call,
                  (long long)how->bins, WEFT_PROFILES_MOST);
    for (i64 b = 0; weft_check(device) == WEFT_OK && b <= how->bins; b++)
        if (!(how->edge[b] >= 0 && how->edge[b] <= 1e6) ||
            (b > 0 && !(how->edge[b] > how->edge[b - 1])))
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: edge[%lld] is %g, not 0 to 1e6 and above the one before", call,
                      (long long)b, how->edge[b]);
}

static void check(weft_device *device, const weft_bodies *bodies, i64 centers,
                  const weft_profiles_options *how) {
    so_inside_check_shells(device, NAME, how);
    arguments_array(device, NAME, "radius", how->radius, WEFT_F64, centers);
    if (how->velocity.type)
        arguments_array(device, NAME, "velocity", how->velocity, WEFT_F64, 3 * centers);
    if (bodies->velocity.type)
        arguments_array(device, NAME, "velocity", bodies->velocity, 0,
                        3 * bodies->points.count);
}

void so_inside_make_shells(weft_device *device, i64 centers, i64 bins, int moves,
                           weft_profiles *out) {
    const i64 n = centers * bins;
    *out = (weft_profiles){.centers = centers,
                           .bins = bins,
                           .count = so_zeros(device, WEFT_I64, n),
                           .mass = so_zeros(device, WEFT_F64, n),
                           .density = so_zeros(device, WEFT_F64, n)};
    if (!moves)
        return;
    out->radial_velocity = so_zeros(device, WEFT_F64, n);
    out->velocity_dispersion = so_zeros(device, WEFT_F64, n);
}

so_inside_shells so_inside_shells_with(weft_device *device, const weft_bodies *bodies,
                                       const so_task *task,
                                       const weft_profiles_options *how,
                                       const weft_profiles *out) {
    const i64 centers = task->search.centers;
    const so_inside_shells with = {.flow = so_inside_flow(device, task->call, bodies, task),
                                   .moves = bodies->velocity.type != 0,
                                   .edge = weft_scratch(device, WEFT_F64, how->bins + 1),
                                   .radius = how->radius,
                                   .velocity = how->velocity,
                                   .reach2 = weft_scratch(device, WEFT_F64, centers),
                                   .out = out};
    weft_write(device, with.edge, how->edge);
    weft_for_each(device, centers, so_profiles_reach, .last = how->edge[how->bins],
                  .radius = how->radius, .reach2 = with.reach2);
    return with;
}

static void find(weft_device *device, const weft_bodies *bodies, so_task *task,
                 const weft_profiles_options *how, const weft_profiles *out) {
    so_inside_tell(device, bodies, task);
    so_inside_shells with = so_inside_shells_with(device, bodies, task, how, out);
    weft_task_until(device, 1);
    so_members_each(device, task, with.reach2, (weft_array){0}, so_inside_shell, &with);
}

weft_status weft_profiles_measure(weft_device *device, const weft_bodies *bodies,
                                  const weft_points *centers,
                                  const weft_so_options *options,
                                  const weft_profiles_options *how, weft_profiles *out) {
    so_task task;
    if (out)
        *out = (weft_profiles){0};
    if (!arguments_given(device, NAME, "out", out) ||
        !arguments_given(device, NAME, "how", how))
        return weft_check(device);
    const int some = so_task_begin(device, NAME, bodies, centers, options, &task);
    if (weft_check(device) == WEFT_OK) {
        const i64 n = centers->count;
        check(device, bodies, n, how);
        so_inside_make_shells(device, n, how->bins, bodies->velocity.type != 0, out);
    }
    if (some && how->bins > 0 && weft_check(device) == WEFT_OK)
        find(device, bodies, &task, how, out);
    so_task_end(device, options, &task);
    if (weft_check(device) != WEFT_OK)
        weft_profiles_free(device, out);
    return weft_check(device);
}

void weft_profiles_free(weft_device *device, weft_profiles *p) {
    if (!p)
        return;
    const weft_array arrays[] = {p->count, p->mass, p->density, p->radial_velocity,
                                 p->velocity_dispersion};
    for (int k = 0; k < 5; k++)
        weft_array_free(device, arrays[k]);
    *p = (weft_profiles){0};
}
