#include "weft/power.h"
#include "algorithms/points/arguments.h"
#include "power.h"
#include "weft/fourier.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"
#include "power.kernel.h"

#include <float.h>
#include <stdlib.h>

WEFT_KERNEL(power_widen, (inout, f64, x))
WEFT_BUNDLE(power_axes, (in, f64, of, 0), (value, i64, nx), (value, i64, ny),
            (value, i64, nz))
WEFT_KERNEL(power_square, (bundle, power_axes, a), (in, f64, spectrum, 0),
            (optional, f64, shifted, 0), (out, f64, square))

enum { BLOCK = 1 << 16 /* masses that are read at a time */ };

static i64 points_of(const weft_power_options *o) {
    return o->n[0] * o->n[1] * o->n[2];
}

static weft_status check(weft_device *device, const char *call, const weft_power_options *o,
                         int least_window) {
    if (weft_check(device) != WEFT_OK || !arguments_given(device, call, "options", o) ||
        !arguments_known(device, call, "options", o->reserved, sizeof o->reserved))
        return weft_check(device);
    if ((int)o->window < least_window || o->window > WEFT_MESH_PCS)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no window %d", call,
                  (int)o->window);
    else if (o->plain != 0 && o->plain != 1)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: plain is %d, not 0 or 1", call, o->plain);
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++)
        if (o->n[k] < 1 || o->n[k] > WEFT_MESH_MOST)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: n[%d] is %lld, not 1 to %d", call, k,
                      (long long)o->n[k], WEFT_MESH_MOST);
        else if (!(o->box[k] >= 1e-100 && o->box[k] <= 1e100))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not 1e-100 to 1e100",
                      call, k, o->box[k]);
    return weft_check(device);
}

/* What the kernel reads of each axis, from the host, which all backends share. */
static weft_array axes_of(weft_device *device, const weft_power_options *o) {
    const f64 pi = 3.14159265358979323846;
    const i64 sides[3] = {o->n[0], o->n[1], o->n[2] / 2 + 1};
    const i64 all = sides[0] + sides[1] + sides[2];
    const weft_array axes = weft_scratch(device, WEFT_F64, 4 * all);
    f64 *host = calloc((size_t)(4 * all), sizeof *host), *at = host;
    if (!host)
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld wave numbers",
                  (long long)all);
    for (int axis = 0; host && axis < 3; axis++)
        for (i64 i = 0; i < sides[axis]; i++, at += 4) {
            const f64 n = (f64)o->n[axis],
                      wave = (f64)(2 * i > o->n[axis] ? i - o->n[axis] : i);
            const f64 half = pi * wave / n, fall = i == 0 ? 1 : half / sin(half);
            at[0] = cos(half);
            at[1] = sin(half);
            at[2] = -at[1];
            at[3] = 1;
            for (int k = 0; k < 2 * (int)o->window; k++)
                at[3] *= fall;
        }
    if (host)
        weft_write(device, axes, host);
    free(host);
    return axes;
}

static weft_array spectrum_of(weft_device *device, const weft_power_options *o,
                              weft_array mesh) {
    const weft_array spectrum = weft_scratch(device, WEFT_F64, weft_fourier_length(o->n));
    weft_fourier_transform(device, o->n, WEFT_FOURIER_FORWARD, mesh, spectrum);
    return spectrum;
}

/* Squares into the mesh, which is no longer needed, and from there into shells. */
static void square(weft_device *device, const weft_power_options *o, weft_array spectrum,
                   weft_array shifted, weft_array mesh, f64 total, f64 *k, f64 *power,
                   i64 *modes) {
    const weft_array squares = weft_slice(device, mesh, 0, weft_fourier_length(o->n) / 2);
    const power_axes_arrays axes = {axes_of(device, o), o->n[0], o->n[1], o->n[2] / 2 + 1};
    weft_for_each(device, squares.length, power_square, .a = axes, .spectrum = spectrum,
                  .shifted = shifted, .square = squares);
    const f64 volume = o->box[0] * o->box[1] * o->box[2];
    power_shells(device, o, squares, volume / total / total, k, power, modes);
}

/* The largest mass, their sum and that of their squares, in their order on the host. */
typedef struct masses {
    f64 largest, sum, squares;
} masses;

static masses masses_of(weft_device *device, const char *call, weft_array mass, i64 count) {
    masses m = {1, (f64)count, (f64)count};
    if (!mass.type || weft_check(device) != WEFT_OK)
        return m;
    m = (masses){0, 0, 0};
    void *block = calloc(BLOCK, sizeof(f64));
    if (!block)
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %d masses", (int)BLOCK);
    for (i64 i = 0; i < count && weft_check(device) == WEFT_OK; i += BLOCK) {
        const i64 n = count - i < BLOCK ? count - i : BLOCK;
        weft_read(device, weft_slice(device, mass, i, n), block);
        for (i64 j = 0; j < n; j++) {
            const f64 x = mass.type == WEFT_F64 ? ((const f64 *)block)[j]
                                                : (f64)((const f32 *)block)[j];
            if (!(x >= 0 && x <= DBL_MAX) && weft_check(device) == WEFT_OK)
                weft_fail(device, WEFT_E_ARGUMENT,
                          "%s: the mass %g of particle %lld is not 0 or above and finite",
                          call, x, (long long)(i + j));
            m.largest = x > m.largest ? x : m.largest;
            m.sum += x;
            m.squares += x * x;
        }
    }
    free(block);
    return m;
}

