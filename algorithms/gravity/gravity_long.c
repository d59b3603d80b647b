/* The part of gravity that a mesh knows. */
#include "gravity.h"
#include "weft/fourier.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_KERNEL(gravity_mesh_spread, (value, i64, n), (value, i32, window), (value, f64, units),
            (bundle, gravity_at, at), (shared, u32, mesh, 0))
WEFT_GENERATOR(gravity_mesh_key, u64, (value, i64, n), (value, u64, pencils),
               (bundle, gravity_at, at))
WEFT_KERNEL(gravity_mesh_pencil, (value, i64, n), (value, i32, window), (value, f64, units),
            (value, i64, pencils), (value, i32, odd), (bundle, gravity_at, at),
            (in, u32, start, 0), (in, u32, order, 0), (inout, i64, mesh, 0))
WEFT_KERNELS(gravity_mesh_contrast, (f32, f64), (value, i64, mean), (value, f64, unit),
             (in, i64, mesh), (out, T, out))
WEFT_KERNELS(gravity_mesh_pull, (f32, f64), (value, i32, axis), (bundle, gravity_waves, w),
             (in, T, spectrum, 0), (out, T, out, 0))
WEFT_KERNELS(gravity_mesh_gather, (f32, f64), (value, i64, n), (value, i32, window),
             (bundle, gravity_at, at), (in, T, mesh, 0), (out, f64, out))

/* Sums where nobody else writes to at the time are several times as fast as atomic ones, if
 * there are some for each thread. */
static int is_for_pencils(const weft_device *device, i64 n) {
    const i64 side = n / (2 * GRAVITY_MESH_PENCIL);
    return weft_device_style(device) == WEFT_SIMD &&
           side * side >= 4 * weft_concurrency(device);
}

static void deposit_pencils(weft_device *device, const weft_gravity *plan,
                            gravity_at_arrays at, weft_array mesh) {
    const i64 n = plan->options.mesh, pencils = n / (2 * GRAVITY_MESH_PENCIL) * 2;
    const i64 count = at.x.length, all = pencils * pencils;
    const u32 zero = 0, one = 1;
    i32 bits = 1;
    while ((i64)1 << bits < all)
        bits++;
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, count);
    const weft_array order = weft_scratch(device, WEFT_U32, count);
    const weft_array start = weft_scratch(device, WEFT_U32, all + 1);
    weft_transform(device, count, key, gravity_mesh_key, .n = n, .pencils = (u64)pencils,
                   .at = at);
    weft_sequence(device, order, &zero, &one);
    weft_sort_bits(device, key, order, WEFT_ASCENDING, 0, bits);
    gravity_starts(device, key, 0, all, start);
    for (i32 odd = 0; odd < 4; odd++)
        weft_for_each(device, all / 4, gravity_mesh_pencil, .n = n, .window = plan->window,
                      .units = plan->units, .pencils = pencils, .odd = odd, .at = at,
                      .start = start, .order = order, .mesh = mesh);
    weft_scope_close(device);
}

/* Densities at the points, in the plan's real numbers. */
static void deposit(weft_device *device, const weft_gravity *plan, gravity_at_arrays at,
                    i64 *count) {
    const i64 n = plan->options.mesh, zero = 0, points = plan->real.length;
    const weft_array words = weft_as(device, plan->store, WEFT_U32);
    const weft_array mesh =
        weft_as(device, weft_slice(device, words, 0, 2 * points), WEFT_I64);
    weft_fill(device, mesh, &zero);
    if (is_for_pencils(device, n))
        deposit_pencils(device, plan, at, mesh);
    else
        weft_for_each(device, at.x.length, gravity_mesh_spread, .n = n,
                      .window = plan->window, .units = plan->units, .at = at,
                      .mesh = words);
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
