#include "fof.h"
#include "algorithms/cells/cells.h"
#include "algorithms/cells/neighbours.h"
#include "algorithms/cells/neighbours.kernel.h"
#include "algorithms/cells/stencil.h"
#include "algorithms/cells/grid/subset.h"
#include "batch.kernel.h"
#include "dense.kernel.h"
#include "unite.kernel.h"
#include "weft/fof.h"
#include "weft/listener.h"
#include "weft/transform.h"

WEFT_BUNDLE(fof_forest, (shared, u32, parent, 0), (in, u8, united, 0))
WEFT_KERNEL(fof_unite_cell, (bundle, friends_view, f), (bundle, grid_view, cells),
            (shared, u32, parent, 0), (out, u8, united), (shared, u32, left, 0))
WEFT_KERNEL(fof_unite_left, (bundle, friends_view, f), (bundle, grid_view, cells),
            (shared, u32, parent, 0), (inout, u8, united), (in, u32, left, 0))
WEFT_KERNEL(unite_block, (bundle, friends_view, f), (bundle, grid_view, cells),
            (shared, u32, parent, 0), (inout, u8, united, 0), (inout, u32, smallest, 0))
WEFT_KERNEL(fof_link_rows, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, fof_forest, forest), (in, u32, neighbour, 0), (value, i64, chunk))
WEFT_KERNEL(dense_link, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, fof_forest, forest), (shared, u32, left, 0))
WEFT_KERNEL(dense_link_left, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, fof_forest, forest), (in, u32, left, 0))
WEFT_KERNEL(batch_link, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, fof_forest, forest), (value, i64, first), (value, i64, chunk),
            (value, i64, rows), (value, i32, alone), (inout, u64, bits, 0),
            (inout, u32, word_cell, 0))
WEFT_GENERATOR(fof_first, u32, (in, u32, set_start, n + 1), (in, grid_point, point, 0))
WEFT_KERNEL(fof_flatten, (shared, u32, parent), (shared, u32, smallest))
WEFT_KERNEL(fof_flatten_block, (value, i64, sets), (shared, u32, parent, 0),
            (shared, u32, smallest, 0))
WEFT_KERNEL(fof_flatten_all, (value, i64, sets), (shared, u32, parent, 0),
            (shared, u32, smallest, 0))
WEFT_KERNEL(fof_label, (in, u32, set_start, n + 1), (in, grid_point, point, 0),
            (in, u32, parent), (in, u32, smallest, 0), (inout, u32, label, 0))
WEFT_GENERATOR(neighbours_suffice, u32, (value, u32, least), (in, u32, friends))

static const char name[] = "weft_fof";

static weft_status check_options(weft_device *device, const weft_fof_options *options) {
    cells_check(device, name, options);
    if (weft_check(device) == WEFT_OK && options->min_friends < 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: min_friends is %lld, not at least 0", name,
                  (long long)options->min_friends);
    return weft_check(device);
}

/* The sets without the particles that have too few friends. */
static grid_sets leave_out(weft_device *device, i64 min_friends, weft_cells *cells) {
    grid_sets *sets = &cells->sets;
    const u32 least = min_friends < (i64)UINT32_MAX ? (u32)min_friends : UINT32_MAX;
    weft_scope_open(device);
    const weft_array friends = weft_scratch(device, WEFT_U32, sets->points);
    neighbours_count(device, &cells->friends, sets, least, least, friends);
    const grid_sets some = subset_of(
        device, &cells->friends.rule.g, sets,
        weft_lazy(sets->points, neighbours_suffice, .least = least, .friends = friends));
    weft_scope_close(device);
    return some;
}

fof_trees fof_trees_new(weft_device *device, const grid_sets *sets) {
    fof_trees trees = {.parent = weft_scratch(device, WEFT_U32, sets->sets)};
    if (weft_device_style(device) == WEFT_SIMD)
        trees.smallest = weft_scratch(device, WEFT_U32, sets->sets);
    return trees;
}

