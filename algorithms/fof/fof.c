#include "fof.h"
#include "batch.kernel.h"
#include "algorithms/cells/cells.h"
#include "dense.kernel.h"
#include "fof.kernel.h"
#include "algorithms/cells/keep.h"
#include "algorithms/cells/near.h"
#include "algorithms/cells/tally.h"
#include "weft/fof.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_KERNEL(fof_unite_cell, (value, friends_rule, rule), (in, u32, cell_set, n + 1),
            (in, u32, set_start, 0), (in, grid_point, point, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, parent, 0), (out, u8, united),
            (shared, u32, left, 0))
WEFT_KERNEL(fof_unite_left, (value, friends_rule, rule), (in, u32, cell_set, n + 1),
            (in, u32, set_start, 0), (in, grid_point, point, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, parent, 0), (inout, u8, united),
            (in, u32, left, 0))
WEFT_KERNEL(fof_link_next, (value, friends_rule, rule), (value, i64, count),
            (in, u32, row_cell, 0), (in, u32, cell_row), (in, u32, cell_x),
            (in, u32, cell_set, n + 1), (in, u32, set_start, 0), (in, u8, set_sub, 0),
            (in, grid_point, point, 0), (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (shared, u32, parent, 0), (in, u8, united))
WEFT_KERNEL(fof_link_rows, (value, friends_rule, rule), (value, i64, chunk),
            (value, i64, count), (value, i64, rows), (in, u32, neighbour, 0),
            (in, u32, row_cell, 0), (in, u32, cell_row, 0), (in, u32, cell_x, 0),
            (in, u32, cell_set, 0), (in, u32, set_start, 0), (in, u8, set_sub, 0),
            (in, grid_point, point, 0), (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (shared, u32, parent, 0), (in, u8, united, 0))
WEFT_KERNEL(dense_link, (value, friends_rule, rule), (value, i64, pitch),
            (in, u64, bits, 0), (in, u32, first, 0), (in, u32, cell_line),
            (in, u32, cell_x), (in, u32, cell_set, n + 1), (in, u32, set_start, 0),
            (in, u8, set_sub, 0), (in, grid_point, point, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, parent, 0), (in, u8, united),
            (shared, u32, left, 0))
WEFT_KERNEL(dense_link_left, (value, friends_rule, rule), (value, i64, pitch),
            (in, u64, bits, 0), (in, u32, first, 0), (in, u32, cell_line),
            (in, u32, cell_x), (in, u32, cell_set, n + 1), (in, u32, set_start, 0),
            (in, u8, set_sub, 0), (in, grid_point, point, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, parent, 0), (in, u8, united),
            (in, u32, left, 0))
WEFT_KERNEL(batch_link, (value, friends_rule, rule), (value, i64, count),
            (value, i64, pitch), (in, u64, bits, 0), (in, u32, first, 0),
            (in, u32, cell_line, 0), (in, u32, cell_x, 0), (in, u32, cell_set, 0),
            (in, u32, set_start, 0), (in, u8, set_sub, 0), (in, grid_point, point, 0),
            (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0), (shared, u32, parent, 0),
            (in, u8, united, 0))
WEFT_GENERATOR(fof_first, u32, (in, u32, set_start, n + 1), (in, grid_point, point, 0))
WEFT_KERNEL(fof_flatten, (shared, u32, parent), (shared, u32, smallest))
WEFT_KERNEL(fof_label, (in, u32, set_start, n + 1), (in, grid_point, point, 0),
            (in, u32, parent), (in, u32, smallest, 0), (inout, u32, label, 0))
WEFT_GENERATOR(fof_takes_part, u32, (value, u32, least), (in, u32, friends))

static const char name[] = "weft_fof";

static weft_status check_options(weft_device *device, const weft_fof_options *options) {
    if (!options)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'options' is NULL", name);
    friends_check(device, name, "linking length", options->linking_length, options->box);
    if (options->min_friends < 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: min_friends is %lld, not at least 0", name,
                  (long long)options->min_friends);
    return weft_check(device);
}

/* The sets without the particles that have too few friends. */
static grid_sets leave_out(weft_device *device, const friends_rule *rule,
                           const points_words *words, i64 min_friends, grid_sets *sets) {
    const u32 least = min_friends < (i64)UINT32_MAX ? (u32)min_friends : UINT32_MAX;
    weft_scope_open(device);
    const weft_array friends = weft_scratch(device, WEFT_U32, sets->points);
    tally_friends(device, rule, words, sets, least, least, friends);
    const grid_sets kept = keep_points(
        device, &rule->g, sets,
        weft_lazy(sets->points, fof_takes_part, .least = least, .friends = friends));
    weft_scope_close(device);
    return kept;
}

/* A bit for each cell, for what is left to decide there. */
static weft_array nothing_left(weft_device *device, i64 cells) {
    const u32 none = 0;
    const weft_array left = weft_scratch(device, WEFT_U32, (cells + 31) / 32);
    weft_fill(device, left, &none);
    return left;
}

static void unite_cells(weft_device *device, const friends_rule *rule,
                        const points_words *words, const grid_sets *s, weft_array parent,
                        weft_array united) {
    weft_scope_open(device);
    const weft_array left = nothing_left(device, s->cells);
    weft_for_each(device, s->cells, fof_unite_cell, .rule = *rule, .cell_set = s->cell_set,
                  .set_start = s->set_start, .point = s->point, .x = words->x,
                  .y = words->y, .z = words->z, .parent = parent, .united = united,
                  .left = left);
    weft_for_each(device, s->cells, fof_unite_left, .rule = *rule, .cell_set = s->cell_set,
                  .set_start = s->set_start, .point = s->point, .x = words->x,
                  .y = words->y, .z = words->z, .parent = parent, .united = united,
                  .left = left);
    weft_scope_close(device);
}

static void link_dense(weft_device *device, const friends_rule *rule,
                       const points_words *words, const grid_sets *s, weft_array united,
                       weft_array parent) {
    weft_scope_open(device);
    const weft_array left = nothing_left(device, s->cells);
    weft_for_each(device, s->cells, dense_link, .rule = *rule, .pitch = s->map.pitch,
                  .bits = s->map.bits, .first = s->map.first, .cell_line = s->cell_line,
                  .cell_x = s->cell_x, .cell_set = s->cell_set, .set_start = s->set_start,
                  .set_sub = s->set_sub, .point = s->point, .x = words->x, .y = words->y,
                  .z = words->z, .parent = parent, .united = united, .left = left);
    weft_for_each(device, s->cells, dense_link_left, .rule = *rule, .pitch = s->map.pitch,
                  .bits = s->map.bits, .first = s->map.first, .cell_line = s->cell_line,
                  .cell_x = s->cell_x, .cell_set = s->cell_set, .set_start = s->set_start,
                  .set_sub = s->set_sub, .point = s->point, .x = words->x, .y = words->y,
                  .z = words->z, .parent = parent, .united = united, .left = left);
    weft_scope_close(device);
}

/* The same for WEFT_SIMD. */
static void link_batches(weft_device *device, const friends_rule *rule,
                         const points_words *words, const grid_sets *s, weft_array united,
                         weft_array parent) {
    weft_for_each(device, (s->cells + BATCH_CELLS - 1) / BATCH_CELLS, batch_link,
                  .rule = *rule, .count = s->cells, .pitch = s->map.pitch,
                  .bits = s->map.bits, .first = s->map.first, .cell_line = s->cell_line,
                  .cell_x = s->cell_x, .cell_set = s->cell_set, .set_start = s->set_start,
                  .set_sub = s->set_sub, .point = s->point, .x = words->x, .y = words->y,
                  .z = words->z, .parent = parent, .united = united);
}

static void link_sparse(weft_device *device, const friends_rule *rule,
                        const points_words *words, grid_sets *s, weft_array united,
                        weft_array parent) {
    const i64 chunk = friends_chunk(device, s->cells);
    weft_scope_open(device);
    const weft_array neighbour = friends_find_rows(device, &rule->g, s, s, 4);
    weft_for_each(device, s->cells, fof_link_next, .rule = *rule, .count = s->cells,
                  .row_cell = s->row_cell, .cell_row = s->cell_row, .cell_x = s->cell_x,
                  .cell_set = s->cell_set, .set_start = s->set_start, .set_sub = s->set_sub,
                  .point = s->point, .x = words->x, .y = words->y, .z = words->z,
                  .parent = parent, .united = united);
    weft_for_each(device, (s->cells + chunk - 1) / chunk * 4, fof_link_rows, .rule = *rule,
                  .chunk = chunk, .count = s->cells, .rows = s->rows,
                  .neighbour = neighbour, .row_cell = s->row_cell, .cell_row = s->cell_row,
                  .cell_x = s->cell_x, .cell_set = s->cell_set, .set_start = s->set_start,
                  .set_sub = s->set_sub, .point = s->point, .x = words->x, .y = words->y,
                  .z = words->z, .parent = parent, .united = united);
    weft_scope_close(device);
}

void fof_link(weft_device *device, const friends_rule *rule, const points_words *words,
              grid_sets *s, i64 worth, weft_array parent) {
    const u32 zero = 0, one = 1;
    weft_scope_open(device);
    weft_sequence(device, parent, &zero, &one);
    const weft_array united = weft_scratch(device, WEFT_U8, s->cells);
    unite_cells(device, rule, words, s, parent, united);
    near_make_map(device, &rule->g, s, worth);
    if (s->map.pitch > 0 && weft_device_style(device) == WEFT_SIMD)
        link_batches(device, rule, words, s, united, parent);
    else if (s->map.pitch > 0)
        link_dense(device, rule, words, s, united, parent);
    else
        link_sparse(device, rule, words, s, united, parent);
    weft_scope_close(device);
}

void fof_label_points(weft_device *device, const grid_sets *s, weft_array parent,
                      weft_array label) {
    weft_scope_open(device);
    const weft_array smallest = weft_scratch(device, WEFT_U32, s->sets);
    weft_transform(device, s->sets, smallest, fof_first, .set_start = s->set_start,
                   .point = s->point);
    weft_for_each(device, s->sets, fof_flatten, .parent = parent, .smallest = smallest);
    weft_for_each(device, s->sets, fof_label, .set_start = s->set_start, .point = s->point,
                  .parent = parent, .smallest = smallest, .label = label);
    weft_scope_close(device);
}

static void find_groups(weft_device *device, const friends_rule *rule,
                        const points_words *words, int keep_map, grid_sets *sets,
                        weft_array label) {
    const weft_array parent = weft_scratch(device, WEFT_U32, sets->sets);
    fof_link(device, rule, words, sets, sets->points, parent);
    if (!keep_map)
        grid_free_map(device, sets);
    fof_label_points(device, sets, parent, label);
}

/* Labels points that are known to be right, and leaves or frees their cells. */
static void label_points(weft_device *device, const points_words *words, i64 count,
                         const weft_fof_options *options, weft_array label) {
    const u32 none = UINT32_MAX;
    weft_cells *cells = cells_new(device, name, words, count, options, (weft_array){0});
    if (!cells)
        return;
    if (options->min_friends > 0) {
        weft_fill(device, label, &none);
        grid_sets some =
            leave_out(device, &cells->rule, words, options->min_friends, &cells->sets);
        if (!options->cells)
            grid_free(device, &cells->sets);
        find_groups(device, &cells->rule, words, 0, &some, label);
        grid_free(device, &some);
    } else {
        find_groups(device, &cells->rule, words, options->cells != NULL, &cells->sets,
                    label);
    }
    if (options->cells && weft_check(device) == WEFT_OK)
        *options->cells = cells;
    else
        weft_cells_free(device, cells);
}

weft_status weft_fof(weft_device *device, const weft_points *points,
                     const weft_fof_options *options, weft_array label) {
    if (options && options->cells)
        *options->cells = NULL;
    if (weft_check(device) != WEFT_OK || check_options(device, options) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK && label.length < points->count)
        weft_fail(device, WEFT_E_SHAPE, "%s: 'label' has %lld elements for %lld particles",
                  name, (long long)label.length, (long long)points->count);
    if (weft_check(device) == WEFT_OK && points->count > 0)
        label_points(device, &words, points->count, options,
                     weft_slice(device, label, 0, points->count));
    weft_scope_close(device);
    return weft_check(device);
}
