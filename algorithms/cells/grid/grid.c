#include "grid.h"
#include "sets.kernel.h"
#include "algorithms/tuning.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_BUNDLE(grid_keys, (value, i64, n), (value, i64, width), (value, i32, wide),
            (value, i32, bits), (in, u32, word, 0))
WEFT_KERNEL(grid_key, (value, grid, g), (bundle, points_coordinates, at), (in, u32, order),
            (optional, u32, ordinal), (out, u64, key))
WEFT_KERNEL(grid_narrow_keys, (value, grid, g), (value, i64, n), (value, i64, block),
            (bundle, points_coordinates, at), (out, u32, key, 0))
WEFT_KERNEL(grid_key_row, (value, grid, g), (bundle, points_coordinates, at),
            (in, u32, order), (out, u64, row))
WEFT_KERNEL(grid_gather, (value, grid, g), (value, i64, count),
            (bundle, points_coordinates, at), (in, u32, order), (out, grid_point, point))
WEFT_GENERATOR(points_begins, u32, (in, u32, key))
WEFT_GENERATOR(grid_begins_row, u32, (in, u64, row))
WEFT_GENERATOR(grid_begins_set, u32, (bundle, grid_keys, key))
WEFT_GENERATOR(grid_begins_cell, u32, (bundle, grid_keys, key), (in, u32, set_start))
WEFT_GENERATOR(grid_line_key, u64, (in, u32, line))
WEFT_GENERATOR(grid_row_of, u32, (in, u32, ordinal))
WEFT_KERNEL(grid_set_sub, (bundle, grid_keys, key), (in, u32, set_start),
            (out, u8, set_sub))
WEFT_KERNEL(grid_cell, (bundle, grid_keys, key), (in, u32, set_start, 0),
            (in, u32, cell_set), (out, u32, line), (out, u32, cell_x))

WEFT_KERNEL(sets_count, (bundle, grid_keys, key), (out, u64, count))
WEFT_KERNEL(sets_write, (bundle, grid_keys, key), (in, u64, upto),
            (inout, u32, set_start, 0), (inout, u8, set_sub, 0), (inout, u32, cell_set, 0),
            (inout, u32, cell_line, 0), (inout, u32, cell_x, 0))

static int bits_of(i64 count) {
    int bits = 1;
    while (bits < 63 && (i64)1 << bits < count)
        bits++;
    return bits;
}

/* Positions where flags are set, and `end` after the last; returns how many were set. */
static i64 starts(weft_device *device, weft_array flags, i64 end, weft_array *start) {
    i64 count = 0;
    const u32 last = (u32)end;
    weft_scope_open(device);
    const weft_array all = weft_scratch(device, WEFT_U32, flags.length);
    points_list(device, flags, all, &count);
    *start = weft_array_new(device, WEFT_U32, count + 1);
    weft_copy(device, weft_slice(device, all, 0, count), *start);
    weft_write(device, weft_slice(device, *start, count, 1), &last);
    weft_scope_close(device);
    return count;
}

/* Sets and cells of sorted keys. */
static void make_sets(weft_device *device, grid_keys_arrays key, grid_sets *s) {
    s->sets = starts(device, weft_lazy(s->points, grid_begins_set, .key = key), s->points,
                     &s->set_start);
    s->set_sub = weft_array_new(device, WEFT_U8, s->sets);
    weft_for_each(device, s->sets, grid_set_sub, .key = key, .set_start = s->set_start,
                  .set_sub = s->set_sub);
    s->cells = starts(
        device, weft_lazy(s->sets, grid_begins_cell, .key = key, .set_start = s->set_start),
        s->sets, &s->cell_set);
    s->cell_x = weft_array_new(device, WEFT_U32, s->cells);
    s->cell_line = weft_array_new(device, WEFT_U32, s->cells);
    weft_for_each(device, s->cells, grid_cell, .key = key, .set_start = s->set_start,
                  .cell_set = s->cell_set, .line = s->cell_line, .cell_x = s->cell_x);
}

/* The same by few work-items: a block at a time. */
static void make_sets_by_blocks(weft_device *device, grid_keys_arrays key, grid_sets *s) {
    const i64 blocks = (s->points + SETS_BLOCK - 1) / SETS_BLOCK;
    u64 all = 0;
    weft_scope_open(device);
    const weft_array upto = weft_scratch(device, WEFT_U64, blocks);
    weft_for_each(device, blocks, sets_count, .key = key, .count = upto);
    weft_scan(device, upto, weft_plus(WEFT_U64), WEFT_INCLUSIVE, upto);
    weft_read(device, weft_slice(device, upto, blocks - 1, 1), &all);
    s->sets = (i64)(u32)all;
    s->cells = (i64)(all >> 32);
    s->set_start = weft_array_new(device, WEFT_U32, s->sets + 1);
    s->set_sub = weft_array_new(device, WEFT_U8, s->sets);
    s->cell_set = weft_array_new(device, WEFT_U32, s->cells + 1);
    s->cell_x = weft_array_new(device, WEFT_U32, s->cells);
    s->cell_line = weft_array_new(device, WEFT_U32, s->cells);
    weft_for_each(device, blocks, sets_write, .key = key, .upto = upto,
                  .set_start = s->set_start, .set_sub = s->set_sub, .cell_set = s->cell_set,
                  .cell_line = s->cell_line, .cell_x = s->cell_x);
    weft_scope_close(device);
}

