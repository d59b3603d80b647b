#include "friends.h"
#include "algorithms/points/axes.h"

WEFT_KERNEL(friends_rows, (value, grid, g), (value, i64, chunk), (value, i64, rows),
            (value, i64, others), (value, i32, ways), (in, u64, row_key, 0),
            (in, u64, other_key, 0), (inout, u32, neighbour, 0))

/* Shorter lengths square to 0: cells need not be smaller than this. */
static const f64 least_length = 0x1p-537;

/* 2^32 places in a period must be numbers. */
static const f64 least_box = 0x1p-960;

void friends_check(weft_device *device, const char *what, const char *which, f64 length,
                   const f64 box[3]) {
    if (weft_check(device) != WEFT_OK)
        return;
    if (!(length >= 0) || length - length != 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the %s %g is not a finite number of at least 0", what, which,
                  length);
    for (int k = 0; k < 3; k++) {
        if (!(box[k] >= 0) || box[k] - box[k] != 0)
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: the box size %g is not a finite number of at least 0", what,
                      box[k]);
        else if (box[k] > 0 && box[k] < least_box)
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: the box size %g is below %g, the smallest there may be", what,
                      box[k], least_box);
    }
}

/* Squared distances in float between which the decision is left to f64. A coordinate in
 * units is off by at most `error` and, for being cut off, by a unit, which is at most
 * 2^-24: so a difference is off by 2 error + 2 * 2^-24, and near 1 by 2^-24 each for its
 * conversion to f32, the roundings of a unit's length and of their product. Where d2 is
 * near 1, that moves it by less than 2 sqrt(3) times as much, and its own roundings by 5 *
 * 2^-24 more. Twice that, and the filter is certain. */
static void set_filter(friends_rule *rule, f64 length, f64 error) {
    const grid *g = &rule->g;
    const f64 off = 2 * error + 5 * 0x1p-24;
    const f64 margin = 2 * (2 * 1.7321 * off + 5 * 0x1p-24);
    int exact = margin >= 0.5 || length < 1e-150;
    for (int k = 0; k < 3; k++)
        /* Both neighbours of a cell may be the same one: steps cannot tell which. */
        exact |= g->box[k] > 0 && g->cells[k] < 3;
    rule->near = exact ? -1 : (f32)(1 - margin);
    rule->far = exact ? INFINITY : (f32)(1 + margin);
}

friends_view_arrays friends_choose(weft_device *device, const char *what,
                                   const points_words *words, i64 count, f64 length,
                                   const f64 box[3], enum grid_periods periods,
                                   points_words *places, points_box *bounds,
                                   weft_array *key) {
    friends_rule rule = {
        .stride = words->stride, .wide = words->wide, .length2 = length * length};
    const f64 at_least = fmax(length, least_length);
    const weft_array from[3] = {words->x, words->y, words->z};
    const int last = periods == GRID_OPEN ? axes_slowest(device, words, count, box) : 2;
    const int axis[3] = {last == 0 ? 2 : 0, last == 1 ? 2 : 1, last};
    const f64 period[3] = {box[axis[0]], box[axis[1]], box[axis[2]]};
    f64 error = 0;
    points_box given;
    *places = (points_words){from[axis[0]], from[axis[1]], from[axis[2]], words->stride,
                             words->wide};
    rule.g = grid_choose(device, what, places, count, at_least, period, periods, &error,
                         &given, key);
    *bounds = given;
    for (int k = 0; k < 3; k++) {
        bounds->low[axis[k]] = given.low[k];
        bounds->high[axis[k]] = given.high[k];
        rule.box[k] = box[k];
        rule.unit[k] = (f32)(1 / (rule.g.units[k] * at_least));
        rule.side[k] = (f32)(rule.g.side[k] / at_least);
    }
    set_filter(&rule, length, error);
    return (friends_view_arrays){rule, words->x, words->y, words->z};
}

i64 friends_chunk(const weft_device *device, i64 n) {
    const i64 chunk = n / (weft_concurrency(device) * 256);
    return chunk < 1 ? 1 : chunk > 512 ? 512 : chunk;
}

weft_array friends_find_rows(weft_device *device, const grid *g, grid_sets *from,
                             grid_sets *to, i32 ways) {
    grid_find_rows(device, from);
    grid_find_rows(device, to);
    const i64 chunk = friends_chunk(device, from->rows);
    const weft_array neighbour = weft_scratch(device, WEFT_U32, ways * from->rows);
    weft_for_each(device, (from->rows + chunk - 1) / chunk * ways, friends_rows, .g = *g,
                  .chunk = chunk, .rows = from->rows, .others = to->rows, .ways = ways,
                  .row_key = from->row_key, .other_key = to->row_key,
                  .neighbour = neighbour);
    return neighbour;
}
