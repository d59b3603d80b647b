#include "dense.kernel.h"
#include "fof.kernel.h"
#include "grid.h"
#include "weft/fof.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_KERNEL(fof_unite_cell, (value, friends_rule, rule), (in, u32, cell_set, n + 1),
            (in, u32, set_start, 0), (in, grid_point, point, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, parent, 0), (out, u8, united))
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
WEFT_KERNEL(dense_mark, (value, i64, count), (value, i64, pitch), (in, u32, cell_line),
            (in, u32, cell_x), (inout, u64, bits, 0), (inout, u32, first, 0))
WEFT_KERNEL(dense_link, (value, friends_rule, rule), (value, i64, pitch),
            (in, u64, bits, 0), (in, u32, first, 0), (in, u32, cell_line),
            (in, u32, cell_x), (in, u32, cell_set, n + 1), (in, u32, set_start, 0),
            (in, u8, set_sub, 0), (in, grid_point, point, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, parent, 0), (in, u8, united))
WEFT_KERNEL(fof_flatten, (in, u32, set_start, n + 1), (in, grid_point, point, 0),
            (shared, u32, parent), (shared, u32, smallest))
WEFT_KERNEL(fof_label, (in, u32, set_start, n + 1), (in, grid_point, point, 0),
            (in, u32, parent), (in, u32, smallest, 0), (inout, u32, label, 0))
WEFT_KERNEL(friends_rows, (value, grid, g), (value, i64, chunk), (value, i64, rows),
            (value, i32, ways), (in, u64, row_key, 0), (inout, u32, neighbour, 0))
WEFT_KERNEL(friends_count, (value, friends_rule, rule), (value, u32, enough),
            (value, i64, rows), (in, u32, cell), (in, u32, neighbour, 0),
            (in, u32, row_cell, 0), (in, u32, cell_row, 0), (in, u32, cell_x, 0),
            (in, u32, cell_set, 0), (in, u32, set_start, 0), (in, grid_point, point),
            (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0), (out, u32, friends))
WEFT_KERNEL(fof_mark_cell, (in, u32, cell_set, n + 1), (in, u32, set_start, 0),
            (inout, u32, cell, 0))
WEFT_GENERATOR(fof_takes_part, u32, (value, u32, least), (in, u32, friends))
WEFT_GENERATOR(fof_index, u32, (in, grid_point, point))

static const char name[] = "weft_fof";

/* Shorter lengths square to 0: cells need not be smaller than this. */
static const f64 least_length = 0x1p-537;

/* Squared distances in float between which the decision is left to f64. An offset is off by
 * at most e = `error` + 2^-23 (it is below 2), a cell's shift by 2^-23, and the two sums
 * that make dx by 2^-23 and 2^-22: dx is off by less than 2 e + 10 * 2^-24. Where d2 is
 * near 1, that moves it by less than 2 sqrt(3) times as much, and its own roundings by
 * 5 * 2^-24 more. Twice that, and the filter is certain. */
static friends_rule make_rule(const grid *g, const points_words *words,
                              const weft_fof_options *options, f64 error) {
    const f64 length = options->linking_length;
    friends_rule rule = {.g = *g,
                         .stride = words->stride,
                         .wide = words->wide,
                         .length2 = length * length,
                         .near = -1,
                         .far = INFINITY};
    const f64 off = 2 * (error + 0x1p-23) + 10 * 0x1p-24;
    const f64 margin = 2 * (2 * 1.7321 * off + 5 * 0x1p-24);
    int exact = margin >= 0.5 || length < 1e-150;
    for (int k = 0; k < 3; k++) {
        rule.box[k] = options->box[k];
        rule.shift[k] = (f32)(g->side[k] * g->inverse_length);
        /* Both neighbours of a cell may be the same one: offsets cannot tell which. */
        exact |= g->box[k] > 0 && g->cells[k] < 3;
    }
    if (!exact) {
        rule.near = (f32)(1 - margin);
        rule.far = (f32)(1 + margin);
    }
    return rule;
}