void grid_find_starts(weft_device *device, grid_sets *s) {
    if (s->cell_start.type != 0)
        return;
    s->cell_start = weft_array_new(device, WEFT_U32, s->cells + 1);
    weft_gather(device, s->set_start, s->cell_set, s->cell_start);
}

void grid_find_rows(weft_device *device, grid_sets *s) {
    if (s->cell_row.type != 0)
        return;
    const weft_array begins = weft_lazy(s->cells, points_begins, .key = s->cell_line);
    s->rows = starts(device, begins, s->cells, &s->row_cell);
    if (s->row_key.type == 0) {
        s->row_key = weft_array_new(device, WEFT_U64, s->rows);
        weft_copy_if(device, weft_lazy(s->cells, grid_line_key, .line = s->cell_line),
                     begins, s->row_key, NULL);
    }
    s->cell_row = weft_array_new(device, WEFT_U32, s->cells);
    weft_scan(device, begins, weft_plus(WEFT_U32), WEFT_INCLUSIVE, s->cell_row);
    weft_transform(device, s->cells, s->cell_row, grid_row_of, .ordinal = s->cell_row);
}

/* Keys that fit one number. */
static weft_array make_keys(weft_device *device, const grid *g, const points_words *words,
                            weft_array order, i32 wide) {
    const i64 n = order.length, block = tuning_of(device)->grid_block;
    const weft_array key = weft_scratch(device, wide ? WEFT_U64 : WEFT_U32, n);
    if (wide)
        weft_for_each(device, n, grid_key, .g = *g, .at = *words, .order = order,
                      .key = key);
    else
        weft_for_each(device, (n + block - 1) / block, grid_narrow_keys, .g = *g, .n = n,
                      .block = block, .at = *words, .key = key);
    return key;
}

/* Sorts by rows, numbers those that there are, and sorts within them. */
static weft_array sort_rows(weft_device *device, const grid *g, const points_words *words,
                            weft_array order, grid_sets *s) {
    const i64 n = order.length;
    const weft_array key = weft_scratch(device, WEFT_U64, n);
    weft_scope_open(device);
    const weft_array row = weft_scratch(device, WEFT_U64, n);
    const weft_array ordinal = weft_scratch(device, WEFT_U32, n);
    weft_for_each(device, n, grid_key_row, .g = *g, .at = *words, .order = order,
                  .row = row);
    weft_sort_by_key(device, row, order, WEFT_ASCENDING);
    const weft_array begins = weft_lazy(n, grid_begins_row, .row = row);
    i64 rows = 0;
    weft_count_if(device, begins, &rows);
    s->row_key = weft_array_new(device, WEFT_U64, rows);
    weft_copy_if(device, row, begins, s->row_key, NULL);
    weft_scan(device, begins, weft_plus(WEFT_U32), WEFT_INCLUSIVE, ordinal);
    weft_for_each(device, n, grid_key, .g = *g, .at = *words, .order = order,
                  .ordinal = ordinal, .key = key);
    weft_sort_by_key(device, key, order, WEFT_ASCENDING);
    weft_scope_close(device);
    return key;
}

void grid_make_room(weft_device *device, i64 count, i32 wide) {
    weft_scope_open(device);
    weft_scratch(device, WEFT_U32, count * (wide ? 3 : 2));
    weft_scope_close(device);
}

grid_sets grid_sort(weft_device *device, const grid *g, const points_words *words,
                    i64 count, weft_array chosen, weft_array key) {
    grid_sets s = {.points = count};
    const i32 wide = chosen.type != 0 || !grid_keys_narrow(g);
    weft_scope_open(device);
    if (key.type == 0)
        grid_make_room(device, count, wide);
    const weft_array order = chosen.type != 0 ? weft_scratch(device, WEFT_U32, count)
                                              : points_numbers(device, count);
    if (chosen.type != 0)
        weft_copy(device, chosen, order);
    if (g->long_keys) {
        key = sort_rows(device, g, words, order, &s);
    } else {
        if (key.type == 0)
            key = make_keys(device, g, words, order, wide);
        weft_sort_bits(device, key, order, WEFT_ASCENDING, 0, bits_of(grid_key_count(g)));
    }
    s.point = weft_array_new(device, WEFT_STRUCT(grid_point), count);
    weft_for_each(device, count, grid_gather, .g = *g, .count = count, .at = *words,
                  .order = order, .point = s.point);
    const grid_keys_arrays sorted = {count, g->cells[0], wide, g->bits,
                                     weft_as(device, key, WEFT_U32)};
    if (weft_device_style(device) == WEFT_SIMD && count > 0)
        make_sets_by_blocks(device, sorted, &s);
    else
        make_sets(device, sorted, &s);
    weft_scope_close(device);
    return s;
}

void grid_free_map(weft_device *device, grid_sets *sets) {
    weft_array_free(device, sets->bits);
    weft_array_free(device, sets->word_cell);
    sets->pitch = 0;
    sets->bits = sets->word_cell = (weft_array){0};
}

void grid_free(weft_device *device, grid_sets *sets) {
    grid_free_map(device, sets);
    weft_array_free(device, sets->point);
    weft_array_free(device, sets->set_start);
    weft_array_free(device, sets->set_sub);
    weft_array_free(device, sets->cell_set);
    weft_array_free(device, sets->cell_x);
    weft_array_free(device, sets->cell_line);
    weft_array_free(device, sets->cell_start);
    weft_array_free(device, sets->row_key);
    weft_array_free(device, sets->row_cell);
    weft_array_free(device, sets->cell_row);
    weft_array_free(device, sets->line_cell);
    weft_array_free(device, sets->line_point);
    *sets = (grid_sets){0};
}
