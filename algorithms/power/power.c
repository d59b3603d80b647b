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

/* Points of this process's planes, and numbers of its part of the spectrum. */
static i64 points_of(const weft_power_options *o) {
    return power_slab(o).planes * o->n[1] * o->n[2];
}

static i64 modes_of(const weft_power_options *o) {
    const weft_power_slab slab = power_slab(o);
    return o->n[0] * slab.rows * slab.columns;
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
    if (weft_check(device) == WEFT_OK)
        power_check_slab(device, call, o);
    return weft_check(device);
}

/* What the kernel reads of each axis, from the host, which all backends share. */
static weft_array axes_of(weft_device *device, const weft_power_options *o) {
    const f64 pi = 3.14159265358979323846;
    const weft_power_slab slab = power_slab(o);
    const i64 first[3] = {0, slab.first_row, slab.first_column};
    const i64 sides[3] = {o->n[0], slab.rows, slab.columns};
    const i64 all = sides[0] + sides[1] + sides[2];
    const weft_array axes = weft_scratch(device, WEFT_F64, 4 * all);
    f64 *host = calloc((size_t)(4 * all), sizeof *host), *at = host;
    if (!host)
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld wave numbers",
                  (long long)all);
    for (int axis = 0; host && axis < 3; axis++)
        for (i64 i = first[axis]; i < first[axis] + sides[axis]; i++, at += 4) {
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
    const weft_array spectrum = weft_scratch(device, WEFT_F64, 2 * modes_of(o));
    if (!o->slab)
        weft_fourier_transform(device, o->n, WEFT_FOURIER_FORWARD, mesh, spectrum);
    else if (weft_check(device) == WEFT_OK)
        o->slab->transform(o->slab->user, device, mesh, spectrum);
    return spectrum;
}

/* The mesh of this process, in memory where the squares of its modes have room, too. */
static weft_array mesh_of(weft_device *device, const weft_power_options *o) {
    const i64 points = points_of(o), modes = modes_of(o);
    return weft_scratch(device, WEFT_F64, points > modes ? points : modes);
}

/* Squares into the mesh, which is no longer needed, and from there into shells. */
static void square(weft_device *device, const weft_power_options *o, weft_array spectrum,
                   weft_array shifted, weft_array mesh, f64 total, f64 *k, f64 *power,
                   i64 *modes) {
    const weft_power_slab slab = power_slab(o);
    const power_axes_arrays axes = {axes_of(device, o), o->n[0], slab.rows, slab.columns};
    weft_array squares = weft_slice(device, mesh, 0, modes_of(o));
    weft_for_each(device, squares.length, power_square, .a = axes, .spectrum = spectrum,
                  .shifted = shifted, .square = squares);
    if (o->slab && weft_check(device) == WEFT_OK) {
        const weft_array rows = squares;
        squares = weft_scratch(device, WEFT_F64, slab.planes * o->n[1] * (o->n[2] / 2 + 1));
        slab.to_planes(slab.user, device, rows, squares);
    }
    const f64 volume = o->box[0] * o->box[1] * o->box[2];
    power_shells(device, o, squares, volume / total / total, k, power, modes);
}

typedef struct of_mesh {
    weft_device *device;
    weft_array units;
} of_mesh;

static void add_units(void *context, void *sum) {
    const of_mesh *m = context;
    i64 units = 0;
    weft_reduce(m->device, m->units, weft_plus(WEFT_I64), &units);
    *(i64 *)sum += units;
}

/* One mesh of particles, moved by so much of a point, as its spectrum; *total: its units.
 */
