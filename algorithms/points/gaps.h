/* Coordinates for cells where an axis is so long, in linking lengths, that its cells could
 * not be numbered: stretches without particles are cut to two cells. Particles within a
 * linking length of each other stay where they are to each other; others stay apart. */
#ifndef WEFT_ALGORITHMS_GAPS_H
#define WEFT_ALGORITHMS_GAPS_H

#include "points.h"

/* Writes the new coordinates of an axis to out [count] f64. *box: the period, or 0; it
 * becomes 0 where the axis has a gap to be cut at. length > 0.
 * Cost: a sort of the coordinates. */
void gaps_cut(weft_device *device, weft_array words, i64 stride, i32 wide, i64 count,
              f64 length, f64 *box, weft_array out);

#endif
