#include "algorithms/points/arguments.h"
#include "weft/so.h"
#include "algorithms/cells/cells.h"
#include "algorithms/cells/stencil.h"
#include "so.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/select.h"
#include "weft/transform.h"

#include <float.h>

WEFT_KERNEL(so_center, (bundle, points_coordinates, at), (inout, f64, center, 3 * n))
WEFT_KERNEL(so_reach, (value, f64, least), (value, f64, v), (value, f64, factor),
            (value, i32, kind), (optional, u32, guess, 0), (out, f64, reach))
WEFT_BUNDLE(so_places, (value, i64, room), (inout, f64, r2, 0), (inout, f64, sifted_r2, 0),
            (inout, u32, who, 0), (inout, u32, sifted_who, 0))
WEFT_BUNDLE(so_found, (inout, f64, reach, 0), (inout, i64, need, 0), (inout, i64, count, 0),
            (inout, f64, mass, 0), (inout, f64, radius, 0))
WEFT_KERNEL(so_spheres, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, grid_view, cells), (optional, u32, weight, 0), (optional, i64, id, 0),
            (value, i64, items), (value, i64, listed), (in, u32, list, 0),
            (in, f64, center, 0), (bundle, so_places, places), (bundle, so_found, found))
WEFT_GENERATOR(so_is_crowded, u32, (in, i64, need))
WEFT_GENERATOR(points_index, u32, (value, u32, first))

static const char NAME[] = "weft_so";

/* Places for particles, of all work-items together, are as many as there are particles, or
 * at least so many. */
enum { LEAST_PLACES = 1 << 18, ITEMS = 16 /* for each that runs at once */ };

/* What spheres fill at first, in masses that were guessed. */
static const f64 larger = 1.5;

/* What weft_so works on. */
typedef struct so_task {
    so_search search;
    points_words words;
    weft_cells *cells;
    weft_array weight, id; /* words, i64; no arrays where all are equal, or input indices */
    weft_array center;
    so_found_arrays found;
} so_task;

static weft_status check_options(weft_device *device, const weft_bodies *bodies,
                                 const weft_so_options *o) {
    friends_check(device, NAME, "size of the box", 0, bodies->box);
    if (bodies->mass.type == 0 &&
        !(bodies->particle_mass > 0 && bodies->particle_mass <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: particle_mass is %g, not above 0", NAME,
                  bodies->particle_mass);
    if (o->densities < 0 || o->densities > WEFT_SO_MOST)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: %lld densities are not 0 to %d",
                         NAME, (long long)o->densities, WEFT_SO_MOST);
    for (i64 t = 0; t < o->densities; t++)
        if (!(o->density[t] > 0 && o->density[t] <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: density[%lld] is %g, not above 0", NAME,
                      (long long)t, o->density[t]);
    return weft_check(device);
}

static void check_array(weft_device *device, const char *which, weft_array array, i64 least,
                        int may_be_f32, int may_be_f64, int may_be_i64) {
    if (weft_check(device) != WEFT_OK || array.type == 0)
        return;
    if (!(array.type == WEFT_F32 && may_be_f32) &&
        !(array.type == WEFT_F64 && may_be_f64) && !(array.type == WEFT_I64 && may_be_i64))
        weft_fail(device, WEFT_E_TYPE, "%s: '%s' is not of type%s%s", NAME, which,
                  may_be_f32 ? " f32 or f64" : " i64",
                  may_be_f32 && may_be_i64 ? " or i64" : "");
    else if (array.length < least)
        weft_fail(device, WEFT_E_SHAPE,
                  "%s: '%s' has %lld elements, at least %lld are needed", NAME, which,
                  (long long)array.length, (long long)least);
}

static f64 read_mass(weft_device *device, weft_array mass, i64 i) {
    f64 wide = 0;
    f32 narrow = 0;
    if (mass.type == WEFT_F64)
        weft_read(device, weft_slice(device, mass, i, 1), &wide);
    else
        weft_read(device, weft_slice(device, mass, i, 1), &narrow);
    return mass.type == WEFT_F64 ? wide : (f64)narrow;
}

/* The least and the greatest mass. */
static void weigh(weft_device *device, weft_array mass, f64 *least, f64 *greatest) {
    i64 low = -1, high = -1;
    weft_minmax_element(device, mass, &low, &high);
    if (weft_check(device) != WEFT_OK)
        return;
    *least = read_mass(device, mass, low);
    *greatest = read_mass(device, mass, high);
    const i64 bad = !(*least > 0) ? low : !(*greatest <= DBL_MAX) ? high : -1;
    if (bad >= 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the mass %g of particle %lld is not above 0 and finite", NAME,
                  bad == low ? *least : *greatest, (long long)bad);
}

/* Masses, thresholds. */
static so_search choose(weft_device *device, const weft_so_options *o,
                        const weft_bodies *bodies, weft_array mass, i64 count, i64 centers,
                        f64 *least) {
    so_search s = {.wide_mass = mass.type == WEFT_F64,
                   .centers = centers,
                   .densities = (i32)o->densities};
    f64 greatest = *least = bodies->particle_mass;
    if (mass.type != 0)
        weigh(device, mass, least, &greatest);
    s.mass = *least;
    s.weighted = *least < greatest;
    s.all_mass = (f64)count * greatest;
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
                      NAME, *least, s.all_mass, o->density[t]);
    }
    return s;
}

