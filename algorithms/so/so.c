#include "algorithms/points/arguments.h"
#include "crossings.h"
#include "algorithms/so/around/lists.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_KERNEL(so_reach, (value, f64, least), (value, f64, v), (value, f64, factor),
            (value, i32, kind), (optional, u32, guess, 0), (out, f64, reach))
WEFT_BUNDLE(so_places, (value, i64, room), (value, i64, sifted), (value, i32, keeps),
            (inout, so_kept_list, kept, 0), (inout, f64, r2, 0), (inout, f64, sifted_r2, 0),
            (inout, u32, who, 0), (inout, u32, sifted_who, 0))
WEFT_KERNEL(so_spheres, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, grid_view, cells), (optional, u32, weight, 0), (optional, i64, id, 0),
            (value, i64, items), (value, i64, listed), (in, u32, list, 0),
            (in, f64, center, 0), (bundle, so_places, places), (bundle, so_found, found))
WEFT_GENERATOR(so_is_crowded, u32, (in, i64, need))

static const char NAME[] = "weft_so";

/* Places for particles, of all work-items together, are as many as there are particles, or
 * at least so many. */
enum { LEAST_PLACES = 1 << 18, ITEMS = 16 /* for each that runs at once */ };

/* What spheres fill at first, in masses that were guessed. */
static const f64 larger = 1.5;

static i64 divide(i64 places, i64 room, i64 most) {
    const i64 items = places / (room > 0 ? room : 1);
    return items < 1 ? 1 : items < most ? items : most;
}

/* Measures the listed centers, `items` at a time, each in `room` places; in those of
 * `kept`, unless it is NULL. Longer lists than some are not sifted. */
static void measure(weft_device *device, const so_task *task, const weft_so_spheres *kept,
                    const so_found_arrays *found, weft_array list, i64 items, i64 room) {
    const i64 n = items * room,
              most = so_wide_above(&task->search, task->cells->sets.points);
    const i64 sifted = found->within.type == 0 && most < room ? most : room;
    const i32 weighted = task->search.weighted;
    so_search search = task->search;
    search.named |= kept != NULL;
    weft_scope_open(device);
    const so_places_arrays places = {
        .room = room,
        .sifted = sifted,
        .keeps = kept != NULL,
        .kept = kept ? kept->kept[0] : weft_scratch(device, WEFT_STRUCT(so_kept_list), 0),
        .r2 = kept ? kept->kept[1] : weft_scratch(device, WEFT_F64, n),
        .sifted_r2 = weft_scratch(device, WEFT_F64, items * sifted),
        .who = kept ? kept->kept[2] : weft_scratch(device, WEFT_U32, weighted ? n : 0),
        .sifted_who = weft_scratch(device, WEFT_U32, search.named ? items * sifted : 0)};
    weft_task_until(device, 1);
    weft_for_each(device, items, so_spheres, .s = search, .at = task->words,
                  .cells = task->cells->sets, .weight = task->weight, .id = task->id,
                  .items = items, .listed = list.length, .list = list,
                  .center = task->center, .places = places, .found = *found);
    weft_scope_close(device);
}

/* All centers with the room that many have at a time, of what is kept or of all places;
 * then those that need more, as far as they came. */
static void measure_all(weft_device *device, const so_task *task,
                        const so_found_arrays *found, const weft_so_spheres *out) {
    const i64 n = task->cells->sets.points, centers = task->search.centers;
    const i64 kept = out->kept[1].length, left = n - kept;
    const i64 places = left > LEAST_PLACES ? left : LEAST_PLACES;
    const i64 threads = weft_concurrency(device), most = threads > 1 ? ITEMS * threads : 1;
    const i64 items = centers < most ? centers : most;
    i64 room = (kept > 0 ? kept : places) / items, crowded = 0;
    const weft_array list = points_numbers(device, centers);
    measure(device, task, kept > 0 ? out : NULL, found, list, items, room < n ? room : n);
    const weft_array is_crowded = weft_lazy(centers, so_is_crowded, .need = found->need);
    points_list(device, is_crowded, list, &crowded);
    while (crowded > 0 && weft_check(device) == WEFT_OK) {
        weft_reduce(device, found->need, weft_maximum(WEFT_I64), &room);
        measure(device, task, NULL, found, weft_slice(device, list, 0, crowded),
                divide(places, room, crowded < most ? crowded : most), room);
        points_list(device, is_crowded, list, &crowded);
    }
}

