#include "cells.h"
#include "algorithms/points/arguments.h"

#include <stdlib.h>

void cells_check(weft_device *device, const char *what, const weft_fof_options *options) {
    if (arguments_given(device, what, "options", options) &&
        arguments_known(device, what, "options", options->reserved,
                        sizeof options->reserved))
        friends_check(device, what, "linking length", options->linking_length,
                      options->box);
}

weft_cells *cells_new(weft_device *device, const char *what, const points_words *words,
                      i64 count, const weft_fof_options *options, enum grid_periods periods,
                      weft_array chosen) {
    points_words places;
    points_box bounds;
    weft_array key = {0};
    weft_scope_open(device);
    const friends_view_arrays friends =
        friends_choose(device, what, words, count, options->linking_length, options->box,
                       periods, &places, &bounds, chosen.type != 0 ? NULL : &key);
    weft_cells *cells = weft_check(device) == WEFT_OK ? malloc(sizeof *cells) : NULL;
    if (cells) {
        const i64 chosen_count = chosen.type != 0 ? chosen.length : count;
        *cells = (weft_cells){.options = *options, .friends = friends, .bounds = bounds};
        cells->sets =
            grid_sort(device, &friends.rule.g, &places, chosen_count, chosen, key);
    } else if (weft_check(device) == WEFT_OK) {
        weft_fail(device, WEFT_E_MEMORY, "%s: out of memory: %zu bytes for the cells", what,
                  sizeof *cells);
    }
    weft_scope_close(device);
    if (weft_check(device) == WEFT_OK)
        return cells;
    weft_cells_free(device, cells);
    return NULL;
}

weft_cells *cells_kept(weft_device *device, const char *what, const points_words *words,
                       i64 count, const weft_fof_options *options, weft_cells *cells) {
    if (!cells || weft_check(device) != WEFT_OK)
        return NULL;
    int same = cells->sets.points == count &&
               cells->options.linking_length == options->linking_length;
    for (int k = 0; k < 3; k++)
        same &= cells->options.box[k] == options->box[k];
    if (same) {
        cells->friends =
            (friends_view_arrays){cells->friends.rule, words->x, words->y, words->z};
        return cells;
    }
    weft_fail(device, WEFT_E_ARGUMENT,
              "%s: the cells are of %lld particles and linking length %g, not of %lld and "
              "%g, or of another box",
              what, (long long)cells->sets.points, cells->options.linking_length,
              (long long)count, options->linking_length);
    return NULL;
}

void weft_cells_free(weft_device *device, weft_cells *cells) {
    if (cells)
        grid_free(device, &cells->sets);
    free(cells);
}