static weft_array deposit(weft_device *device, const weft_points *points, weft_array mass,
                          const weft_power_options *o, f64 units, f64 shift,
                          weft_array mesh, i64 *total) {
    const weft_power_slab slab = power_slab(o);
    const weft_mesh_options options = {.n = {o->n[0], o->n[1], o->n[2]},
                                       .box = {o->box[0], o->box[1], o->box[2]},
                                       .shift = {shift, shift, shift},
                                       .units = units,
                                       .window = o->window,
                                       .first_plane = slab.planes ? slab.first_plane : 0,
                                       .planes = slab.planes};
    const i64 zero = 0;
    of_mesh whole = {device, weft_as(device, mesh, WEFT_I64)};
    weft_fill(device, whole.units, &zero);
    if (!o->slab)
        weft_mesh_deposit(device, points, mass, &options, whole.units);
    else if (weft_check(device) == WEFT_OK)
        slab.deposit(slab.user, device, &options, whole.units);
    *total = 0;
    power_in_turn(device, o, add_units, &whole, total, sizeof *total);
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
    const power_masses m = power_masses_of(device, call, options, mass, points->count);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    i64 total = 0;
    weft_task_begin(device, call);
    const f64 units = weft_mesh_units(m.largest, m.sum);
    const f64 volume = options->box[0] * options->box[1] * options->box[2];
    weft_scope_open(device);
    const weft_array mesh = mesh_of(device, options);
    const weft_array points_there = weft_slice(device, mesh, 0, points_of(options));
    weft_task_until(device, options->plain ? 0.8 : 0.4);
    const weft_array spectrum =
        deposit(device, points, mass, options, units, 0, points_there, &total);
    weft_task_until(device, 0.8);
    const weft_array shifted = options->plain ? (weft_array){0}
                                              : deposit(device, points, mass, options,
                                                        units, 0.5, points_there, &total);
    if (weft_task_until(device, 1) == WEFT_OK)
        square(device, options, spectrum, shifted, mesh, (f64)total, k, power, modes);
    weft_scope_close(device);
    weft_task_end(device);
    if (shot_noise)
        *shot_noise =
            weft_check(device) == WEFT_OK ? volume * m.squares / m.sum / m.sum : 0;
    return weft_check(device);
}

/* Of this process's planes of a density. */
typedef struct of_density {
    weft_device *device;
    const weft_power_options *options;
    weft_array density, spectrum;
} of_density;

/* The mode of no waves, whose it is. */
static void take_total(void *context, void *sum) {
    const of_density *d = context;
    const weft_power_slab slab = power_slab(d->options);
    if (slab.first_row == 0 && slab.first_column == 0 && d->spectrum.length > 0)
        weft_read(d->device, weft_slice(d->device, d->spectrum, 0, 1), (f64 *)sum);
}

/* The first density that is no number; -1: none. */
static void find_bad(void *context, void *sum) {
    const of_density *d = context;
    const i64 n = d->density.length, first = power_slab(d->options).first_plane;
    const i64 before = first * d->options->n[1] * d->options->n[2];
    i64 *bad = sum;
    f64 *block = d->density.type == WEFT_F64 ? calloc(POWER_BLOCK, sizeof *block) : NULL;
    for (i64 i = 0; block && *bad < 0 && i < n; i += POWER_BLOCK) {
        const i64 some = n - i < POWER_BLOCK ? n - i : POWER_BLOCK;
        weft_read(d->device, weft_slice(d->device, d->density, i, some), block);
        for (i64 j = some - 1; j >= 0; j--)
            *bad = fabs(block[j]) <= DBL_MAX ? *bad : before + i + j;
    }
    free(block);
}

/* Why densities have no spectrum: by the first that is no number, or by their sum. */
static void refuse_density(const char *call, of_density *d, f64 total) {
    i64 bad = -1;
    power_in_turn(d->device, d->options, find_bad, d, &bad, sizeof bad);
    if (bad >= 0)
        weft_fail(d->device, WEFT_E_ARGUMENT, "%s: density %lld is not finite", call,
                  (long long)bad);
    else
        weft_fail(d->device, WEFT_E_ARGUMENT, "%s: densities add up to %g", call, total);
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
    const weft_array whole = mesh_of(device, options);
    const weft_array mesh = weft_slice(device, whole, 0, points);
    density = weft_slice(device, density, 0, points);
    weft_copy(device, density, weft_as(device, mesh, density.type));
    if (density.type == WEFT_I64)
        weft_for_each(device, points, power_widen, .x = mesh);
    of_density d = {device, options, density, spectrum_of(device, options, mesh)};
    f64 total = 0;
    power_in_turn(device, options, take_total, &d, &total, sizeof total);
    if (weft_check(device) == WEFT_OK && !(fabs(total) > 0 && fabs(total) <= DBL_MAX))
        refuse_density(call, &d, total);
    if (weft_task_until(device, 1) == WEFT_OK)
        square(device, options, d.spectrum, (weft_array){0}, whole, total, k, power, modes);
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
