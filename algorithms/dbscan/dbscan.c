#include "algorithms/points/arguments.h"
#include "weft/dbscan.h"
#include "dbscan.kernels.h"
#include "algorithms/fof/fof.h"
#include "algorithms/cells/cells.h"
#include "algorithms/cells/neighbours.h"
#include "algorithms/cells/stencil.h"
#include "algorithms/cells/grid/subset.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/transform.h"

WEFT_GENERATOR(neighbours_suffice, u32, (value, u32, least), (in, u32, friends))
WEFT_GENERATOR(dbscan_is_joined, u32, (in, grid_point, point), (in, u32, cluster, 0))
WEFT_GENERATOR(dbscan_of_set, u32, (in, u32, set_start, n + 1), (in, grid_point, point, 0),
               (in, u32, first, 0))
WEFT_KERNEL(dbscan_borders, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, grid_view, cores), (optional, u32, neighbour, 0), (value, u32, least),
            (in, u32, friends, 0), (in, u32, cluster, 0), (inout, u32, first, 0))
WEFT_KERNEL(dbscan_border, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, grid_view, cores), (optional, u32, neighbour, 0), (value, u32, least),
            (in, u32, friends), (in, u32, cluster, 0), (inout, u32, first, 0))
WEFT_KERNEL(dbscan_notice, (in, u32, first), (shared, u32, has_more))
WEFT_KERNEL(dbscan_drop, (in, u32, has_more), (inout, u32, first))
WEFT_GENERATOR(dbscan_leads, u32, (in, u32, first))
WEFT_KERNELS(dbscan_number, (i32, i64), (in, u32, first), (optional, u32, core),
             (in, u32, number), (out, T, label))

static const char name[] = "weft_dbscan";

static void check_options(weft_device *device, const char *what,
                          const weft_dbscan_options *options) {
    if (arguments_given(device, what, "options", options) &&
        arguments_known(device, what, "options", options->reserved,
                        sizeof options->reserved))
        friends_check(device, what, "eps", options->eps, options->box);
}

static weft_status check(weft_device *device, const weft_points *points,
                         const weft_dbscan_options *options, weft_array labels) {
    check_options(device, name, options);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (options->min_points < 1)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: min_points is %lld, not at least 1", name,
                  (long long)options->min_points);
    else if (labels.type != WEFT_I32 && labels.type != WEFT_I64)
        weft_fail(device, WEFT_E_TYPE, "%s: 'labels' are neither i32 nor i64", name);
    else if (points && labels.length < points->count)
        weft_fail(device, WEFT_E_SHAPE, "%s: 'labels' has %lld elements for %lld points",
                  name, (long long)labels.length, (long long)points->count);
    else if (points && labels.type == WEFT_I32 && points->count > INT32_MAX)
        weft_fail(device, WEFT_E_TYPE, "%s: i32 labels cannot number %lld points", name,
                  (long long)points->count);
    return weft_check(device);
}

static weft_cells *sort_points(weft_device *device, const char *what,
                               const points_words *words, i64 count,
                               const weft_dbscan_options *o) {
    const weft_fof_options friends = {.linking_length = o->eps,
                                      .box = {o->box[0], o->box[1], o->box[2]}};
    return cells_new(device, what, words, count, &friends, GRID_OPEN, (weft_array){0});
}

/* Gives points that are not core the smallest of the clusters of their core friends. */
static void join_borders(weft_device *device, const friends_view_arrays *f, grid_sets *s,
                         grid_sets *cores, u32 least, weft_array friends,
                         weft_array first) {
    weft_scope_open(device);
    const weft_array neighbour = stencil_prepare(device, &f->rule.g, s, cores, s->points);
    const weft_array cluster = weft_scratch(device, WEFT_U32, cores->sets);
    weft_transform(device, cores->sets, cluster, dbscan_of_set,
                   .set_start = cores->set_start, .point = cores->point, .first = first);
    weft_task_until(device, 1);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, s->points, dbscan_border, .f = *f, .cells = *s,
                      .cores = *cores, .neighbour = neighbour, .least = least,
                      .friends = friends, .cluster = cluster, .first = first);
    else
        weft_for_each(device, s->cells, dbscan_borders, .f = *f, .cells = *s,
                      .cores = *cores, .neighbour = neighbour, .least = least,
                      .friends = friends, .cluster = cluster, .first = first);
    weft_scope_close(device);
}

/* The clusters of all points of these sets, which are core. */
static void join_cores(weft_device *device, const friends_view_arrays *f, grid_sets *sets,
                       i64 worth, weft_array first) {
    weft_scope_open(device);
    const fof_trees trees = fof_trees_new(device, sets);
    fof_link(device, f, sets, worth, &trees);
    fof_label_points(device, sets, &trees, first);
    weft_scope_close(device);
}

