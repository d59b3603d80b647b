/* Which axis the particles of the input follow: a simulation that began on a lattice has
 * them by planes of it, as code that numbers places has. */
#ifndef WEFT_ALGORITHMS_AXES_H
#define WEFT_ALGORITHMS_AXES_H

#include "points.h"

/* The axis, 0 to 2, by whose planes cells are to follow each other, so that particles of a
 * few planes lie close together in the input: 2 unless another one changes half as fast
 * from particle to particle, by a look at a few, and they lie about as far apart on both,
 * so that rows of cells stay about as long; `box` are the periods, or 0. */
int axes_slowest(weft_device *device, const points_words *words, i64 count,
                 const f64 box[3]);

#endif
