#include "algorithms/pyramid/pyramid.h"
#include "inside.h"
#include "so_fits.kernel.h"

WEFT_KERNEL(so_fit_begin, (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (out, so_fit, fits))
WEFT_KERNEL(so_fit_sum, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (in, so_fit, fits, 0),
            (inout, so_fit_sums, sums))
WEFT_KERNEL(so_fit_step, (bundle, so_properties_members, of), (in, so_fit_sums, sums, 0),
            (inout, so_fit, fits))
WEFT_KERNEL(so_fit_end, (bundle, so_properties_members, of), (in, so_fit, fits),
            (inout, f64, concentration, 0), (inout, f64, error, 0))

WEFT_KERNEL(so_fits_spheres, (value, so_search, s), (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (inout, f64, place, 0),
            (inout, f64, concentration, 0), (inout, f64, error, 0))

/* All spheres at once. */
static void fit_apart(weft_device *device, const so_inside *in, weft_array concentration,
                      weft_array error) {
    const so_members *members = in->members;
    const i64 spheres = members->spheres;
    const i64 blocks = pyramid_blocks(members->members, spheres, SO_PROPERTIES_BITS);
    const so_properties_members_arrays of = in->of;
    const so_properties_spheres_arrays by = in->by;
    weft_scope_open(device);
    const weft_array fits = weft_scratch(device, WEFT_STRUCT(so_fit), spheres);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(so_fit_sums), blocks);
    weft_for_each(device, spheres, so_fit_begin, .of = of, .by = by, .fits = fits);
    for (int round = 0; round < SO_FIT_ROUNDS; round++) {
        weft_for_each(device, blocks, so_fit_sum, .s = in->task->search, .of = of, .by = by,
                      .fits = fits, .sums = sums);
        weft_for_each(device, spheres, so_fit_step, .of = of, .sums = sums, .fits = fits);
    }
    weft_for_each(device, spheres, so_fit_end, .of = of, .fits = fits,
                  .concentration = concentration, .error = error);
    weft_scope_close(device);
}

void so_inside_fit(weft_device *device, const so_inside *in, weft_array concentration,
                   weft_array error) {
    const i64 groups = (in->members->spheres + SO_FITS_SPHERES - 1) / SO_FITS_SPHERES;
    if (weft_device_style(device) == WEFT_SIMT) {
        fit_apart(device, in, concentration, error);
        return;
    }
    weft_scope_open(device);
    weft_for_each(device, groups, so_fits_spheres, .s = in->task->search, .of = in->of,
                  .by = in->by,
                  .place = weft_scratch(device, WEFT_F64, in->members->members),
                  .concentration = concentration, .error = error);
    weft_scope_close(device);
}
