/* Lists of the tiles within reach of each tile, for gravity_one.kernel.h. */
#ifndef WEFT_ALGORITHMS_GRAVITY_NEAR_H
#define WEFT_ALGORITHMS_GRAVITY_NEAR_H

#include "gravity.h"
#include "gravity_one.kernel.h"

WEFT_BUNDLE(gravity_near_boxes, (in, gravity_near_box, tile, 0),
            (in, gravity_near_box, quarter, 0))
WEFT_BUNDLE(gravity_near_turns, (in, u32, turn, 0), (in, u32, length, 0),
            (in, i64, start, 0), (value, i64, first), (value, i64, longest),
            (value, i32, planes), (in, gravity_near_place, place, 0))

typedef struct gravity_lists {
    gravity_tiles_arrays c;
    gravity_near_boxes_arrays boxes;
    gravity_near_turns_arrays n;
    weft_array list;
    i64 turns;      /* tiles from n.first on, whose lists are there */
    i64 items;      /* work-items that these are for */
    i64 tiles, all; /* and the lengths of all their lists */
} gravity_lists;

/* Whether lists pay, and can tell of as many tiles. */
int gravity_near_pays(weft_device *device, const gravity_tiles_arrays *c);

/* Counts what is near, in scratch of the open scope. Lists will be in `words`, which may be
 * none, or where these are too few in scratch, too. */
gravity_lists gravity_near_begin(weft_device *device, const gravity_tiles_arrays *c,
                                 weft_array words);

/* Writes the next lists; 0 when all were there, or on an error. */
int gravity_near_next(weft_device *device, gravity_lists *near);

#endif