static void link_sparse(weft_device *device, const friends_view_arrays *f, grid_sets *s,
                        fof_forest_arrays forest) {
    const i64 chunk = friends_chunk(device, s->cells);
    weft_scope_open(device);
    const weft_array neighbour = friends_find_rows(device, &f->rule.g, s, s, 5);
    weft_task_until(device, 1);
    weft_for_each(device, (s->cells + chunk - 1) / chunk * 5, fof_link_rows, .f = *f,
                  .cells = *s, .forest = forest, .neighbour = neighbour, .chunk = chunk);
    weft_scope_close(device);
}

/* Chunks of cells for each unit, so that none waits long for the last one. */
enum { CHUNKS = 16, CHUNK = 4 * BATCH_CELLS };

/* By maps of some rows at a time. Where there is one thread, a chunk is a launch: a single
 * work-item need not mind others. */
static void link_batches(weft_device *device, const friends_view_arrays *f,
                         const grid_sets *s, fof_forest_arrays forest) {
    const i64 threads = weft_concurrency(device), most = CHUNKS * threads;
    const int alone = threads == 1;
    const i64 least = (s->cells + most - 1) / most;
    const i64 chunk = least < CHUNK ? CHUNK : least;
    const i64 chunks = (s->cells + chunk - 1) / chunk, items = alone ? 1 : chunks;
    grid_sets cells = *s;
    cells.pitch = stencil_pitch(&f->rule.g);
    const i64 rows = window_room(cells.pitch);
    const i64 words = items * (i64)window_words((index_t)rows, (index_t)cells.pitch);
    weft_scope_open(device);
    const weft_array bits = weft_scratch(device, WEFT_U64, words);
    const weft_array word_cell = weft_scratch(device, WEFT_U32, words);
    for (i64 first = 0; first < chunks; first += items) {
        weft_task_until(device, 0.2 + 0.8 * (f64)(first + items) / (f64)chunks);
        weft_for_each(device, items, batch_link, .f = *f, .cells = cells, .forest = forest,
                      .first = first, .chunk = chunk, .rows = rows, .alone = alone,
                      .bits = bits, .word_cell = word_cell);
    }
    weft_scope_close(device);
}

/* By a map of all cells, and what is rare in kernels of its own. */
static void link_dense(weft_device *device, const friends_view_arrays *f, grid_sets *s,
                       i64 worth, fof_forest_arrays forest, weft_array left) {
    const u32 zero = 0;
    stencil_make_map(device, &f->rule.g, s, worth);
    weft_fill(device, left, &zero);
    weft_task_until(device, 1);
    weft_for_each(device, s->cells, dense_link, .f = *f, .cells = *s, .forest = forest,
                  .left = left);
    weft_for_each(device, s->cells, dense_link_left, .f = *f, .cells = *s, .forest = forest,
                  .left = left);
}

/* A bit for each cell, for what the first of two kernels leaves to the second. */
static weft_array unite(weft_device *device, const friends_view_arrays *f,
                        const grid_sets *s, fof_forest_arrays forest) {
    const u32 zero = 0, one = 1;
    const weft_array left = points_filled(device, (s->cells + 31) / 32, 0);
    weft_sequence(device, forest.parent, &zero, &one);
    weft_for_each(device, s->cells, fof_unite_cell, .f = *f, .cells = *s,
                  .parent = forest.parent, .united = forest.united, .left = left);
    weft_for_each(device, s->cells, fof_unite_left, .f = *f, .cells = *s,
                  .parent = forest.parent, .united = forest.united, .left = left);
    return left;
}

void fof_link(weft_device *device, const friends_view_arrays *f, grid_sets *s, i64 worth,
              const fof_trees *trees) {
    const int many = weft_device_style(device) == WEFT_SIMT;
    weft_array left = {0};
    weft_task_begin(device, "fof_link");
    weft_scope_open(device);
    const fof_forest_arrays forest = {trees->parent,
                                      weft_scratch(device, WEFT_U8, s->cells)};
    weft_task_until(device, 0.2);
    if (many)
        left = unite(device, f, s, forest);
    else
        weft_for_each(device, (s->cells + UNITE_CELLS - 1) / UNITE_CELLS, unite_block,
                      .f = *f, .cells = *s, .parent = forest.parent,
                      .united = forest.united, .smallest = trees->smallest);
    if (!stencil_may_map(&f->rule.g, worth)) {
        link_sparse(device, f, s, forest);
    } else if (many) {
        link_dense(device, f, s, worth, forest, left);
    } else {
        link_batches(device, f, s, forest);
    }
    weft_scope_close(device);
    weft_task_end(device);
}