/* The same by many work-items a center. */
static void measure_apart(weft_device *device, const so_task *task,
                          const so_found_arrays *found) {
    const i64 centers = task->search.centers;
    const weft_array list = points_numbers(device, centers);
    const weft_array is_open = weft_lazy(centers, so_is_crowded, .need = found->need);
    i64 left = centers;
    f64 rest = 0.7; /* of the call, half of which each round may be */
    while (left > 0 && weft_check(device) == WEFT_OK) {
        rest /= 2;
        weft_task_until(device, 1 - rest);
        so_crossings_measure(device, task, weft_slice(device, list, 0, left), found);
        points_list(device, is_open, list, &left);
    }
}

/* How far to look around each center at first. */
static void guess(weft_device *device, const weft_so_options *o, const so_task *task,
                  const so_found_arrays *found) {
    const int kind = o->guess.type == WEFT_F32   ? 1
                     : o->guess.type == WEFT_F64 ? 2
                     : o->guess.type == WEFT_I64 ? 3
                                                 : 0;
    f64 v = 0;
    for (i64 t = 0; t < o->densities; t++)
        v = fmax(v, task->search.v[t]);
    weft_for_each(device, task->search.centers, so_reach, .least = 8 * task->least, .v = v,
                  .factor = larger * (kind == 3 ? task->least : 1), .kind = kind,
                  .guess = kind ? weft_as(device, o->guess, WEFT_U32) : o->guess,
                  .reach = found->reach);
}

static void make_spheres(weft_device *device, i64 centers, i64 densities,
                         weft_so_spheres *out) {
    const i64 n = centers * densities;
    *out = (weft_so_spheres){.centers = centers,
                             .densities = densities,
                             .count = so_zeros(device, WEFT_I64, n),
                             .mass = so_zeros(device, WEFT_F64, n),
                             .radius = so_zeros(device, WEFT_F64, n)};
}

/* Room for what is kept. */
static void make_kept(weft_device *device, const so_task *task, i64 keep,
                      weft_so_spheres *out) {
    out->particles = task->cells->sets.points;
    out->kept[0] = weft_array_new(device, WEFT_STRUCT(so_kept_list), task->search.centers);
    out->kept[1] = weft_array_new(device, WEFT_F64, keep);
    out->kept[2] = weft_array_new(device, WEFT_U32, keep);
}

weft_status weft_so(weft_device *device, const weft_bodies *bodies,
                    const weft_points *centers, const weft_so_options *options,
                    weft_so_spheres *out) {
    so_task task;
    if (out)
        *out = (weft_so_spheres){0};
    if (!arguments_given(device, NAME, "out", out))
        return weft_check(device);
    const int some = so_task_begin(device, NAME, bodies, centers, options, &task);
    if (weft_check(device) == WEFT_OK)
        make_spheres(device, centers->count, options->densities, out);
    if (some) {
        const so_found_arrays found = {
            .within = options->part ? options->part->within : (weft_array){0},
            .reach = weft_scratch(device, WEFT_F64, centers->count),
            .need = weft_scratch(device, WEFT_I64, centers->count),
            .count = out->count,
            .mass = out->mass,
            .radius = out->radius};
        guess(device, options, &task, &found);
        if (so_lists_suit(device, &task)) {
            measure_apart(device, &task, &found);
        } else {
            if (options->keep > 0)
                make_kept(device, &task, options->keep, out);
            measure_all(device, &task, &found, out);
        }
    }
    so_task_end(device, options, &task);
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
    for (int k = 0; k < 3; k++)
        weft_array_free(device, spheres->kept[k]);
    *spheres = (weft_so_spheres){0};
}
