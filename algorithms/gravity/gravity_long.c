/* The part of gravity that a mesh knows. */
#include "gravity.h"
#include "weft/fourier.h"
#include "weft/transform.h"

WEFT_KERNEL(gravity_mesh_spread, (value, i64, n), (value, i32, window), (value, f64, units),
            (bundle, gravity_at, at), (shared, u32, mesh, 0))
WEFT_KERNELS(gravity_mesh_contrast, (f32, f64), (value, i64, mean), (value, f64, unit),
             (in, i64, mesh), (out, T, out))
WEFT_KERNELS(gravity_mesh_pull, (f32, f64), (value, i32, axis), (bundle, gravity_waves, w),
             (in, T, spectrum, 0), (out, T, out, 0))
WEFT_KERNELS(gravity_mesh_gather, (f32, f64), (value, i64, n), (value, i32, window),
             (bundle, gravity_at, at), (in, T, mesh, 0), (out, f64, out))

/* Densities at the points, in the plan's real numbers. */
static void deposit(weft_device *device, const weft_gravity *plan, gravity_at_arrays at,
                    i64 *count) {
    const i64 n = plan->options.mesh, zero = 0, points = plan->real.length;
    const weft_array words = weft_as(device, plan->store, WEFT_U32);
    const weft_array mesh =
        weft_as(device, weft_slice(device, words, 0, 2 * points), WEFT_I64);
    weft_fill(device, mesh, &zero);
    weft_for_each(device, at.x.length, gravity_mesh_spread, .n = n, .window = plan->window,
                  .units = plan->units, .at = at, .mesh = words);
    *count = at.x.length;
    if (plan->options.sum && weft_check(device) == WEFT_OK)
        plan->options.sum(plan->options.user, device, mesh, count);
    const f64 mean = (f64)*count * plan->units / (f64)points;
    const struct gravity_mesh_contrast_f32_arguments contrast = {
        .mean = (i64)mean, .unit = 1 / plan->units, .mesh = mesh, .out = plan->real};
    weft_launch(device, points, gravity_mesh_contrast_kernels[plan->options.precision],
                &contrast);
}

weft_array gravity_spectrum(weft_device *device, weft_gravity *plan, const weft_array at[3],
                            i64 *count) {
    const i64 n = plan->options.mesh, sides[3] = {n, n, n};
    const weft_array spectrum = weft_slice(device, plan->store, 0, plan->store.length / 2);
    deposit(device, plan, (gravity_at_arrays){at[0], at[1], at[2]}, count);
    weft_fourier_transform(device, sides, WEFT_FOURIER_FORWARD, plan->real, spectrum);
    return spectrum;
}

weft_status weft_gravity_long(weft_device *device, weft_gravity *plan, weft_array x,
                              weft_array y, weft_array z, weft_array ax, weft_array ay,
                              weft_array az) {
    const weft_array in[3] = {x, y, z}, out[3] = {ax, ay, az};
    if (!gravity_check(device, "weft_gravity_long", plan, in, out, x.length))
        return weft_check(device);
    const gravity_at_arrays at = {x, y, z};
    const i64 n = plan->options.mesh, sides[3] = {n, n, n};
    const i64 length = plan->store.length / 2;
    const int wide = plan->options.precision;
    i64 count;
    const weft_array spectrum = gravity_spectrum(device, plan, in, &count);
    const weft_array pull = weft_slice(device, plan->store, length, length);
    for (int axis = 0; axis < 3; axis++) {
        const struct gravity_mesh_pull_f32_arguments modes = {
            .axis = axis, .w = plan->waves, .spectrum = spectrum, .out = pull};
        const struct gravity_mesh_gather_f32_arguments gather = {
            .n = n, .window = plan->window, .at = at, .mesh = plan->real, .out = out[axis]};
        weft_launch(device, n * n * plan->waves.parts, gravity_mesh_pull_kernels[wide],
                    &modes);
        weft_fourier_transform(device, sides, WEFT_FOURIER_INVERSE, plan->real, pull);
        weft_launch(device, x.length, gravity_mesh_gather_kernels[wide], &gather);
    }
    return weft_check(device);
}