void fof_label_points(weft_device *device, const grid_sets *s, const fof_trees *trees,
                      weft_array label) {
    const i64 threads = weft_concurrency(device);
    const weft_array parent = trees->parent;
    weft_array smallest = trees->smallest;
    weft_scope_open(device);
    if (smallest.type == 0) {
        smallest = weft_scratch(device, WEFT_U32, s->sets);
        weft_transform(device, s->sets, smallest, fof_first, .set_start = s->set_start,
                       .point = s->point);
    }
    if (weft_device_style(device) != WEFT_SIMD)
        weft_for_each(device, s->sets, fof_flatten, .parent = parent, .smallest = smallest);
    else if (threads == 1)
        weft_for_each(device, 1, fof_flatten_all, .sets = s->sets, .parent = parent,
                      .smallest = smallest);
    else
        weft_for_each(device, (s->sets + FLATTEN_SETS - 1) / FLATTEN_SETS,
                      fof_flatten_block, .sets = s->sets, .parent = parent,
                      .smallest = smallest);
    weft_for_each(device, s->sets, fof_label, .set_start = s->set_start, .point = s->point,
                  .parent = parent, .smallest = smallest, .label = label);
    weft_scope_close(device);
}

static void find_groups(weft_device *device, const friends_view_arrays *f, int keep_map,
                        grid_sets *sets, weft_array label) {
    const fof_trees trees = fof_trees_new(device, sets);
    weft_task_until(device, 0.9);
    fof_link(device, f, sets, sets->points, &trees);
    if (!keep_map)
        grid_free_map(device, sets);
    weft_task_until(device, 1);
    fof_label_points(device, sets, &trees, label);
}

/* Labels points that are known to be right, and leaves or frees their cells. */
static void label_points(weft_device *device, const points_words *words, i64 count,
                         const weft_fof_options *options, weft_array label,
                         weft_cells **keep) {
    const u32 none = UINT32_MAX;
    weft_task_until(device, options->min_friends > 0 ? 0.3 : 0.4);
    weft_cells *cells = cells_new(device, name, words, count, options,
                                  keep ? GRID_CLOSED : GRID_OPEN, (weft_array){0});
    if (!cells)
        return;
    if (options->min_friends > 0) {
        weft_task_until(device, 0.6);
        weft_fill(device, label, &none);
        grid_sets some = leave_out(device, options->min_friends, cells);
        if (!keep)
            grid_free(device, &cells->sets);
        find_groups(device, &cells->friends, 0, &some, label);
        grid_free(device, &some);
    } else {
        find_groups(device, &cells->friends, keep != NULL, &cells->sets, label);
    }
    if (keep && weft_check(device) == WEFT_OK)
        *keep = cells;
    else
        weft_cells_free(device, cells);
}

weft_status weft_fof(weft_device *device, const weft_points *points,
                     const weft_fof_options *options, weft_array label) {
    return weft_fof_cells(device, points, options, label, NULL);
}

weft_status weft_fof_cells(weft_device *device, const weft_points *points,
                           const weft_fof_options *options, weft_array label,
                           weft_cells **cells) {
    if (cells)
        *cells = NULL;
    if (weft_check(device) != WEFT_OK || check_options(device, options) != WEFT_OK)
        return weft_check(device);
    weft_task_begin(device, name);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK && label.length < points->count)
        weft_fail(device, WEFT_E_SHAPE, "%s: 'label' has %lld elements for %lld particles",
                  name, (long long)label.length, (long long)points->count);
    if (weft_check(device) == WEFT_OK && label.type != WEFT_U32)
        weft_fail(device, WEFT_E_TYPE, "%s: 'label' is not u32", name);
    if (weft_check(device) == WEFT_OK && points->count > 0)
        label_points(device, &words, points->count, options,
                     weft_slice(device, label, 0, points->count), cells);
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
