#include "algorithms/points/arguments.h"
#include "algorithms/points/points.h"
#include "algorithms/sheet/sheet_frame.h"
#include "sheet_at.kernel.h"
#include "weft/expand.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/search.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_BUNDLE(sheet_at_points, (in, u32, start, 0), (in, u32, sorted, 0), (in, f64, place, 0))
WEFT_KERNEL(sheet_at_place, (value, sheet_frame, f), (bundle, points_coordinates, at),
            (out, f64, place, 3 * n))
WEFT_GENERATOR(sheet_at_cell, u32, (value, sheet_frame, f), (in, f64, place, 3 * n))
WEFT_KERNEL(sheet_at_list, (value, sheet_frame, f), (bundle, sheet_at_points, points),
            (in, f64, position, 0), (optional, u32, start), (shared, u32, count, 0),
            (shared, u32, who, 0), (shared, u32, tetrahedron, 0))
WEFT_KERNEL(sheet_at_add, (value, sheet_frame, f), (value, i64, pairs), (value, f64, mass),
            (in, u32, who), (in, u32, tetrahedron), (in, f64, place, 0),
            (in, f64, position, 0), (optional, f64, velocity, 0), (inout, f64, density, 0),
            (inout, f64, streams, 0), (inout, f64, momentum, 0))
WEFT_KERNEL(sheet_at_finish, (value, f64, meshes), (value, i32, moves), (in, f64, density),
            (inout, f64, streams), (inout, f64, momentum, 0))

static const char NAME[] = "weft_sheet_at";

/* Tetrahedra at a time, and pairs of points and tetrahedra. */
enum { BATCH = 1 << 18, MOST_PAIRS = 1 << 24, MOST_SIDE = 512 };

typedef struct at_task {
    weft_array position, velocity, density, streams, momentum;
    sheet_at_points_arrays points;
    i64 count;
    f64 mass;
} at_task;

/* A point a cell in the mean. */
static void set_cells(sheet_frame *f, i64 count) {
    i64 side = 1;
    while (side < MOST_SIDE && side * side * side < count)
        side++;
    for (int k = 0; k < 3; k++) {
        f->cells[k] = f->count[k] = side;
        f->scale[k] = (f64)side / f->box[k];
    }
}

static void sort_points(weft_device *device, const sheet_frame *f, const points_words *at,
                        at_task *task) {
    const i64 n = task->count, cells = f->cells[0] * f->cells[1] * f->cells[2];
    const weft_array place = weft_scratch(device, WEFT_F64, 3 * n);
    const weft_array start = weft_scratch(device, WEFT_U32, cells + 1);
    const weft_array cell = weft_scratch(device, WEFT_U32, n);
    const weft_array sorted = points_numbers(device, n);
    weft_for_each(device, n, sheet_at_place, .f = *f, .at = *at, .place = place);
    weft_transform(device, n, cell, sheet_at_cell, .f = *f, .place = place);
    weft_sort_by_key(device, cell, sorted, WEFT_ASCENDING);
    weft_lower_bound(device, cell, points_numbers(device, cells + 1), start);
    task->points = (sheet_at_points_arrays){start, sorted, place};
}

