/* How long segments are, whose `offset` is [segments + 1] i64. What several algorithms ask
 * of them is one OpenCL program. */
#ifndef WEFT_ALGORITHMS_LENGTHS_H
#define WEFT_ALGORITHMS_LENGTHS_H

#include "weft/array.h"
#include "weft/halos.h"
#include "weft/short_names.h"

/* How many bits numbers below n have. */
i32 lengths_bits(i64 n);

/* The length of the longest; 0 of none. */
i64 lengths_most(weft_device *device, i64 segments, weft_array offset);

/* The number of the last that has at least `least` elements, counted from 1; 0: none has.
 */
i64 lengths_last(weft_device *device, i64 segments, weft_array offset, i64 least);

/* The end of a batch: of segment `begin`, and of those after it while all have no more than
 * `most` elements. */
i64 lengths_batch(weft_device *device, i64 segments, weft_array offset, i64 begin,
                  i64 most);

/* Offsets as they are counted from element `first` on: scratch of the open scope. */
weft_array lengths_since(weft_device *device, weft_array offset, i64 first);

/* Offsets of segments [begin, end) as they would be alone, scratch of the open scope; and
 * the first of their elements, and how many there are. */
weft_array lengths_alone(weft_device *device, weft_array offset, i64 begin, i64 end,
                         i64 *first, i64 *elements);

/* Halos [begin, end) as they would be alone, but for their tags; offsets of others than the
 * first are scratch of the open scope. */
weft_halos lengths_halos(weft_device *device, const weft_halos *halos, i64 begin, i64 end);

/* The segment of each element; and, unless rank.type is 0, its place in it: [elements] u32,
 * as weft_expand_sources does. Segments have fewer than 2^32 elements. */
void lengths_expand(weft_device *device, i64 segments, weft_array offset, weft_array of,
                    weft_array rank);

#endif
