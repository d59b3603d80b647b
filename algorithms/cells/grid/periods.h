/* Axes with a period of which particles leave a part empty: theirs need not be closed, so
 * that a domain of a box, or a piece of one, has a grid of its own size. */
#ifndef WEFT_ALGORITHMS_PERIODS_H
#define WEFT_ALGORITHMS_PERIODS_H

#include "algorithms/points/points.h"

/* Opens each axis on which the particles lie at least `gap` apart across some place of its
 * period: box[k] becomes 0, and *bounds that of coordinates that begin after that place,
 * from[k], so that those below it lie turn[k] farther; both are 0 where that is the end of
 * the period, and where the axis stays closed.
 *   box   the periods, or 0; *bounds is where the particles lie
 * Cost: one look at some of them, and where a period is to begin elsewhere, a pass over
 * their coordinates; where some that were not looked at fill such a gap, more. Errors stick
 * to the device. */
void periods_open(weft_device *device, const char *what, const points_words *words,
                  i64 count, f64 gap, f64 box[3], points_box *bounds, f64 from[3],
                  f64 turn[3]);

#endif
