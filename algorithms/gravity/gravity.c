#include "gravity.h"
#include "algorithms/points/arguments.h"
#include "weft/fourier.h"
#include "weft/mesh.h"

#include <stdlib.h>

static void check_options(weft_device *device, const char *call,
                          const weft_gravity_options *o) {
    if (!arguments_given(device, call, "options", o) ||
        !arguments_known(device, call, "options", o->reserved, sizeof o->reserved))
        return;
    if (o->mesh < 8 || o->mesh > 65536 || weft_fourier_side(o->mesh) != o->mesh)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: mesh is %lld, not an even product of 2, 3, 5 and 7 from 8 to 65536",
                  call, (long long)o->mesh);
    else if (o->most < 1 || o->most > 4000000000)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: most is %lld, not 1 to 4000000000", call,
                  (long long)o->most);
    else if (o->reach != 0 && !(o->reach >= 2 && o->reach <= (f64)o->mesh / 2 - 1))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: reach is %g, not 0, or 2 to %g", call,
                  o->reach, (f64)o->mesh / 2 - 1);
    else if (!(o->softening >= 0 && o->softening <= 1))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: softening is %g, not 0 to 1", call,
                  o->softening);
    else if (o->split != WEFT_GRAVITY_BALL && o->split != WEFT_GRAVITY_HACC)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no split %d", call, o->split);
    else if (o->split == WEFT_GRAVITY_HACC && (o->reach != 0 || o->mesh < 10))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the split of HACC has a reach of its own, 3.116326 points of a mesh "
                  "of at least 10: not %g of %lld",
                  call, o->reach, (long long)o->mesh);
    else if (o->precision != 0 && o->precision != 1)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: precision is %d, not 0 or 1", call,
                  o->precision);
}

static void check_slab(weft_device *device, const char *call, i64 mesh,
                       const weft_gravity_slab *s) {
    if (!arguments_known(device, call, "options.slab", s->reserved, sizeof s->reserved))
        return;
    if (s->first_plane < 0 || s->planes < 0 || s->first_plane > mesh - s->planes ||
        s->first_row < 0 || s->rows < 0 || s->first_row > mesh - s->rows)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: a slab has %lld planes from %lld on and %lld rows from %lld on: not "
                  "all are of a mesh of %lld",
                  call, (long long)s->planes, (long long)s->first_plane, (long long)s->rows,
                  (long long)s->first_row, (long long)mesh);
    else if (s->first_column < 0 || s->columns < 0 ||
             s->first_column > mesh / 2 + 1 - s->columns)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: a slab has %lld columns from %lld on: not all are of the %lld of a "
                  "mesh of %lld",
                  call, (long long)s->columns, (long long)s->first_column,
                  (long long)(mesh / 2 + 1), (long long)mesh);
    else if (s->particles < 1)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: the particles of all processes are %lld",
                  call, (long long)s->particles);
    else if (!s->transform || !s->add || !s->fill)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: a slab lacks a function", call);
}

/* Room for the mesh, or the plan's slab of it and the planes around that. */
static void allocate(weft_device *device, weft_gravity *plan) {
    const i64 n = plan->options.mesh, area = n * n;
    const weft_type type = plan->options.precision ? WEFT_F64 : WEFT_F32;
    const weft_gravity_slab *slab = &plan->slab;
    const int shared = slab->transform != NULL;
    const i64 planes = shared ? slab->planes : n, below = shared && planes > 0 ? 1 : 0;
    plan->frame =
        (gravity_frame){.n = n,
                        .low = shared ? slab->first_plane - 1 : 0,
                        .extent = below ? planes + 3 : planes,
                        .window = plan->options.split == WEFT_GRAVITY_HACC ? 2 : 4};
    plan->length = 2 * n * plan->waves.rows * plan->waves.columns;
    const i64 masses = plan->frame.extent * area * 8 / (i64)WEFT_SIZE(type);
    plan->store =
        weft_array_new(device, type, masses > 2 * plan->length ? masses : 2 * plan->length);
    plan->real = weft_array_new(device, type, plan->frame.extent * area);
    plan->own = weft_slice(device, plan->real, below * area, planes * area);
}

weft_gravity *weft_gravity_new(weft_device *device, const weft_gravity_options *options) {
    static const char call[] = "weft_gravity_new";
    check_options(device, call, options);
    if (weft_check(device) == WEFT_OK && options->slab)
        check_slab(device, call, options->mesh, options->slab);
    if (weft_check(device) != WEFT_OK)
        return NULL;
    weft_gravity *plan = calloc(1, sizeof *plan);
    if (!plan) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: a plan");
        return NULL;
    }
    const i64 n = options->mesh;
    plan->device = device;
    plan->options = *options;
    if (options->slab)
        plan->slab = *options->slab;
    plan->options.slab = NULL;
    if (options->split == WEFT_GRAVITY_HACC)
        plan->options.reach = 3.116326;
    else if (options->reach == 0)
        plan->options.reach = fmin(5.5, (f64)n / 2 - 1);
    plan->units = weft_mesh_units(1, (f64)options->most);
    gravity_tables(device, plan);
    allocate(device, plan);
    if (weft_check(device) == WEFT_OK)
        return plan;
    weft_gravity_free(device, plan);
    return NULL;
}

void weft_gravity_free(weft_device *device, weft_gravity *plan) {
    if (!plan)
        return;
    weft_array_free(device, plan->waves.sharpen);
    weft_array_free(device, plan->waves.slope);
    weft_array_free(device, plan->waves.green);
    weft_array_free(device, plan->waves.square);
    weft_array_free(device, plan->store);
    weft_array_free(device, plan->real);
    free(plan);
}

int gravity_check(weft_device *device, const char *call, const weft_gravity *plan,
                  const weft_array at[3], const weft_array out[3], i64 wanted) {
    static const char *const names[] = {"x", "y", "z", "ax", "ay", "az"};
    if (!arguments_given(device, call, "plan", plan))
        return 0;
    if (plan->device != device)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: the plan is of another device", call);
    else if (at[0].length > plan->options.most)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: %lld particles, but the plan is for %lld",
                  call, (long long)at[0].length, (long long)plan->options.most);
    for (int k = 0; k < 3; k++) {
        arguments_array(device, call, names[k], at[k], WEFT_U32, at[0].length);
        arguments_array(device, call, names[3 + k], out[k], WEFT_F64, wanted);
    }
    return weft_check(device) == WEFT_OK;
}