/* A length for cells of some particles each: 0.2 of the mean separation along the axes that
 * there are, as friends-of-friends has it. No axis has so many cells that grid_choose would
 * cut stretches out of it. */
static f64 choose_length(weft_device *device, const points_words *words, i64 count,
                         const f64 box[3]) {
    const points_box bounds = points_bounds(device, NAME, words, count);
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
    return widest > 0 ? fmax(length, widest * 0x1p-20) : 1;
}

/* The cells that were kept, where they are of some such length, or new ones. */
static weft_cells *find_cells(weft_device *device, const weft_so_options *o,
                              const f64 box[3], const points_words *words, i64 count) {
    const f64 length = choose_length(device, words, count, box);
    weft_fof_options rule = {.box = {box[0], box[1], box[2]}};
    if (o->cells) {
        rule.linking_length = o->cells->options.linking_length;
        weft_cells *kept = cells_kept(device, NAME, words, count, &rule, o->cells);
        if (!kept || (rule.linking_length > length / 4 && rule.linking_length < length * 8))
            return kept;
    }
    rule.linking_length = length;
    return weft_check(device) == WEFT_OK
               ? cells_new(device, NAME, words, count, &rule, (weft_array){0})
               : NULL;
}

/* What finds cells: their map, or their rows. */
static void index_cells(weft_device *device, so_task *task) {
    grid_sets *sets = &task->cells->sets;
    task->search.g = task->cells->friends.rule.g;
    stencil_make_map(device, &task->search.g, sets, sets->points);
    grid_find_starts(device, sets);
    if (sets->pitch == 0)
        grid_find_rows(device, sets);
}

static i64 divide(i64 places, i64 room, i64 most) {
    const i64 items = places / (room > 0 ? room : 1);
    return items < 1 ? 1 : items < most ? items : most;
}

/* Measures the listed centers, `items` at a time, each in `room` places. */
static void measure(weft_device *device, const so_task *task, weft_array list, i64 items,
                    i64 room) {
    const i64 n = items * room, named = task->search.weighted ? n : 0;
    weft_scope_open(device);
    const so_places_arrays places = {
        room, weft_scratch(device, WEFT_F64, n), weft_scratch(device, WEFT_F64, n),
        weft_scratch(device, WEFT_U32, named), weft_scratch(device, WEFT_U32, named)};
    weft_for_each(device, items, so_spheres, .s = task->search, .at = task->words,
                  .cells = task->cells->sets, .weight = task->weight, .id = task->id,
                  .items = items, .listed = list.length, .list = list,
                  .center = task->center, .places = places, .found = task->found);
    weft_scope_close(device);
}

/* All centers with the room that many have at a time, then those that need more, as far as
 * they came. */
static void measure_all(weft_device *device, const so_task *task) {
    const i64 n = task->cells->sets.points, centers = task->search.centers;
    const i64 places = n > LEAST_PLACES ? n : LEAST_PLACES;
    const i64 most = ITEMS * weft_concurrency(device);
    const i64 items = centers < most ? centers : most;
    const u32 zero = 0, one = 1;
    i64 room = places / items, crowded = 0;
    const weft_array list = weft_scratch(device, WEFT_U32, centers);
    weft_sequence(device, list, &zero, &one);
    measure(device, task, list, items, room < n ? room : n);
    const weft_array is_crowded =
        weft_lazy(centers, so_is_crowded, .need = task->found.need);
    weft_copy_if(device, weft_lazy(centers, points_index, .first = 0), is_crowded, list,
                 &crowded);
    while (crowded > 0 && weft_check(device) == WEFT_OK) {
        weft_reduce(device, task->found.need, weft_maximum(WEFT_I64), &room);
        measure(device, task, weft_slice(device, list, 0, crowded),
                divide(places, room, crowded < most ? crowded : most), room);
        weft_copy_if(device, weft_lazy(centers, points_index, .first = 0), is_crowded, list,
                     &crowded);
    }
}