static weft_status check_options(weft_device *device, const weft_fof_options *options) {
    if (!options)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'options' is NULL", name);
    const f64 length = options->linking_length;
    if (!(length >= 0) || length - length != 0)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: the linking length %g is not a finite number of at least 0",
                         name, length);
    for (int k = 0; k < 3; k++)
        if (!(options->box[k] >= 0) || options->box[k] - options->box[k] != 0)
            return weft_fail(device, WEFT_E_ARGUMENT,
                             "%s: the box size %g is not a finite number of at least 0",
                             name, options->box[k]);
    if (options->min_friends < 0)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: min_friends is %lld", name,
                         (long long)options->min_friends);
    return WEFT_OK;
}

/* Cells or rows a work-item: many for a few threads, few for many. */
static i64 choose_chunk(const weft_device *device, i64 n) {
    const i64 chunk = n / (weft_concurrency(device) * 256);
    return chunk < 1 ? 1 : chunk > 512 ? 512 : chunk;
}

/* Each row's neighbours on the first `ways`, as scratch of the open scope. */
static weft_array find_rows(weft_device *device, const grid *g, grid_sets *s, i32 ways) {
    grid_find_rows(device, s);
    const i64 chunk = choose_chunk(device, s->rows);
    const weft_array neighbour = weft_scratch(device, WEFT_U32, ways * s->rows);
    weft_for_each(device, (s->rows + chunk - 1) / chunk * ways, friends_rows, .g = *g,
                  .chunk = chunk, .rows = s->rows, .ways = ways, .row_key = s->row_key,
                  .neighbour = neighbour);
    return neighbour;
}

/* The number of friends of each sorted particle, up to `enough`. */
static void count_friends(weft_device *device, const friends_rule *rule,
                          const points_words *words, grid_sets *s, u32 enough,
                          weft_array friends) {
    const u32 zero = 0;
    weft_scope_open(device);
    const weft_array neighbour = find_rows(device, &rule->g, s, 8);
    const weft_array cell = weft_scratch(device, WEFT_U32, s->points);
    weft_fill(device, cell, &zero);
    weft_for_each(device, s->cells, fof_mark_cell, .cell_set = s->cell_set,
                  .set_start = s->set_start, .cell = cell);
    weft_scan(device, cell, weft_plus(WEFT_U32), WEFT_INCLUSIVE, cell);
    weft_for_each(device, s->points, friends_count, .rule = *rule, .enough = enough,
                  .rows = s->rows, .cell = cell, .neighbour = neighbour,
                  .row_cell = s->row_cell, .cell_row = s->cell_row, .cell_x = s->cell_x,
                  .cell_set = s->cell_set, .set_start = s->set_start, .point = s->point,
                  .x = words->x, .y = words->y, .z = words->z, .friends = friends);
    weft_scope_close(device);
}

/* Sorts those particles anew that have enough friends. */
static void leave_out(weft_device *device, const friends_rule *rule,
                      const points_words *words, const points_words *places,
                      i64 min_friends, grid_sets *sets) {
    const u32 least = min_friends < (i64)UINT32_MAX ? (u32)min_friends : UINT32_MAX;
    i64 count = 0;
    weft_scope_open(device);
    const weft_array friends = weft_scratch(device, WEFT_U32, sets->points);
    count_friends(device, rule, words, sets, least, friends);
    const weft_array flags =
        weft_lazy(sets->points, fof_takes_part, .least = least, .friends = friends);
    weft_count_if(device, flags, &count);
    const weft_array chosen = weft_scratch(device, WEFT_U32, count);
    weft_copy_if(device, weft_lazy(sets->points, fof_index, .point = sets->point), flags,
                 chosen, NULL);
    grid_free(device, sets);
    *sets = grid_sort(device, &rule->g, places, count, chosen);
    weft_scope_close(device);
}

/* Words of a row in a map of the grid, or 0 where the map is larger than it is worth. */
static i64 map_pitch(const grid *g, i64 points) {
    const i64 pitch = (g->cells[0] + 2 + 63) / 64;
    const f64 words = (f64)pitch * (f64)g->cells[1] * (f64)g->cells[2];
    return !g->long_keys && words <= 2.5 * (f64)points ? pitch : 0;
}

