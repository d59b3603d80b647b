#include "weft/subhalos.h"
#include "algorithms/neighbours/knn.h"
#include "algorithms/points/arguments.h"
#include "algorithms/pyramid/lengths.h"
#include "subhalos.h"
#include "weft/listener.h"

#include <float.h>

static const char name[] = "weft_subhalos_find";

static void check(weft_device *device, const weft_subhalos_options *o) {
    const struct {
        const char *name;
        i64 value, most;
    } counts[] = {{"batch", o->batch == 0 ? 1 : o->batch, INT64_MAX},
                  {"least_halo", o->least_halo, INT64_MAX},
                  {"least", o->least, INT64_MAX},
                  {"density_neighbours", o->density_neighbours, KNN_MOST},
                  {"link_neighbours", o->link_neighbours, KNN_MOST}};
    for (int k = 0; k < 5 && weft_check(device) == WEFT_OK; k++)
        if (counts[k].value < 1 || counts[k].value > counts[k].most)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: %s is %lld, not 1 to %lld", name,
                      counts[k].name, (long long)counts[k].value,
                      (long long)counts[k].most);
    const struct {
        const char *name;
        f64 value;
    } numbers_of[] = {
        {"softening", o->softening}, {"gravity", o->gravity}, {"hubble", o->hubble}};
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++)
        if (!(numbers_of[k].value >= 0 && numbers_of[k].value <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: %s is %g, not 0 or above", name,
                      numbers_of[k].name, numbers_of[k].value);
}

static void prepare(weft_device *device, const weft_bodies *bodies, const weft_halos *halos,
                    subhalos_task *task) {
    check(device, &task->o);
    task->words = points_view(device, name, &bodies->points);
    arguments_members(device, name, bodies, halos);
    if (!task->o.keep_unbound) {
        arguments_array(device, name, "velocity", bodies->velocity, 0,
                        3 * bodies->points.count);
        task->flow = points_velocities(device, name, bodies);
    }
    if (bodies->points.count > 0)
        points_bounds(device, name, &task->words, bodies->points.count);
    /* Those that are looked into are the first, since they descend. */
    task->halos = lengths_halos(
        device, halos, 0,
        lengths_last(device, halos->count, halos->offset, task->o.least_halo));
}

static i64 or_else(i64 value, i64 otherwise) {
    return value == 0 ? otherwise : value;
}

weft_status weft_subhalos_find(weft_device *device, const weft_bodies *bodies,
                               const weft_subhalos_options *options,
                               const weft_halos *halos, weft_subhalos *out) {
    if (out)
        *out = (weft_subhalos){0};
    if (!arguments_bodies(device, name, bodies) ||
        !arguments_given(device, name, "options", options) ||
        !arguments_known(device, name, "options", options->reserved,
                         sizeof options->reserved) ||
        !arguments_given(device, name, "halos", halos) ||
        !arguments_given(device, name, "out", out))
        return weft_check(device);
    subhalos_task task = {.call = name, .bodies = bodies, .o = *options};
    task.o.least_halo = or_else(options->least_halo, 50);
    task.o.least = or_else(options->least, 20);
    task.o.density_neighbours = or_else(options->density_neighbours, 20);
    task.o.link_neighbours = or_else(options->link_neighbours, 10);
    weft_task_begin(device, name);
    weft_scope_open(device);
    prepare(device, bodies, halos, &task);
    if (weft_check(device) == WEFT_OK) {
        out->first = weft_array_new(device, WEFT_I64, halos->count + 1);
        subhalos_find_all(device, &task, out);
        subhalos_offsets(device, out->halo, out->first);
    }
    weft_scope_close(device);
    weft_task_end(device);
    if (weft_check(device) != WEFT_OK)
        weft_subhalos_free(device, out);
    return weft_check(device);
}
