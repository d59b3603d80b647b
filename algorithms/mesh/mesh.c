#include "weft/mesh.h"
#include "algorithms/points/arguments.h"
#include "algorithms/points/points.h"
#include "weft/find.h"
#include "weft/transform.h"
#include "mesh.kernel.h"
#include "pencils.h"

#include <float.h>

WEFT_GENERATOR(mesh_is_bad, u32, (value, mesh_frame, f), (optional, u32, mass, 0))
WEFT_KERNEL(mesh_spread, (value, mesh_frame, f), (bundle, points_coordinates, at),
            (optional, u32, mass, 0), (shared, u32, mesh, 0))
WEFT_GENERATOR(mesh_key, u32, (value, mesh_frame, f), (value, i64, low), (value, i64, px),
               (value, i64, py), (bundle, points_coordinates, at))
WEFT_KERNEL(mesh_pencil, (value, mesh_frame, f), (value, i64, py), (value, i32, odd),
            (bundle, points_coordinates, at), (optional, u32, mass, 0), (in, i64, start, 0),
            (in, u32, order, 0), (inout, i64, mesh, 0))
WEFT_KERNEL(mesh_collect, (value, mesh_frame, f), (bundle, points_coordinates, at),
            (in, u32, mesh, 0), (out, f64, out))

double weft_mesh_units(double largest, double total) {
    f64 units = 1;
    if (!(largest > 0 && total > 0 && total <= DBL_MAX))
        largest = total = 1;
    while (largest * units <= 0x1p49 && total * units <= 0x1p61 && units < 0x1p1000)
        units *= 2;
    while (largest * units > 0x1p50 || total * units > 0x1p62)
        units /= 2;
    return units;
}

static mesh_frame frame_of(weft_device *device, const char *call,
                           const weft_mesh_options *o) {
    mesh_frame f = {.window = (i32)o->window, .units = o->units};
    if ((int)o->window < WEFT_MESH_NGP || o->window > WEFT_MESH_PCS)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no window %d", call,
                  (int)o->window);
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++) {
        f.n[k] = o->n[k];
        f.box[k] = o->box[k];
        f.scale[k] = (f64)o->n[k] / o->box[k];
        f.shift[k] = o->shift[k];
        if (o->n[k] < 1 || o->n[k] > WEFT_MESH_MOST)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: n[%d] is %lld, not 1 to %d", call, k,
                      (long long)o->n[k], WEFT_MESH_MOST);
        else if (!(o->box[k] > 0 && f.scale[k] > 0 && f.scale[k] <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not a size", call, k,
                      o->box[k]);
        else if (!(o->shift[k] >= -1 && o->shift[k] <= 1))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: shift[%d] is %g, not -1 to 1", call, k,
                      o->shift[k]);
    }
    f.first = o->first_plane;
    f.planes = o->planes > 0 ? o->planes : f.n[0];
    if (!(o->planes >= 0 && f.planes <= f.n[0] && f.first >= 0 && f.first < f.n[0]))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: %lld planes from %lld on are not of the %lld of the mesh", call,
                  (long long)o->planes, (long long)f.first, (long long)f.n[0]);
    return f;
}

int64_t weft_mesh_plane(const weft_mesh_options *o, double x) {
    const mesh_frame f = {.n = {o->n[0]},
                          .box = {o->box[0]},
                          .scale = {(f64)o->n[0] / o->box[0]},
                          .shift = {o->shift[0]},
                          .window = (i32)o->window};
    return mesh_place(x, &f, 0).at[0];
}

/* What both calls check; a scope must be open. */
static points_words check(weft_device *device, const char *call, const weft_points *points,
                          const weft_mesh_options *options, mesh_frame *f) {
    points_words words = {.stride = 1};
    if (!arguments_given(device, call, "points", points) ||
        !arguments_given(device, call, "options", options) ||
        !arguments_known(device, call, "options", options->reserved,
                         sizeof options->reserved))
        return words;
    *f = frame_of(device, call, options);
    words = points_view(device, call, points);
    if (weft_check(device) == WEFT_OK && points->count > 0)
        points_bounds(device, call, &words, points->count);
    return words;
}

