#include "weft/nearest.h"
#include "algorithms/cells/cells.h"
#include "algorithms/cells/stencil.h"
#include "algorithms/cells/grid/subset.h"
#include "algorithms/points/arguments.h"
#include "nearest.kernel.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

#include <math.h>

WEFT_GENERATOR(nearest_takes_part, u32, (in, u32, target), (in, u32, nearest))
WEFT_GENERATOR(nearest_first, u32, (in, u32, target))
WEFT_GENERATOR(nearest_searches, u32, (in, u32, nearest))
WEFT_GENERATOR(nearest_is_target, u32, (in, grid_point, point), (in, u32, target, 0))
WEFT_GENERATOR(nearest_crowd, u32, (in, u32, start, n + 1))
WEFT_KERNEL(nearest_cell, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, grid_view, targets), (optional, u32, neighbour, 0),
            (optional, i64, id, 0), (inout, u32, nearest, 0))
WEFT_KERNEL(nearest_point, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, grid_view, targets), (optional, u32, neighbour, 0),
            (optional, i64, id, 0), (inout, u32, nearest, 0))

static const char name[] = "weft_nearest";

/* Targets in a cell from which on a shorter length is tried first; how many are. */
enum { CROWD = 512, SHORTER = 8 };

/* Shorter lengths than this of the extent are not tried: see weft_fof on wide boxes. */
static const f64 least_share = 0x1p-40;

typedef struct nearest_task {
    const points_words *words;
    i64 count;
    const weft_nearest_options *options;
    weft_array target, nearest;
    f64 extent; /* along the longest axis */
} nearest_task;

/* The cells of targets and of the points that still search, and those of the targets. */
typedef struct nearest_grids {
    weft_cells *all;
    grid_sets targets;
} nearest_grids;

static nearest_grids sort(weft_device *device, const nearest_task *task, f64 length) {
    const f64 *box = task->options->box;
    const weft_fof_options rule = {.linking_length = length,
                                   .box = {box[0], box[1], box[2]}};
    nearest_grids g = {0};
    i64 n = 0;
    weft_scope_open(device);
    const weft_array chosen = weft_scratch(device, WEFT_U32, task->count);
    points_list(device,
                weft_lazy(task->count, nearest_takes_part, .target = task->target,
                          .nearest = task->nearest),
                chosen, &n);
    g.all = cells_new(device, name, task->words, task->count, &rule, GRID_CLOSED,
                      n < task->count ? weft_slice(device, chosen, 0, n) : (weft_array){0});
    if (g.all) {
        g.targets = subset_of(device, &g.all->friends.rule.g, &g.all->sets,
                              weft_lazy(n, nearest_is_target, .point = g.all->sets.point,
                                        .target = task->target));
        grid_find_starts(device, &g.targets);
    }
    weft_scope_close(device);
    return g;
}

static void release(weft_device *device, nearest_grids *g) {
    weft_cells_free(device, g->all);
    grid_free(device, &g->targets);
}

static void search(weft_device *device, const nearest_task *task, nearest_grids *g) {
    const friends_view_arrays *f = &g->all->friends;
    grid_sets *all = &g->all->sets;
    weft_scope_open(device);
    const weft_array neighbour =
        stencil_prepare(device, &f->rule.g, all, &g->targets, all->points);
    weft_task_until(device, 1);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, all->points, nearest_point, .f = *f, .cells = *all,
                      .targets = g->targets, .neighbour = neighbour,
                      .id = task->options->id, .nearest = task->nearest);
    else
        weft_for_each(device, all->cells, nearest_cell, .f = *f, .cells = *all,
                      .targets = g->targets, .neighbour = neighbour,
                      .id = task->options->id, .nearest = task->nearest);
    weft_scope_close(device);
}

/* Whether cells of this length hold so many targets that a quarter of it pays. */
static int is_crowded(weft_device *device, const nearest_task *task, const nearest_grids *g,
                      f64 length) {
    u32 most = 0;
    if (weft_check(device) != WEFT_OK || !(length > 1e-140) ||
        task->extent * least_share > length / 4)
        return 0;
    weft_reduce(device,
                weft_lazy(g->targets.cells, nearest_crowd, .start = g->targets.cell_start),
                weft_maximum(WEFT_U32), &most);
    return most > CROWD;
}

/* All within a length that have no target yet. */
static void find(weft_device *device, const nearest_task *task, f64 length, int shorter) {
    i64 left = 0;
    weft_count_if(
        device, weft_lazy(task->count, nearest_searches, .nearest = task->nearest), &left);
    if (left == 0 || weft_check(device) != WEFT_OK)
        return;
    weft_scope_open(device);
    nearest_grids g = sort(device, task, length);
    if (shorter > 0 && is_crowded(device, task, &g, length)) {
        release(device, &g);
        find(device, task, length / 4, shorter - 1);
        g = sort(device, task, length);
    }
    if (weft_check(device) == WEFT_OK)
        search(device, task, &g);
    release(device, &g);
    weft_scope_close(device);
}

weft_status weft_nearest(weft_device *device, const weft_points *points,
                         const weft_nearest_options *options, weft_array target,
                         weft_array nearest) {
    if (!arguments_given(device, name, "options", options) ||
        !arguments_known(device, name, "options", options->reserved,
                         sizeof options->reserved))
        return weft_check(device);
    friends_check(device, name, "length", options->length, options->box);
    weft_task_begin(device, name);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    const i64 n = weft_check(device) == WEFT_OK ? points->count : 0;
    arguments_array(device, name, "target", target, WEFT_U32, n);
    arguments_array(device, name, "nearest", nearest, WEFT_U32, n);
    if (options->id.type != 0)
        arguments_array(device, name, "id", options->id, WEFT_I64, n);
    if (weft_check(device) == WEFT_OK && n > 0) {
        i64 targets = 0;
        const points_box bounds = points_bounds(device, name, &words, n);
        nearest_task task = {&words,
                             n,
                             options,
                             weft_slice(device, target, 0, n),
                             weft_slice(device, nearest, 0, n),
                             0};
        for (int k = 0; k < 3; k++)
            task.extent = fmax(task.extent, bounds.high[k] - bounds.low[k]);
        weft_transform(device, n, task.nearest, nearest_first, .target = task.target);
        weft_count_if(device, task.target, &targets);
        weft_task_until(device, 0.4);
        if (targets > 0)
            find(device, &task, options->length, SHORTER);
    }
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
