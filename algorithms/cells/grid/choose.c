/* Which grid: its cells, and the coordinates that place particles in them. */
#include "grid.h"
#include "periods.h"
#include "algorithms/tuning.h"
#include "algorithms/points/gaps.h"
#include "weft/transform.h"

WEFT_KERNEL(grid_wrap, (value, i64, stride), (value, i32, wide), (value, f64, box),
            (in, u32, words, 0), (out, f64, at))
WEFT_KERNEL(grid_bound_keys, (value, grid, g), (value, i64, n), (value, i64, block),
            (value, points_box, empty), (bundle, points_coordinates, at),
            (out, points_box, out), (out, u32, key, 0))

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

/* The grid of particles that lie so, on closed axes anywhere. Cells are at least so wide.
 */
static grid grid_of(const points_box *bounds, const f64 box[3], f64 length, f64 least) {
    grid g = {.bits = length < 1e-150 ? 2 : 1};
    f64 total = 1;
    for (int k = 0; k < 3; k++) {
        const f64 extent = extent_of(bounds, box, k);
        const f64 fit = floor(extent / least) + (box[k] > 0 ? 0 : 1);
        const f64 most = fmin(fmax(fit, 1), 0x1p40);
        const f64 cells = k == 0 && box[k] > 0 ? spare_word(most) : most;
        g.box[k] = box[k];
        g.low[k] = box[k] > 0 ? 0 : bounds->low[k];
        total *= cells;
        g.cells[k] = (i64)cells;
        g.side[k] = box[k] > 0 ? extent / cells : least;
        g.inverse_side[k] = 1 / g.side[k];
        g.units[k] = box[k] > 0 ? 0x1p32 / box[k] * fmax(ceil(0x1p-8 * box[k] / length), 1)
                                : 0x1p24 / length;
        /* Half a side times the square root of 3 must stay below the length. */
        if (g.side[k] > 1.12 * length)
            g.bits = 2;
    }
    g.long_keys = !(total < (f64)((i64)1 << (KEY_BITS - 3 * g.bits)) &&
                    (f64)g.cells[1] * (f64)g.cells[2] < 0x1p32);
    return g;
}

/* A guess of where particles lie on open axes, from some of them, with room for those that
 * were not looked at. Returns 0 where that would make far more cells, or there may be
 * coordinates that are not finite. */
static int guess_open(weft_device *device, const points_words *words, i64 count,
                      const f64 period[3], f64 least, points_box *whole) {
    enum { WORTH = 1 << 13, CELLS = 64 };
    if (count < WORTH)
        return 0;
    const points_box some = points_sample(device, words, count);
    int known = weft_check(device) == WEFT_OK && some.bad >= count;
    for (int k = 0; k < 3 && known; k++)
        if (!(period[k] > 0)) {
            const f64 extent = some.high[k] - some.low[k], room = fmax(extent / 128, least);
            known = extent >= CELLS * least;
            whole->low[k] = some.low[k] - room;
            whole->high[k] = some.high[k] + room;
        }
    return known;
}

/* The grid that comes out if all particles lie in their periods and these stay closed, as
 * they mostly do, and on open axes in *whole; 0: it says nothing, or its keys are wide. */
static int guess_grid(weft_device *device, const points_words *words, i64 count, f64 length,
                      const f64 period[3], enum grid_periods periods, points_box *whole,
                      grid *g) {
    *whole = (points_box){{0, 0, 0}, {period[0], period[1], period[2]}, 0};
    const f64 least = (length + 2 * blur_of(whole, period, length)) * (1 + margin);
    const int closed = period[0] > 0 && period[1] > 0 && period[2] > 0;
    if (weft_device_style(device) == WEFT_SIMT ||
        (!closed && !guess_open(device, words, count, period, least, whole)) ||
        (periods == GRID_OPEN && is_wide(whole, period, least, count)))
        return 0;
    *g = grid_of(whole, period, length, least);
    return grid_keys_narrow(g);
}

/* Whether a grid that was guessed is as good as the one that came out: the same on closed
 * axes, and around all particles on open ones. */
static int serves(const grid *guess, const points_box *whole, const grid *g,
                  const points_box *bounds) {
    int all = guess->bits == g->bits && !g->long_keys;
    for (int k = 0; k < 3; k++) {
        all &= guess->box[k] == g->box[k];
        if (g->box[k] > 0)
            all &= guess->cells[k] == g->cells[k];
        else
            all &= guess->side[k] >= g->side[k] && whole->low[k] <= bounds->low[k] &&
                   bounds->high[k] <= whole->high[k];
    }
    return all;
}

/* The box around all particles, and the keys that they have in this grid: they are read
 * once for both. */
static points_box bound_keys(weft_device *device, const char *what,
                             const points_words *words, i64 count, const grid *g,
                             weft_array *key) {
    const i64 block = tuning_of(device)->grid_block;
    grid_make_room(device, count, 0);
    *key = weft_scratch(device, WEFT_U32, count);
    weft_scope_open(device);
    const weft_array part =
        weft_scratch(device, WEFT_STRUCT(points_box), (count + block - 1) / block);
    weft_for_each(device, part.length, grid_bound_keys, .g = *g, .n = count, .block = block,
                  .empty = points_empty(), .at = *words, .out = part, .key = *key);
    const points_box box = points_around(device, what, part, count);
    weft_scope_close(device);
    return box;
}

grid grid_choose(weft_device *device, const char *what, points_words *words, i64 count,
                 f64 length, const f64 period[3], enum grid_periods periods, f64 *error,
                 points_box *given, weft_array *key) {
    f64 box[3] = {period[0], period[1], period[2]}, widest = 0;
    grid guess = {.bits = 0};
    points_box whole;
    const int guessed =
        key && guess_grid(device, words, count, length, period, periods, &whole, &guess);
    const weft_array before = words->x;
    points_box bounds = *given = guessed
                                     ? bound_keys(device, what, words, count, &guess, key)
                                     : points_bounds(device, what, words, count);
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
    f64 from[3] = {0, 0, 0}, turn[3] = {0, 0, 0};
    if (periods == GRID_OPEN && is_wide(&bounds, box, least, count))
        periods_open(device, what, words, count, 2 * least, box, &bounds, from, turn);
    grid g = grid_of(&bounds, box, length, least);
    memcpy(g.from, from, sizeof g.from);
    memcpy(g.turn, turn, sizeof g.turn);
    g.turns = turn[0] > 0 || turn[1] > 0 || turn[2] > 0;
    if (guessed && !g.turns && words->x.buffer == before.buffer &&
        serves(&guess, &whole, &g, &bounds)) {
        g = guess;
        bounds = whole;
    } else if (guessed) {
        *key = (weft_array){0};
    }
    for (int k = 0; k < 3; k++)
        widest = fmax(widest, fmax(extent_of(&bounds, box, k), closed[k]));
    *error = 2 * blur / length + 8 * 0x1p-53 * widest / length;
    return g;
}
