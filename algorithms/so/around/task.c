#include "task.h"
#include "algorithms/cells/stencil.h"
#include "algorithms/points/arguments.h"
#include "weft/listener.h"
#include "weft/reduce.h"
#include "weft/transform.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

WEFT_KERNEL(so_search_center, (bundle, points_coordinates, at), (inout, f64, center, 3 * n))

static weft_status check_options(weft_device *device, const char *call,
                                 const weft_bodies *bodies, const weft_so_options *o) {
    friends_check(device, call, "size of the box", 0, bodies->box);
    arguments_scales(device, call, bodies);
    if (o->densities < 0 || o->densities > WEFT_SO_MOST)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: %lld densities are not 0 to %d",
                         call, (long long)o->densities, WEFT_SO_MOST);
    if (o->keep < 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: keep is %lld, below 0", call,
                  (long long)o->keep);
    for (i64 t = 0; t < o->densities; t++)
        if (!(o->density[t] > 0 && o->density[t] <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: density[%lld] is %g, not above 0", call,
                      (long long)t, o->density[t]);
    return weft_check(device);
}

/* The least and the greatest mass. */
static void weigh(weft_device *device, const char *call, const weft_bodies *bodies,
                  weft_array mass, f64 *least, f64 *greatest) {
    i64 low = -1, high = -1;
    weft_minmax_element(device, mass, &low, &high);
    if (weft_check(device) != WEFT_OK)
        return;
    *least = arguments_mass(device, bodies, low);
    *greatest = arguments_mass(device, bodies, high);
    const i64 bad = !(*least > 0) ? low : !(*greatest <= DBL_MAX) ? high : -1;
    if (bad >= 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the mass %g of particle %lld is not above 0 and finite", call,
                  bad == low ? *least : *greatest, (long long)bad);
}

/* Masses, thresholds. */
static so_search choose(weft_device *device, const char *call, const weft_so_options *o,
                        const weft_bodies *bodies, weft_array mass, i64 count, i64 centers,
                        f64 *least) {
    so_search s = {.wide_mass = mass.type == WEFT_F64,
                   .centers = centers,
                   .densities = (i32)o->densities};
    f64 greatest = *least = bodies->particle_mass;
    if (mass.type != 0)
        weigh(device, call, bodies, mass, least, &greatest);
    if (o->part) {
        *least = fmin(*least, o->part->least);
        greatest = fmax(greatest, o->part->greatest);
    }
    s.mass = *least;
    s.greatest = greatest;
    s.weighted = s.named = *least < greatest;
    s.all_mass = (f64)count * greatest;
    s.in_part = o->part != NULL;
    for (int k = 0; k < 3; k++)
        s.box[k] = bodies->box[k];
    for (i32 t = 0; t < s.densities; t++) {
        s.v[t] = 3 / (4 * 3.14159265358979323846 * o->density[t]);
        s.q[t] = s.v[t] * s.v[t];
        if (weft_check(device) == WEFT_OK && !(*least * *least * s.q[t] > 1e-270 &&
                                               s.all_mass * s.all_mass * s.q[t] < 1e270))
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: squares of masses of %g to %g over the density %g leave the "
                      "range of f64",
                      call, *least, s.all_mass, o->density[t]);
    }
    if (s.in_part)
        s.all_mass = INFINITY;
    return s;
}

/* The radius of a sphere of one particle, the lightest, at the highest density. */
static f64 smallest_radius(const so_task *task) {
    f64 v = INFINITY;
    for (i32 t = 0; t < task->search.densities; t++)
        v = fmin(v, task->search.v[t]);
    return cbrt(task->least * v);
}

/* A length for cells of some particles each: 0.2 of the mean separation along the axes that
 * there are, as friends-of-friends has it. A crowd that is much denser than any sphere gets
 * cells as wide as the smallest one instead, so that a sphere of N particles reaches over
 * no more than about N of them. No axis has so many cells that grid_choose would cut
 * stretches out of it. */
static f64 choose_length(const so_task *task, points_box bounds, i64 count,
                         const f64 box[3]) {
    f64 volume = 1, widest = 0;
    int axes = 0;
    for (int k = 0; k < 3; k++) {
        const f64 span = bounds.high[k] - bounds.low[k];
        const f64 extent = box[k] > 0 && box[k] < span ? box[k] : span;
        widest = fmax(widest, fmax(extent, box[k]));
        axes += extent > 0;
    }
    for (int k = 0; k < 3 && widest > 0; k++) {
        const f64 span = bounds.high[k] - bounds.low[k];
        const f64 extent = box[k] > 0 && box[k] < span ? box[k] : span;
        volume *= extent > 0 ? extent / widest : 1;
    }
    const f64 length = 0.2 * widest * pow(volume / (f64)count, 1.0 / (axes ? axes : 1));
    return widest > 0
               ? fmax(fmax(length, fmin(smallest_radius(task), widest)), widest * 0x1p-20)
               : 1;
}

