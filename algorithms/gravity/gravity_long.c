/* The part of gravity that a mesh knows. */
#include "gravity.h"
#include "algorithms/mesh/pencils.h"
#include "weft/fourier.h"
#include "weft/find.h"
#include "weft/transform.h"

WEFT_KERNEL(gravity_mesh_spread, (value, gravity_frame, f), (value, f64, units),
            (bundle, gravity_at, at), (shared, u32, mesh, 0))
WEFT_GENERATOR(gravity_mesh_strays, u32, (value, gravity_frame, f), (in, u32, x))
WEFT_GENERATOR(gravity_mesh_key, u32, (value, gravity_frame, f), (value, i64, px),
               (value, i64, py), (bundle, gravity_at, at))
WEFT_KERNEL(gravity_mesh_pencil, (value, gravity_frame, f), (value, f64, units),
            (value, i64, py), (value, i32, odd), (bundle, gravity_at, at),
            (in, i64, start, 0), (in, u32, order, 0), (inout, i64, mesh, 0))
WEFT_KERNELS(gravity_mesh_contrast, (f32, f64), (value, i64, mean), (value, f64, unit),
             (in, i64, mesh), (out, T, out))
WEFT_KERNELS(gravity_mesh_pull, (f32, f64), (value, i32, axis), (bundle, gravity_waves, w),
             (in, T, spectrum, 0), (out, T, out, 0))
WEFT_KERNELS(gravity_mesh_gather, (f32, f64), (value, gravity_frame, f),
             (bundle, gravity_at, at), (in, T, mesh, 0), (out, f64, out))

static void deposit_pencils(weft_device *device, const weft_gravity *plan,
                            gravity_at_arrays at, mesh_pencils p, weft_array mesh) {
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U32, at.x.length);
    weft_transform(device, at.x.length, key, gravity_mesh_key, .f = plan->frame, .px = p.x,
                   .py = p.y, .at = at);
    mesh_pencils_sort(device, key, &p);
    for (i32 odd = 0; odd < 4; odd++)
        weft_for_each(device, p.x * p.y / 4, gravity_mesh_pencil, .f = plan->frame,
                      .units = plan->units, .py = p.y, .odd = odd, .at = at,
                      .start = p.start, .order = p.order, .mesh = mesh);
    weft_scope_close(device);
}

/* A particle that is not in the slab would be written to elsewhere. */
static void check_slab(weft_device *device, const weft_gravity *plan, weft_array x) {
    i64 bad = -1;
    if (plan->slab.transform)
        weft_find_if(device,
                     weft_lazy(x.length, gravity_mesh_strays, .f = plan->frame, .x = x),
                     &bad);
    if (weft_check(device) == WEFT_OK && bad >= 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "weft_gravity_long: particle %lld is not in planes %lld to %lld, which "
                  "the plan is for",
                  (long long)bad, (long long)plan->slab.first_plane,
                  (long long)(plan->slab.first_plane + plan->slab.planes - 1));
}

/* Densities at the points, in the plan's own real numbers. */
static void deposit(weft_device *device, const weft_gravity *plan, gravity_at_arrays at,
                    i64 count) {
    const i64 n = plan->frame.n, zero = 0, points = plan->real.length;
    const mesh_pencils pencils = mesh_pencils_of(device, plan->own.length / (n * n), n);
    const weft_array words = weft_as(device, plan->store, WEFT_U32);
    const weft_array mesh =
        weft_as(device, weft_slice(device, words, 0, 2 * points), WEFT_I64);
    weft_fill(device, mesh, &zero);
    if (pencils.x > 0)
        deposit_pencils(device, plan, at, pencils, mesh);
    else
        weft_for_each(device, at.x.length, gravity_mesh_spread, .f = plan->frame,
                      .units = plan->units, .at = at, .mesh = words);
    if (plan->slab.add && weft_check(device) == WEFT_OK)
        plan->slab.add(plan->slab.user, device, mesh);
    const f64 mean = (f64)count * plan->units / (f64)(n * n * n);
    const struct gravity_mesh_contrast_f32_arguments contrast = {
        .mean = (i64)mean,
        .unit = 1 / plan->units,
        .mesh =
            weft_slice(device, mesh, plan->own.first - plan->real.first, plan->own.length),
        .out = plan->own};
    weft_launch(device, plan->own.length,
                gravity_mesh_contrast_kernels[plan->options.precision], &contrast);
}

static void transform(weft_device *device, weft_gravity *plan,
                      weft_fourier_direction direction, weft_array spectrum) {
    const i64 n = plan->frame.n, sides[3] = {n, n, n};
    if (!plan->slab.transform)
        weft_fourier_transform(device, sides, direction, plan->own, spectrum);
    else if (weft_check(device) == WEFT_OK)
        plan->slab.transform(plan->slab.user, device, direction, plan->own, spectrum);
}

weft_array gravity_spectrum(weft_device *device, weft_gravity *plan, const weft_array at[3],
                            i64 *count) {
    const weft_array spectrum = weft_slice(device, plan->store, 0, plan->length);
    *count = plan->slab.transform ? plan->slab.particles : at[0].length;
    check_slab(device, plan, at[0]);
    deposit(device, plan, (gravity_at_arrays){at[0], at[1], at[2]}, *count);
    transform(device, plan, WEFT_FOURIER_FORWARD, spectrum);
    return spectrum;
}

weft_array gravity_other(weft_device *device, const weft_gravity *plan) {
    return weft_slice(device, plan->store, plan->length, plan->length);
}

void gravity_back(weft_device *device, weft_gravity *plan, weft_array spectrum) {
    transform(device, plan, WEFT_FOURIER_INVERSE, spectrum);
    if (plan->slab.fill && weft_check(device) == WEFT_OK)
        plan->slab.fill(plan->slab.user, device, plan->real);
}

weft_status weft_gravity_long(weft_device *device, weft_gravity *plan, weft_array x,
                              weft_array y, weft_array z, weft_array ax, weft_array ay,
                              weft_array az) {
    const weft_array in[3] = {x, y, z}, out[3] = {ax, ay, az};
    if (!gravity_check(device, "weft_gravity_long", plan, in, out, x.length))
        return weft_check(device);
    const gravity_at_arrays at = {x, y, z};
    const int wide = plan->options.precision;
    i64 count;
    const weft_array spectrum = gravity_spectrum(device, plan, in, &count);
    const weft_array pull = gravity_other(device, plan);
    for (int axis = 0; axis < 3; axis++) {
        const struct gravity_mesh_pull_f32_arguments modes = {
            .axis = axis, .w = plan->waves, .spectrum = spectrum, .out = pull};
        const struct gravity_mesh_gather_f32_arguments gather = {
            .f = plan->frame, .at = at, .mesh = plan->real, .out = out[axis]};
        weft_launch(device, plan->frame.n * plan->waves.rows * plan->waves.parts,
                    gravity_mesh_pull_kernels[wide], &modes);
        gravity_back(device, plan, pull);
        weft_launch(device, x.length, gravity_mesh_gather_kernels[wide], &gather);
    }
    return weft_check(device);
}
