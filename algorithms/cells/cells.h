/* What weft_fof keeps of its work for those who ask about the same particles. */
#ifndef WEFT_ALGORITHMS_CELLS_H
#define WEFT_ALGORITHMS_CELLS_H

#include "friends.h"
#include "weft/fof.h"

struct weft_cells {
    weft_fof_options options;
    friends_view_arrays friends;
    grid_sets sets;
    points_box bounds; /* of all coordinates */
};

/* Checks the options of a call that looks for friends. */
void cells_check(weft_device *device, const char *what, const weft_fof_options *options);

/* New cells of these particles, at least one: of all, or of those whose indices stand in
 * chosen (else type 0). `what` names the call. NULL after an error. */
weft_cells *cells_new(weft_device *device, const char *what, const points_words *words,
                      i64 count, const weft_fof_options *options, enum grid_periods periods,
                      weft_array chosen);

/* These cells, which weft_fof_cells kept, now of these coordinates; NULL where there are
 * none, and after an error. Errors: WEFT_E_ARGUMENT where they are of another number of
 * particles or another rule. */
weft_cells *cells_kept(weft_device *device, const char *what, const points_words *words,
                       i64 count, const weft_fof_options *options, weft_cells *cells);

#endif
