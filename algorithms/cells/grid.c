#include "grid.h"
#include "periods.h"
#include "sets.kernel.h"
#include "algorithms/tuning.h"
#include "algorithms/points/gaps.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_BUNDLE(grid_keys, (value, i32, wide), (value, i32, bits), (in, u32, word, 0))
WEFT_KERNEL(grid_key, (value, grid, g), (bundle, points_coordinates, at), (in, u32, order),
            (optional, u32, ordinal), (out, u64, key))
WEFT_KERNEL(grid_narrow_keys, (value, grid, g), (value, i64, n), (value, i64, block),
            (bundle, points_coordinates, at), (out, u32, key, 0))
WEFT_KERNEL(grid_key_row, (value, grid, g), (bundle, points_coordinates, at),
            (in, u32, order), (out, u64, row))
WEFT_KERNEL(grid_gather, (value, grid, g), (value, i64, count),
            (bundle, points_coordinates, at), (in, u32, order), (out, grid_point, point))
WEFT_KERNEL(grid_wrap, (value, i64, stride), (value, i32, wide), (value, f64, box),
            (in, u32, words, 0), (out, f64, at))
WEFT_GENERATOR(points_begins, u32, (in, u32, key))
WEFT_GENERATOR(grid_begins_row, u32, (in, u64, row))
WEFT_GENERATOR(grid_begins_set, u32, (bundle, grid_keys, key))
WEFT_GENERATOR(grid_begins_cell, u32, (bundle, grid_keys, key), (in, u32, set_start))
WEFT_GENERATOR(grid_line_key, u64, (in, u32, line))
WEFT_GENERATOR(grid_row_of, u32, (in, u32, ordinal))
WEFT_KERNEL(grid_set_sub, (bundle, grid_keys, key), (in, u32, set_start),
            (out, u8, set_sub))
WEFT_KERNEL(grid_cell, (bundle, grid_keys, key), (value, u64, width),
            (in, u32, set_start, 0), (in, u32, cell_set), (out, u32, line),
            (out, u32, cell_x))

WEFT_BUNDLE(sets_keys, (value, i64, n), (value, i64, width), (value, i32, wide),
            (value, i32, bits), (in, u32, word, 0))
WEFT_KERNEL(sets_count, (bundle, sets_keys, key), (out, u64, count))
WEFT_KERNEL(sets_write, (bundle, sets_keys, key), (in, u64, upto),
            (inout, u32, set_start, 0), (inout, u8, set_sub, 0), (inout, u32, cell_set, 0),
            (inout, u32, cell_line, 0), (inout, u32, cell_x, 0))

/* Cells are wider than the length by this, so that rounding in a cell's number never parts
 * friends by more than one cell. */
static const f64 margin = 1e-4;

/* Cells along an axis beyond which offsets lose their sharpness. */
static const f64 most_cells = 0x1p31;
enum { KEY_BITS = 60 };

static f64 extent_of(const points_box *bounds, const f64 box[3], int axis) {
    return box[axis] > 0 ? box[axis] : bounds->high[axis] - bounds->low[axis];
}

/* How far a difference across the wrap may be off for being rounded before the remainder is
 * taken; see weft_fof for where it exceeds the length itself. */
static f64 blur_of(const points_box *bounds, const f64 period[3], f64 length) {
    f64 blur = 0;
    for (int k = 0; k < 3; k++) {
        const f64 extent = bounds->high[k] - bounds->low[k];
        if (period[k] > 0 && extent > period[k] / 2)
            blur = fmax(blur, 0x1p-53 * extent);
    }
    return blur < length / 64 ? blur : 0;
}

/* Coordinates for cells, in their periods; or, where `length` is above 0, with stretches
 * without particles cut short. Scratch of the open scope. */
static points_words place(weft_device *device, const points_words *words, i64 count,
                          f64 length, f64 box[3]) {
    const weft_array from[3] = {words->x, words->y, words->z};
    weft_array to[3];
    for (int k = 0; k < 3; k++) {
        const weft_array axis = weft_scratch(device, WEFT_F64, count);
        if (length > 0)
            gaps_cut(device, from[k], words->stride, words->wide, count, length, &box[k],
                     axis);
        else
            weft_for_each(device, count, grid_wrap, .stride = words->stride,
                          .wide = words->wide, .box = box[k], .words = from[k], .at = axis);
        to[k] = weft_as(device, axis, WEFT_U32);
    }
    return (points_words){to[0], to[1], to[2], 1, 1};
}

/* Whether all positions lie in their periods, but for less than cells have to spare. */
static int is_wrapped(const points_box *bounds, const f64 box[3], f64 slack) {
    int all = 1;
    for (int k = 0; k < 3; k++)
        all &= !(box[k] > 0) ||
               (bounds->low[k] >= -slack && bounds->high[k] <= box[k] + slack);
    return all;
}

/* Whether cells of the whole would be so many that no map of them pays (see
 * stencil_make_map). */
static int is_wide(const points_box *bounds, const f64 box[3], f64 least, i64 count) {
    f64 cells = 1;
    for (int k = 0; k < 3; k++)
        cells *= fmax(extent_of(bounds, box, k) / least, 1);
    return cells > 160 * (f64)count;
}

/* A row of the map has two bits more than cells (map.kernel.h). Up to a hundredth fewer
 * cells may spare each row a word: at 0.2 of the mean separation of 2^k particles along an
 * axis, one does. */
static f64 spare_word(f64 cells) {
    const f64 over = fmod(cells + 2, 64);
    return 100 * over <= cells ? cells - over : cells;
}

