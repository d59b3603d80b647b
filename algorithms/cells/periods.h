/* Axes with a period of which particles leave a part empty: theirs need not be closed, so
 * that a domain of a box, or a piece of one, has a grid of its own size. */
#ifndef WEFT_ALGORITHMS_PERIODS_H
#define WEFT_ALGORITHMS_PERIODS_H

#include "algorithms/points/points.h"

/* Opens each axis on which the particles lie at least `gap` apart across some place of its
 * period: box[k] becomes 0, and *words and *bounds those of coordinates that begin after
 * that place, the same where it is the end of the period, else scratch of the open scope.
 *   box   the periods, or 0; *bounds is where the particles lie
 * Cost: one look at some of them, or where that finds such a gap, by 64ths of a period, two
 * passes over their coordinates. Errors stick to the device. */
void periods_open(weft_device *device, const char *what, points_words *words, i64 count,
                  f64 gap, f64 box[3], points_box *bounds);

#endif