/* Where two points make a cluster, all points that are not alone are core. */
static void drop_lonely(weft_device *device, weft_array first) {
    weft_scope_open(device);
    const weft_array has_more = points_filled(device, first.length, 0);
    weft_for_each(device, first.length, dbscan_notice, .first = first,
                  .has_more = has_more);
    weft_for_each(device, first.length, dbscan_drop, .has_more = has_more, .first = first);
    weft_scope_close(device);
}

/* Names each point's cluster by its smallest core point in `first`; noise is 2^32 - 1.
 * `core`, if its type is not 0, is the same of core points alone. */
static void find_clusters(weft_device *device, const points_words *words, i64 count,
                          const weft_dbscan_options *options, weft_array first,
                          weft_array core) {
    weft_task_until(device, options->min_points <= 2 ? 0.4 : 0.2);
    weft_cells *cells = sort_points(device, name, words, count, options);
    if (!cells)
        return;
    const friends_view_arrays f = cells->friends;
    if (options->min_points <= 2) {
        weft_task_until(device, 0.9);
        join_cores(device, &f, &cells->sets, count, first);
        if (options->min_points == 2)
            drop_lonely(device, first);
        weft_cells_free(device, cells);
        return;
    }
    const u32 none = UINT32_MAX;
    const u32 least =
        options->min_points <= count ? (u32)(options->min_points - 1) : UINT32_MAX;
    const weft_array friends = weft_scratch(device, WEFT_U32, count);
    weft_task_until(device, 0.6);
    neighbours_count(device, &f, &cells->sets, least, least, friends);
    weft_task_until(device, 0.65);
    grid_free_map(device, &cells->sets);
    grid_sets cores =
        subset_of(device, &f.rule.g, &cells->sets,
                  weft_lazy(count, neighbours_suffice, .least = least, .friends = friends));
    weft_fill(device, first, &none);
    weft_task_until(device, 0.8);
    join_cores(device, &f, &cores, count, first);
    if (core.type != 0)
        weft_copy(device, first, core);
    if (!options->core_only)
        join_borders(device, &f, &cells->sets, &cores, least, friends, first);
    grid_free(device, &cores);
    weft_cells_free(device, cells);
}

static void number_clusters(weft_device *device, weft_array first, weft_array core,
                            weft_array labels) {
    const i64 n = first.length;
    weft_scope_open(device);
    const weft_array number = weft_scratch(device, WEFT_U32, n);
    weft_scan(device, weft_lazy(n, dbscan_leads, .first = first), weft_plus(WEFT_U32),
              WEFT_EXCLUSIVE, number);
    if (labels.type == WEFT_I32)
        weft_for_each(device, n, dbscan_number_i32, .first = first, .core = core,
                      .number = number, .label = labels);
    else
        weft_for_each(device, n, dbscan_number_i64, .first = first, .core = core,
                      .number = number, .label = labels);
    weft_scope_close(device);
}

weft_status weft_dbscan(weft_device *device, const weft_points *points,
                        const weft_dbscan_options *options, weft_array labels) {
    if (weft_check(device) != WEFT_OK || check(device, points, options, labels) != WEFT_OK)
        return weft_check(device);
    weft_task_begin(device, name);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK && points->count > 0) {
        const int apart =
            options->borders_apart && !options->core_only && options->min_points > 2;
        const weft_array first = weft_scratch(device, WEFT_U32, points->count);
        const weft_array core =
            apart ? weft_scratch(device, WEFT_U32, points->count) : (weft_array){0};
        find_clusters(device, &words, points->count, options, first, core);
        weft_task_until(device, 1);
        number_clusters(device, first, core, weft_slice(device, labels, 0, points->count));
    }
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}

weft_status weft_dbscan_borders(weft_device *device, const weft_points *points,
                                const weft_dbscan_options *options, weft_array cluster) {
    static const char what[] = "weft_dbscan_borders";
    check_options(device, what, options);
    arguments_array(device, what, "cluster", cluster, WEFT_U32, points ? points->count : 0);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_task_begin(device, what);
    weft_scope_open(device);
    const points_words words = points_view(device, what, points);
    const i64 n = weft_check(device) == WEFT_OK ? points->count : 0;
    weft_task_until(device, 0.5);
    weft_cells *cells = n > 0 ? sort_points(device, what, &words, n, options) : NULL;
    if (cells) {
        const friends_view_arrays *f = &cells->friends;
        const weft_array joined = weft_scratch(device, WEFT_U32, n);
        weft_transform(device, n, joined, dbscan_is_joined, .point = cells->sets.point,
                       .cluster = cluster);
        grid_sets cores = subset_of(device, &f->rule.g, &cells->sets, joined);
        join_borders(device, f, &cells->sets, &cores, 1, joined, cluster);
        grid_free(device, &cores);
    }
    weft_cells_free(device, cells);
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
