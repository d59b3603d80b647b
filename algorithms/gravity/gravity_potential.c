/* Potentials: of the mesh, less what a particle's own ball has there, and of near pairs. */
#include "gravity_near.h"
#include "weft/transform.h"

WEFT_KERNELS(gravity_mesh_well, (f32, f64), (bundle, gravity_waves, w),
             (in, T, spectrum, 0), (out, T, out, 0))
WEFT_KERNELS(gravity_mesh_sink, (f32, f64), (value, gravity_frame, f), (value, f64, above),
             (bundle, gravity_at, at), (in, T, mesh, 0), (out, f64, out))
WEFT_KERNELS(gravity_mesh_sink_hacc, (f32, f64), (value, gravity_frame, f),
             (value, f64, above), (value, gravity_well, own), (bundle, gravity_at, at),
             (in, T, mesh, 0), (out, f64, out))
WEFT_KERNEL(gravity_pairs_row_depth, (bundle, gravity_tiles, c), (out, f64, potential, 0))
WEFT_KERNEL(gravity_one_depth, (bundle, gravity_tiles, c), (bundle, gravity_near_turns, n),
            (in, u32, list, 0), (inout, f64, potential, 0))
WEFT_KERNEL(gravity_pairs_row_hacc_depth, (bundle, gravity_tiles, c),
            (out, f64, potential, 0))
WEFT_KERNEL(gravity_one_hacc_depth, (bundle, gravity_tiles, c),
            (bundle, gravity_near_turns, n), (in, u32, list, 0), (inout, f64, potential, 0))

/* The potential that a point's own images have at it: those of a cubic lattice. */
static const f64 images = 2.8372974794806196;

/* What makes the mean of all wells of pairs 0, each of 1 / a (t + soft)^(-1/2) and so on: 4
 * pi / 3 times the integral of r^4 f over r, which is 5 / 13 for the ball's part of it. */
static f64 mean_depth(f64 soft, int hacc) {
    const f64 e = sqrt(soft);
    const f64 point =
        (1 + 3 * soft) / (2 * sqrt(1 + soft)) - (e > 0 ? 1.5 * soft * asinh(1 / e) : 0);
    return 4.18879020478639098462 * (point - (hacc ? 0.3607953473946053 : 5. / 13));
}

/* The mesh's numbers at particles, without what each has of itself. */
static void gather(weft_device *device, const weft_gravity *plan, gravity_at_arrays at,
                   i64 count, weft_array out) {
    const f64 reach = plan->options.reach / (f64)plan->options.mesh;
    const f64 e = plan->options.softening / reach;
    const int wide = plan->options.precision;
    if (plan->options.split == WEFT_GRAVITY_HACC) {
        const struct gravity_mesh_sink_hacc_f32_arguments arguments = {
            .f = plan->frame,
            .above = images + (f64)(count - 1) * reach * reach * mean_depth(e * e, 1),
            .own = gravity_own_well(device, plan),
            .at = at,
            .mesh = plan->real,
            .out = out};
        weft_launch(device, at.x.length, gravity_mesh_sink_hacc_kernels[wide], &arguments);
    } else {
        const struct gravity_mesh_sink_f32_arguments arguments = {
            .f = plan->frame,
            .above =
                GRAVITY_BALL / reach + (f64)count * reach * reach * mean_depth(e * e, 0),
            .at = at,
            .mesh = plan->real,
            .out = out};
        weft_launch(device, at.x.length, gravity_mesh_sink_kernels[wide], &arguments);
    }
}

weft_status weft_gravity_long_potential(weft_device *device, weft_gravity *plan,
                                        weft_array x, weft_array y, weft_array z,
                                        weft_array potential) {
    const weft_array at[3] = {x, y, z}, out[3] = {potential, potential, potential};
    if (!gravity_check(device, "weft_gravity_long_potential", plan, at, out, x.length))
        return weft_check(device);
    const i64 n = plan->options.mesh;
    const int wide = plan->options.precision;
    i64 count = x.length;
    const weft_array spectrum = gravity_spectrum(device, plan, at, &count);
    const weft_array well = gravity_other(device, plan);
    const struct gravity_mesh_well_f32_arguments modes = {
        .w = plan->waves, .spectrum = spectrum, .out = well};
    weft_launch(device, n * plan->waves.rows * plan->waves.parts,
                gravity_mesh_well_kernels[wide], &modes);
    gravity_back(device, plan, well);
    gather(device, plan, (gravity_at_arrays){x, y, z}, count, potential);
    return weft_check(device);
}

weft_status weft_gravity_short_potential(weft_device *device, weft_gravity *plan,
                                         weft_array x, weft_array y, weft_array z,
                                         weft_array potential) {
    const weft_array in[3] = {x, y, z}, out[3] = {potential, potential, potential};
    const i64 wanted = potential.length < x.length ? potential.length : x.length;
    if (!gravity_check(device, "weft_gravity_short_potential", plan, in, out, wanted))
        return weft_check(device);
    weft_scope_open(device);
    weft_array words;
    gravity_tiles_arrays c = gravity_sorted(device, plan, in, wanted, &words);
    c.unit = (f64)plan->options.mesh / plan->options.reach;
    const int hacc = plan->options.split == WEFT_GRAVITY_HACC;
    const int lists = gravity_near_pays(device, &c);
    if (!lists && hacc)
        weft_for_each(device, c.most - 1, gravity_pairs_row_hacc_depth, .c = c,
                      .potential = potential);
    else if (!lists)
        weft_for_each(device, c.most - 1, gravity_pairs_row_depth, .c = c,
                      .potential = potential);
    else {
        gravity_lists near = gravity_near_begin(device, &c, words);
        while (gravity_near_next(device, &near))
            if (hacc)
                weft_for_each(device, near.items, gravity_one_hacc_depth, .c = c,
                              .n = near.n, .list = near.list, .potential = potential);
            else
                weft_for_each(device, near.items, gravity_one_depth, .c = c, .n = near.n,
                              .list = near.list, .potential = potential);
    }
    weft_scope_close(device);
    return weft_check(device);
}