/* The next tetrahedra; how many. */
static i64 add_some(weft_device *device, sheet_frame f, i64 left, const at_task *task) {
    i64 n = left < BATCH ? left : BATCH, pairs = 0;
    weft_array count = weft_scratch(device, WEFT_U32, n);
    const weft_array start = weft_scratch(device, WEFT_U32, n);
    weft_for_each(device, n, sheet_at_list, .f = f, .points = task->points,
                  .position = task->position, .count = count, .who = start,
                  .tetrahedron = start);
    for (;; n = (n + 1) / 2) {
        count = weft_slice(device, count, 0, n);
        weft_expand_sources(device, count, (weft_array){0}, (weft_array){0}, &pairs);
        if (n == 1 || pairs <= MOST_PAIRS || weft_check(device) != WEFT_OK)
            break;
    }
    if (pairs == 0)
        return n;
    const weft_array who = weft_scratch(device, WEFT_U32, pairs);
    const weft_array tetrahedron = weft_scratch(device, WEFT_U32, pairs);
    weft_scan(device, count, weft_plus(WEFT_U32), WEFT_EXCLUSIVE,
              weft_slice(device, start, 0, n));
    weft_for_each(device, n, sheet_at_list, .f = f, .points = task->points,
                  .position = task->position, .start = start, .count = count, .who = who,
                  .tetrahedron = tetrahedron);
    weft_sort_by_key(device, who, tetrahedron, WEFT_ASCENDING);
    weft_for_each(device, pairs, sheet_at_add, .f = f, .pairs = pairs, .mass = task->mass,
                  .who = who, .tetrahedron = tetrahedron, .place = task->points.place,
                  .position = task->position, .velocity = task->velocity,
                  .density = task->density, .streams = task->streams,
                  .momentum = task->momentum);
    return n;
}

static void run(weft_device *device, sheet_frame f, i64 end, const points_words *at,
                at_task *task, f64 meshes) {
    const f64 zero = 0;
    set_cells(&f, task->count);
    sort_points(device, &f, at, task);
    if (!task->velocity.type)
        task->momentum = weft_scratch(device, WEFT_F64, 1);
    weft_fill(device, task->density, &zero);
    weft_fill(device, task->streams, &zero);
    weft_fill(device, task->momentum, &zero);
    while (f.begin < end && weft_check(device) == WEFT_OK) {
        weft_scope_open(device);
        weft_task_until(device, (f64)(f.begin + BATCH) / (f64)end);
        f.begin += add_some(device, f, end - f.begin, task);
        weft_scope_close(device);
    }
    weft_for_each(device, task->count, sheet_at_finish, .meshes = meshes,
                  .moves = task->velocity.type != 0, .density = task->density,
                  .streams = task->streams, .momentum = task->momentum);
}

weft_status weft_sheet_at(weft_device *device, const weft_lattice *lattice,
                          weft_array velocity, weft_tessellation tessellation,
                          const weft_points *points, weft_array density, weft_array streams,
                          weft_array mean_velocity) {
    const weft_sheet_options options = {.grid = {1, 1, 1}, .tessellation = tessellation};
    const sheet_frame f = sheet_frame_of(device, NAME, lattice, &options);
    const i64 end = f.end;
    if (!arguments_given(device, NAME, "points", points))
        return weft_check(device);
    const i64 n = points->count;
    if (velocity.type)
        arguments_array(device, NAME, "velocity", velocity, WEFT_F64,
                        3 * sheet_sites(lattice));
    arguments_array(device, NAME, "density", density, WEFT_F64, n);
    arguments_array(device, NAME, "streams", streams, WEFT_F64, n);
    if (velocity.type)
        arguments_array(device, NAME, "mean_velocity", mean_velocity, WEFT_F64, 3 * n);
    if (weft_check(device) == WEFT_OK && n >= (i64)UINT32_MAX)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: %lld points are 2^32 - 1 or more", NAME,
                  (long long)n);
    weft_task_begin(device, NAME);
    weft_scope_open(device);
    const points_words at = points_view(device, NAME, points);
    if (n > 0)
        points_bounds(device, NAME, &at, n);
    if (weft_check(device) == WEFT_OK && n > 0) {
        at_task task = {.position = lattice->position,
                        .velocity = velocity,
                        .density = weft_slice(device, density, 0, n),
                        .streams = weft_slice(device, streams, 0, n),
                        .count = n,
                        .mass = 6 * (f.box[0] * f.box[1] * f.box[2]) / (f64)end};
        if (velocity.type)
            task.momentum = weft_slice(device, mean_velocity, 0, 3 * n);
        run(device, f, end, &at, &task, f.each > 6 ? 4 : 1);
    }
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