static void link_dense(weft_device *device, const friends_rule *rule,
                       const points_words *words, const grid_sets *s, i64 pitch,
                       weft_array united, weft_array parent) {
    const i64 size = pitch * rule->g.cells[1] * rule->g.cells[2];
    const u64 none = 0;
    weft_scope_open(device);
    const weft_array bits = weft_scratch(device, WEFT_U64, size);
    const weft_array first = weft_scratch(device, WEFT_U32, size);
    weft_fill(device, bits, &none);
    weft_for_each(device, s->cells, dense_mark, .count = s->cells, .pitch = pitch,
                  .cell_line = s->cell_line, .cell_x = s->cell_x, .bits = bits,
                  .first = first);
    weft_for_each(device, s->cells, dense_link, .rule = *rule, .pitch = pitch, .bits = bits,
                  .first = first, .cell_line = s->cell_line, .cell_x = s->cell_x,
                  .cell_set = s->cell_set, .set_start = s->set_start, .set_sub = s->set_sub,
                  .point = s->point, .x = words->x, .y = words->y, .z = words->z,
                  .parent = parent, .united = united);
    weft_scope_close(device);
}

static void link_sparse(weft_device *device, const friends_rule *rule,
                        const points_words *words, grid_sets *s, weft_array united,
                        weft_array parent) {
    const i64 chunk = choose_chunk(device, s->cells);
    weft_scope_open(device);
    const weft_array neighbour = find_rows(device, &rule->g, s, 4);
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

static void link_sets(weft_device *device, const friends_rule *rule,
                      const points_words *words, grid_sets *s, weft_array parent) {
    const i64 pitch = map_pitch(&rule->g, s->points);
    weft_scope_open(device);
    const weft_array united = weft_scratch(device, WEFT_U8, s->cells);
    weft_for_each(device, s->cells, fof_unite_cell, .rule = *rule, .cell_set = s->cell_set,
                  .set_start = s->set_start, .point = s->point, .x = words->x,
                  .y = words->y, .z = words->z, .parent = parent, .united = united);
    if (pitch > 0)
        link_dense(device, rule, words, s, pitch, united, parent);
    else
        link_sparse(device, rule, words, s, united, parent);
    weft_scope_close(device);
}

static void label_points(weft_device *device, const grid_sets *s, weft_array parent,
                         weft_array label) {
    const u32 none = UINT32_MAX;
    weft_scope_open(device);
    const weft_array smallest = weft_scratch(device, WEFT_U32, s->sets);
    weft_fill(device, smallest, &none);
    weft_for_each(device, s->sets, fof_flatten, .set_start = s->set_start,
                  .point = s->point, .parent = parent, .smallest = smallest);
    weft_for_each(device, s->sets, fof_label, .set_start = s->set_start, .point = s->point,
                  .parent = parent, .smallest = smallest, .label = label);
    weft_scope_close(device);
}

/* Finds the groups of points that are known to be right. */
static void find_groups(weft_device *device, const points_words *words, i64 count,
                        const weft_fof_options *options, weft_array label) {
    points_words places = *words;
    f64 error = 0;
    const grid g =
        grid_choose(device, name, &places, count,
                    fmax(options->linking_length, least_length), options->box, &error);
    if (weft_check(device) != WEFT_OK)
        return;
    grid_sets sets = grid_sort(device, &g, &places, count, (weft_array){0});
    const friends_rule rule = make_rule(&g, words, options, error);
    if (options->min_friends > 0) {
        const u32 none = UINT32_MAX;
        weft_fill(device, label, &none);
        leave_out(device, &rule, words, &places, options->min_friends, &sets);
    }
    const weft_array parent = weft_scratch(device, WEFT_U32, sets.sets);
    const u32 zero = 0, one = 1;
    weft_sequence(device, parent, &zero, &one);
    link_sets(device, &rule, words, &sets, parent);
    label_points(device, &sets, parent, label);
    grid_free(device, &sets);
}

weft_status weft_fof(weft_device *device, const weft_points *points,
                     const weft_fof_options *options, weft_array label) {
    if (weft_check(device) != WEFT_OK || check_options(device, options) != WEFT_OK)
        return weft_check(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK && label.length < points->count)
        weft_fail(device, WEFT_E_SHAPE, "%s: 'label' has %lld elements for %lld particles",
                  name, (long long)label.length, (long long)points->count);
    if (weft_check(device) != WEFT_OK || points->count == 0)
        return weft_check(device);
    weft_scope_open(device);
    find_groups(device, &words, points->count, options,
                weft_slice(device, label, 0, points->count));
    weft_scope_close(device);
    return weft_check(device);
}