/* The cells that were kept, where they are of some such length, or new ones. */
static weft_cells *find_cells(weft_device *device, const so_task *task,
                              const weft_so_options *o, const f64 box[3], i64 count) {
    const points_words *words = &task->words;
    const char *call = task->call;
    const points_box bounds =
        o->cells ? o->cells->bounds : points_bounds(device, call, words, count);
    const f64 length = choose_length(task, bounds, count, box);
    weft_fof_options rule = {.box = {box[0], box[1], box[2]}};
    if (o->cells) {
        rule.linking_length = o->cells->options.linking_length;
        weft_cells *kept = cells_kept(device, call, words, count, &rule, o->cells);
        if (!kept || (rule.linking_length > length / 4 && rule.linking_length < length * 8))
            return kept;
    }
    rule.linking_length = length;
    return weft_check(device) == WEFT_OK
               ? cells_new(device, call, words, count, &rule, GRID_CLOSED, (weft_array){0})
               : NULL;
}

/* What finds cells: on GPUs their map, on others where rows begin, or the rows that there
 * are. */
static void index_cells(weft_device *device, so_task *task) {
    grid_sets *sets = &task->cells->sets;
    task->search.g = task->cells->friends.rule.g;
    if (weft_device_style(device) == WEFT_SIMT)
        stencil_make_map(device, &task->search.g, sets, sets->points);
    else
        stencil_find_lines(device, &task->search.g, sets);
    if (sets->line_cell.type == 0)
        grid_find_starts(device, sets);
    if (sets->pitch == 0 && sets->line_cell.type == 0)
        grid_find_rows(device, sets);
}

static void begin(weft_device *device, const weft_bodies *bodies, i64 centers,
                  const weft_so_options *o, so_task *task) {
    const i64 count = bodies->points.count;
    const weft_array mass =
        bodies->mass.type ? weft_slice(device, bodies->mass, 0, count) : bodies->mass;
    task->search =
        choose(device, task->call, o, bodies, mass, count, centers, &task->least);
    if (weft_check(device) != WEFT_OK)
        return;
    task->cells = find_cells(device, task, o, bodies->box, count);
    task->weight = mass.type ? weft_as(device, mass, WEFT_U32) : mass;
    if (task->cells)
        index_cells(device, task);
}

int so_task_begin(weft_device *device, const char *call, const weft_bodies *bodies,
                  const weft_points *centers, const weft_so_options *options,
                  so_task *task) {
    *task = (so_task){.call = call};
    weft_task_begin(device, call);
    weft_scope_open(device);
    weft_task_until(device, 0.2);
    if (!arguments_bodies(device, call, bodies) ||
        !arguments_given(device, call, "options", options) ||
        !arguments_known(device, call, "options", options->reserved,
                         sizeof options->reserved) ||
        check_options(device, call, bodies, options) != WEFT_OK)
        return 0;
    const i64 count = bodies->points.count;
    char of_centers[64];
    snprintf(of_centers, sizeof of_centers, "%s: centers", call);
    task->id = options->id;
    task->words = points_view(device, call, &bodies->points);
    const points_words at = points_view(device, of_centers, centers);
    if (weft_check(device) == WEFT_OK) {
        const weft_type guess = options->guess.type;
        if (options->id.type)
            arguments_array(device, call, "id", options->id, WEFT_I64, count);
        if (guess)
            arguments_array(device, call, "guess", options->guess,
                            guess == WEFT_I64 ? guess : 0, centers->count);
        if (options->part && arguments_known(device, call, "part", options->part->reserved,
                                             sizeof options->part->reserved))
            arguments_array(device, call, "within", options->part->within, WEFT_F64,
                            centers->count);
    }
    if (weft_check(device) != WEFT_OK || count == 0 || centers->count == 0 ||
        options->densities == 0)
        return 0;
    points_bounds(device, of_centers, &at, centers->count);
    task->center = weft_scratch(device, WEFT_F64, 3 * centers->count);
    weft_for_each(device, centers->count, so_search_center, .at = at,
                  .center = task->center);
    begin(device, bodies, centers->count, options, task);
    return weft_check(device) == WEFT_OK;
}

void so_task_end(weft_device *device, const weft_so_options *options, so_task *task) {
    if (task->cells && task->cells != options->cells)
        weft_cells_free(device, task->cells);
    task->cells = NULL;
    weft_scope_close(device);
    weft_task_end(device);
}

weft_array so_zeros(weft_device *device, weft_type type, i64 n) {
    const weft_array array = weft_array_new(device, type, n);
    if (type == WEFT_F64)
        weft_fill(device, array, &(f64){0});
    else
        weft_fill(device, array, &(i64){0});
    return array;
}