static void check_masses(weft_device *device, const char *call, const mesh_frame *f,
                         weft_array mass, i64 count) {
    i64 bad = -1;
    if (!(f->units > 0 && f->units <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: units is %g, not above 0", call, f->units);
    weft_find_if(device, weft_lazy(count, mesh_is_bad, .f = *f, .mass = mass), &bad);
    if (weft_check(device) == WEFT_OK && bad >= 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the mass of particle %lld is below 0, or above 2^52 units of "
                  "1 / %g",
                  call, (long long)bad, f->units);
}

/* By atomic sums, or pencil by pencil: of planes that are there and those before them from
 * which particles reach these. */
static void deposit(weft_device *device, const mesh_frame *f, points_words words, i64 count,
                    weft_array mass, weft_array mesh) {
    const i64 low = f->planes == f->n[0] ? 0 : f->first - f->window + 1;
    const i64 reach = f->planes == f->n[0] ? f->planes : f->planes + f->window - 1;
    mesh_pencils p = mesh_pencils_of(device, reach < f->n[0] ? reach : f->n[0], f->n[1]);
    if (p.x == 0) {
        weft_for_each(device, count, mesh_spread, .f = *f, .at = words, .mass = mass,
                      .mesh = weft_as(device, mesh, WEFT_U32));
        return;
    }
    const weft_array key = weft_scratch(device, WEFT_U32, count);
    weft_transform(device, count, key, mesh_key, .f = *f,
                   .low = low < 0 ? low + f->n[0] : low, .px = p.x, .py = p.y, .at = words);
    mesh_pencils_sort(device, key, &p);
    for (i32 odd = 0; odd < 4; odd++)
        weft_for_each(device, p.x * p.y / 4, mesh_pencil, .f = *f, .py = p.y, .odd = odd,
                      .at = words, .mass = mass, .start = p.start, .order = p.order,
                      .mesh = mesh);
}

weft_status weft_mesh_deposit(weft_device *device, const weft_points *points,
                              weft_array mass, const weft_mesh_options *options,
                              weft_array mesh) {
    static const char call[] = "weft_mesh_deposit";
    mesh_frame f = {.units = 0};
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    const points_words words = check(device, call, points, options, &f);
    if (weft_check(device) == WEFT_OK && mass.type) {
        arguments_array(device, call, "mass", mass, 0, points->count);
        f.wide = mass.type == WEFT_F64;
        mass = weft_as(device, mass, WEFT_U32);
    }
    arguments_array(device, call, "mesh", mesh, WEFT_I64, f.planes * f.n[1] * f.n[2]);
    if (weft_check(device) == WEFT_OK)
        check_masses(device, call, &f, mass, points->count);
    if (weft_check(device) == WEFT_OK)
        deposit(device, &f, words, points->count, mass, mesh);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_mesh_gather(weft_device *device, const weft_points *points,
                             const weft_mesh_options *options, weft_array mesh,
                             weft_array out) {
    static const char call[] = "weft_mesh_gather";
    mesh_frame f = {.units = 0};
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    const points_words words = check(device, call, points, options, &f);
    if (weft_check(device) == WEFT_OK && options->planes != 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: planes is %lld, not 0: it takes all planes",
                  call, (long long)options->planes);
    arguments_array(device, call, "mesh", mesh, 0, f.n[0] * f.n[1] * f.n[2]);
    if (weft_check(device) == WEFT_OK)
        arguments_array(device, call, "out", out, WEFT_F64, points->count);
    f.wide = mesh.type == WEFT_F64;
    if (weft_check(device) == WEFT_OK)
        weft_for_each(device, points->count, mesh_collect, .f = f, .at = words,
                      .mesh = weft_as(device, mesh, WEFT_U32), .out = out);
    weft_scope_close(device);
    return weft_check(device);
}