grid grid_choose(weft_device *device, const char *what, points_words *words, i64 count,
                 f64 length, const f64 period[3], enum grid_periods periods, f64 *error,
                 points_box *given) {
    f64 box[3] = {period[0], period[1], period[2]}, total = 1;
    points_box bounds = *given = points_bounds(device, what, words, count);
    const f64 blur = blur_of(&bounds, period, length), reach = length + 2 * blur;
    const f64 least = reach * (1 + margin);
    int long_axis = 0;
    for (int k = 0; k < 3; k++)
        long_axis |= !(extent_of(&bounds, box, k) / least < most_cells);
    if (long_axis && weft_check(device) == WEFT_OK) {
        *words = place(device, words, count, reach, box);
        bounds = points_bounds(device, what, words, count);
    }
    if (!is_wrapped(&bounds, box, length * margin / 4) && weft_check(device) == WEFT_OK) {
        *words = place(device, words, count, 0, box);
        bounds = points_bounds(device, what, words, count);
    }
    const f64 closed[3] = {box[0], box[1], box[2]};
    if (periods == GRID_OPEN && is_wide(&bounds, box, least, count))
        periods_open(device, what, words, count, 2 * least, box, &bounds);
    grid g = {.bits = length < 1e-150 ? 2 : 1};
    *error = 2 * blur / length;
    f64 widest = 0;
    for (int k = 0; k < 3; k++) {
        const f64 extent = extent_of(&bounds, box, k);
        const f64 fit = floor(extent / least) + (box[k] > 0 ? 0 : 1);
        const f64 most = fmin(fmax(fit, 1), 0x1p40);
        const f64 cells = k == 0 && box[k] > 0 ? spare_word(most) : most;
        g.box[k] = box[k];
        g.low[k] = box[k] > 0 ? 0 : bounds.low[k];
        total *= cells;
        g.cells[k] = (i64)cells;
        g.side[k] = box[k] > 0 ? extent / cells : least;
        g.inverse_side[k] = 1 / g.side[k];
        g.units[k] = box[k] > 0 ? 0x1p32 / box[k] * fmax(ceil(0x1p-8 * box[k] / length), 1)
                                : 0x1p24 / length;
        widest = fmax(widest, fmax(extent, closed[k]));
        /* Half a side times the square root of 3 must stay below the length. */
        if (g.side[k] > 1.12 * length)
            g.bits = 2;
    }
    *error += 8 * 0x1p-53 * widest / length;
    g.long_keys = !(total < (f64)((i64)1 << (KEY_BITS - 3 * g.bits)) &&
                    (f64)g.cells[1] * (f64)g.cells[2] < 0x1p32);
    return g;
}

static i64 key_count(const grid *g) {
    return (g->cells[0] * g->cells[1] * g->cells[2]) << 3 * g->bits;
}

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
static void make_sets(weft_device *device, const grid *g, grid_keys_arrays key,
                      grid_sets *s) {
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
    weft_for_each(device, s->cells, grid_cell, .key = key, .width = (u64)g->cells[0],
                  .set_start = s->set_start, .cell_set = s->cell_set, .line = s->cell_line,
                  .cell_x = s->cell_x);
}

/* The same by few work-items: a block at a time. */
static void make_sets_by_blocks(weft_device *device, const grid *g, weft_array word,
                                i32 wide, grid_sets *s) {
    const sets_keys_arrays key = {s->points, g->cells[0], wide, g->bits, word};
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

/* Sorts by keys that fit one number. */
static weft_array sort_keys(weft_device *device, const grid *g, const points_words *words,
                            weft_array order, i32 wide) {
    const i64 n = order.length, block = tuning_of(device)->grid_block;
    const weft_array key = weft_scratch(device, wide ? WEFT_U64 : WEFT_U32, n);
    if (wide)
        weft_for_each(device, n, grid_key, .g = *g, .at = *words, .order = order,
                      .key = key);
    else
        weft_for_each(device, (n + block - 1) / block, grid_narrow_keys, .g = *g, .n = n,
                      .block = block, .at = *words, .key = key);
    weft_sort_bits(device, key, order, WEFT_ASCENDING, 0, bits_of(key_count(g)));
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

/* Memory for the numbers and keys of all, side by side: once they are free it is one piece,
 * which what comes after the cells has a use for. */
static void make_room(weft_device *device, i64 count, i32 wide) {
    weft_scope_open(device);
    weft_scratch(device, WEFT_U32, count * (wide ? 3 : 2));
    weft_scope_close(device);
}

grid_sets grid_sort(weft_device *device, const grid *g, const points_words *words,
                    i64 count, weft_array chosen) {
    grid_sets s = {.points = count};
    const i32 wide = g->long_keys || chosen.type != 0 || key_count(g) > (i64)UINT32_MAX;
    weft_scope_open(device);
    make_room(device, count, wide);
    const weft_array order = chosen.type != 0 ? weft_scratch(device, WEFT_U32, count)
                                              : points_numbers(device, count);
    if (chosen.type != 0)
        weft_copy(device, chosen, order);
    const weft_array key = g->long_keys ? sort_rows(device, g, words, order, &s)
                                        : sort_keys(device, g, words, order, wide);
    s.point = weft_array_new(device, WEFT_STRUCT(grid_point), count);
    weft_for_each(device, count, grid_gather, .g = *g, .count = count, .at = *words,
                  .order = order, .point = s.point);
    const weft_array word = weft_as(device, key, WEFT_U32);
    if (weft_device_style(device) == WEFT_SIMD && count > 0)
        make_sets_by_blocks(device, g, word, wide, &s);
    else
        make_sets(device, g, (grid_keys_arrays){wide, g->bits, word}, &s);
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
    *sets = (grid_sets){0};
}