/* One mesh of particles, moved by so much of a point, as its spectrum; *total: its units.
 */
static weft_array deposit(weft_device *device, const weft_points *points, weft_array mass,
                          const weft_power_options *o, f64 units, f64 shift,
                          weft_array mesh, i64 *total) {
    const weft_mesh_options options = {.n = {o->n[0], o->n[1], o->n[2]},
                                       .box = {o->box[0], o->box[1], o->box[2]},
                                       .shift = {shift, shift, shift},
                                       .units = units,
                                       .window = o->window};
    const i64 zero = 0;
    const weft_array whole = weft_as(device, mesh, WEFT_I64);
    weft_fill(device, whole, &zero);
    weft_mesh_deposit(device, points, mass, &options, whole);
    weft_reduce(device, whole, weft_plus(WEFT_I64), total);
    weft_for_each(device, mesh.length, power_widen, .x = mesh);
    return spectrum_of(device, o, mesh);
}

weft_status weft_power_particles(weft_device *device, const weft_points *points,
                                 weft_array mass, const weft_power_options *options,
                                 double *k, double *power, int64_t *modes,
                                 double *shot_noise) {
    static const char call[] = "weft_power_particles";
    if (check(device, call, options, WEFT_MESH_NGP) != WEFT_OK ||
        !arguments_given(device, call, "points", points))
        return weft_check(device);
    if (mass.type)
        arguments_array(device, call, "mass", mass, 0, points->count);
    const masses m = masses_of(device, call, mass, points->count);
    if (weft_check(device) == WEFT_OK && !(m.sum > 0 && m.squares <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: the masses of %lld particles add up to %g",
                  call, (long long)points->count, m.sum);
    if (weft_check(device) == WEFT_OK && !(m.largest * m.largest >= 1e-290))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the masses of %lld particles, of %g and less, have no squares in "
                  "f64: choose another unit",
                  call, (long long)points->count, m.largest);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    i64 total = 0;
    weft_task_begin(device, call);
    const f64 units = weft_mesh_units(m.largest, m.sum);
    const f64 volume = options->box[0] * options->box[1] * options->box[2];
    weft_scope_open(device);
    const weft_array mesh = weft_scratch(device, WEFT_F64, points_of(options));
    weft_task_until(device, options->plain ? 0.8 : 0.4);
    const weft_array spectrum =
        deposit(device, points, mass, options, units, 0, mesh, &total);
    weft_task_until(device, 0.8);
    const weft_array shifted =
        options->plain ? (weft_array){0}
                       : deposit(device, points, mass, options, units, 0.5, mesh, &total);
    if (weft_task_until(device, 1) == WEFT_OK)
        square(device, options, spectrum, shifted, mesh, (f64)total, k, power, modes);
    weft_scope_close(device);
    weft_task_end(device);
    if (shot_noise)
        *shot_noise =
            weft_check(device) == WEFT_OK ? volume * m.squares / m.sum / m.sum : 0;
    return weft_check(device);
}

/* Why densities have no spectrum: by the first that is no number, or by their sum. */
static void refuse_density(weft_device *device, const char *call, weft_array density,
                           f64 total) {
    i64 bad = -1;
    f64 *block = density.type == WEFT_F64 ? calloc(BLOCK, sizeof *block) : NULL;
    for (i64 i = 0; block && bad < 0 && i < density.length; i += BLOCK) {
        const i64 n = density.length - i < BLOCK ? density.length - i : BLOCK;
        weft_read(device, weft_slice(device, density, i, n), block);
        for (i64 j = n - 1; j >= 0; j--)
            bad = fabs(block[j]) <= DBL_MAX ? bad : i + j;
    }
    free(block);
    if (bad >= 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: density %lld is not finite", call,
                  (long long)bad);
    else
        weft_fail(device, WEFT_E_ARGUMENT, "%s: densities add up to %g", call, total);
}

weft_status weft_power_density(weft_device *device, weft_array density,
                               const weft_power_options *options, double *k, double *power,
                               int64_t *modes) {
    static const char call[] = "weft_power_density";
    if (check(device, call, options, 0) != WEFT_OK)
        return weft_check(device);
    const i64 points = points_of(options);
    arguments_array(device, call, "density", density,
                    density.type == WEFT_I64 ? WEFT_I64 : WEFT_F64, points);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_task_begin(device, call);
    weft_scope_open(device);
    weft_task_until(device, 0.7);
    const weft_array mesh = weft_scratch(device, WEFT_F64, points);
    weft_copy(device, weft_slice(device, density, 0, points),
              weft_as(device, mesh, density.type));
    if (density.type == WEFT_I64)
        weft_for_each(device, points, power_widen, .x = mesh);
    const weft_array spectrum = spectrum_of(device, options, mesh);
    f64 total = 0; /* the mode of no waves */
    weft_read(device, weft_slice(device, spectrum, 0, 1), &total);
    if (weft_check(device) == WEFT_OK && !(fabs(total) > 0 && fabs(total) <= DBL_MAX))
        refuse_density(device, call, weft_slice(device, density, 0, points), total);
    if (weft_task_until(device, 1) == WEFT_OK)
        square(device, options, spectrum, (weft_array){0}, mesh, total, k, power, modes);
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