/* Centers, and how far to look around each at first. */
static void place_centers(weft_device *device, const weft_so_options *o,
                          const points_words *centers, f64 least, i64 count,
                          so_task *task) {
    const int kind = o->guess.type == WEFT_F32   ? 1
                     : o->guess.type == WEFT_F64 ? 2
                     : o->guess.type == WEFT_I64 ? 3
                                                 : 0;
    f64 v = 0;
    for (i64 t = 0; t < o->densities; t++)
        v = fmax(v, task->search.v[t]);
    task->center = weft_scratch(device, WEFT_F64, 3 * count);
    task->found.reach = weft_scratch(device, WEFT_F64, count);
    task->found.need = weft_scratch(device, WEFT_I64, count);
    weft_for_each(device, count, so_center, .at = *centers, .center = task->center);
    weft_for_each(device, count, so_reach, .least = 8 * least, .v = v,
                  .factor = larger * (kind == 3 ? least : 1), .kind = kind,
                  .guess = kind ? weft_as(device, o->guess, WEFT_U32) : o->guess,
                  .reach = task->found.reach);
}

static void find(weft_device *device, const weft_bodies *bodies, const points_words *words,
                 const points_words *centers, const weft_so_options *o,
                 const weft_so_spheres *out) {
    const i64 count = bodies->points.count;
    const weft_array mass =
        bodies->mass.type ? weft_slice(device, bodies->mass, 0, count) : bodies->mass;
    f64 least = 0;
    so_task task = {.words = *words, .id = o->id, .weight = mass};
    task.found =
        (so_found_arrays){.count = out->count, .mass = out->mass, .radius = out->radius};
    points_bounds(device, "weft_so: centers", centers, out->centers);
    task.search = choose(device, o, bodies, mass, count, out->centers, &least);
    if (weft_check(device) != WEFT_OK)
        return;
    task.cells = find_cells(device, o, bodies->box, words, count);
    if (!task.cells)
        return;
    if (mass.type != 0)
        task.weight = weft_as(device, mass, WEFT_U32);
    index_cells(device, &task);
    place_centers(device, o, centers, least, out->centers, &task);
    measure_all(device, &task);
    if (task.cells != o->cells)
        weft_cells_free(device, task.cells);
}

static void make_spheres(weft_device *device, i64 centers, i64 densities,
                         weft_so_spheres *out) {
    const i64 n = centers * densities, none = 0;
    const f64 nothing = 0;
    *out = (weft_so_spheres){.centers = centers,
                             .densities = densities,
                             .count = weft_array_new(device, WEFT_I64, n),
                             .mass = weft_array_new(device, WEFT_F64, n),
                             .radius = weft_array_new(device, WEFT_F64, n)};
    weft_fill(device, out->count, &none);
    weft_fill(device, out->mass, &nothing);
    weft_fill(device, out->radius, &nothing);
}

weft_status weft_so(weft_device *device, const weft_bodies *bodies,
                    const weft_points *centers, const weft_so_options *options,
                    weft_so_spheres *out) {
    if (out)
        *out = (weft_so_spheres){0};
    if (!arguments_bodies(device, NAME, bodies) ||
        !arguments_given(device, NAME, "options", options) ||
        !arguments_known(device, NAME, "options", options->reserved,
                         sizeof options->reserved) ||
        !arguments_given(device, NAME, "out", out) ||
        check_options(device, bodies, options) != WEFT_OK)
        return weft_check(device);
    const i64 count = bodies->points.count;
    weft_scope_open(device);
    const points_words words = points_view(device, NAME, &bodies->points);
    const points_words at = points_view(device, "weft_so: centers", centers);
    if (weft_check(device) == WEFT_OK) {
        check_array(device, "mass", bodies->mass, count, 1, 1, 0);
        check_array(device, "id", options->id, count, 0, 0, 1);
        check_array(device, "guess", options->guess, centers->count, 1, 1, 1);
    }
    if (weft_check(device) == WEFT_OK) {
        make_spheres(device, centers->count, options->densities, out);
        if (count > 0 && centers->count > 0 && options->densities > 0)
            find(device, bodies, &words, &at, options, out);
    }
    weft_scope_close(device);
    if (weft_check(device) != WEFT_OK)
        weft_so_free(device, out);
    return weft_check(device);
}

void weft_so_free(weft_device *device, weft_so_spheres *spheres) {
    if (!spheres)
        return;
    weft_array_free(device, spheres->count);
    weft_array_free(device, spheres->mass);
    weft_array_free(device, spheres->radius);
    *spheres = (weft_so_spheres){0};
}
