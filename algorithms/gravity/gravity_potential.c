/* Potentials: of the mesh, less what a particle's own ball has there, and of near pairs. */
#include "gravity.h"
#include "weft/transform.h"

WEFT_KERNELS(gravity_mesh_well, (f32, f64), (bundle, gravity_waves, w),
             (in, T, spectrum, 0), (out, T, out, 0))
WEFT_KERNELS(gravity_mesh_sink, (f32, f64), (value, gravity_frame, f), (value, f64, above),
             (bundle, gravity_at, at), (in, T, mesh, 0), (out, f64, out))
WEFT_KERNEL(gravity_pairs_row_depth, (bundle, gravity_tiles, c), (out, f64, potential, 0))
WEFT_KERNEL(gravity_one_depth, (bundle, gravity_tiles, c), (out, f64, potential, 0))

/* What makes the mean of all wells of pairs 0, each of 1 / a (t + soft)^(-1/2) and so on: 4
 * pi / 3 times the integral of r^4 f over r, which is 5 / 13 for the ball. */
static f64 mean_depth(f64 soft) {
    const f64 e = sqrt(soft);
    const f64 point =
        (1 + 3 * soft) / (2 * sqrt(1 + soft)) - (e > 0 ? 1.5 * soft * asinh(1 / e) : 0);
    return 4.18879020478639098462 * (point - 5. / 13);
}

static int check(weft_device *device, const char *call, const weft_gravity *plan,
                 const weft_array at[3], const weft_array out[3], i64 wanted) {
    if (gravity_check(device, call, plan, at, out, wanted) &&
        plan->options.split == WEFT_GRAVITY_HACC)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: none is known of the split of HACC", call);
    return weft_check(device) == WEFT_OK;
}

weft_status weft_gravity_long_potential(weft_device *device, weft_gravity *plan,
                                        weft_array x, weft_array y, weft_array z,
                                        weft_array potential) {
    const weft_array at[3] = {x, y, z}, out[3] = {potential, potential, potential};
    if (!check(device, "weft_gravity_long_potential", plan, at, out, x.length))
        return weft_check(device);
    const i64 n = plan->options.mesh;
    const int wide = plan->options.precision;
    const f64 reach = plan->options.reach / (f64)n, e = plan->options.softening / reach;
    i64 count = x.length;
    const weft_array spectrum = gravity_spectrum(device, plan, at, &count);
    const weft_array well = gravity_other(device, plan);
    const struct gravity_mesh_well_f32_arguments modes = {
        .w = plan->waves, .spectrum = spectrum, .out = well};
    const struct gravity_mesh_sink_f32_arguments gather = {
        .f = plan->frame,
        .above = GRAVITY_BALL / reach + (f64)count * reach * reach * mean_depth(e * e),
        .at = {x, y, z},
        .mesh = plan->real,
        .out = potential};
    weft_launch(device, n * plan->waves.rows * plan->waves.parts,
                gravity_mesh_well_kernels[wide], &modes);
    gravity_back(device, plan, well);
    weft_launch(device, x.length, gravity_mesh_sink_kernels[wide], &gather);
    return weft_check(device);
}

weft_status weft_gravity_short_potential(weft_device *device, weft_gravity *plan,
                                         weft_array x, weft_array y, weft_array z,
                                         weft_array potential) {
    const weft_array in[3] = {x, y, z}, out[3] = {potential, potential, potential};
    const i64 wanted = potential.length < x.length ? potential.length : x.length;
    if (!check(device, "weft_gravity_short_potential", plan, in, out, wanted))
        return weft_check(device);
    weft_scope_open(device);
    gravity_tiles_arrays c = gravity_sorted(device, plan, in, wanted);
    c.unit = (f64)plan->options.mesh / plan->options.reach;
    if (weft_device_style(device) == WEFT_SIMD)
        weft_for_each(device, c.most - 1, gravity_pairs_row_depth, .c = c,
                      .potential = potential);
    else
        weft_for_each(device, (c.most - 1) * GRAVITY_TILE, gravity_one_depth, .c = c,
                      .potential = potential);
    weft_scope_close(device);
    return weft_check(device);
}
