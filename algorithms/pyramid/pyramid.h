/* Where the levels of a pyramid lie, one after the other, in arrays of blocks. */
#ifndef WEFT_ALGORITHMS_PYRAMID_H
#define WEFT_ALGORITHMS_PYRAMID_H

#include "pyramid.kernel.h"
#include "weft/array.h"

enum { PYRAMID_MOST_LEVELS = 16 };

typedef struct pyramid {
    i64 levels,
        begin[PYRAMID_MOST_LEVELS + 1]; /* level l: blocks begin[l] to begin[l + 1] */
} pyramid;

/* How many blocks of 2^bits members there are, used or not. */
static inline i64 pyramid_blocks(i64 members, i64 segments, i64 bits) {
    return (members >> bits) + segments;
}

/* Of levels until the longest segment, of `longest` members, needs at most `top` blocks. */
pyramid pyramid_over(i64 members, i64 segments, i64 longest, i64 leaf, i64 fan, i64 top);

static inline i64 pyramid_total(const pyramid *p) {
    return p->begin[p->levels];
}
static inline i64 pyramid_size(const pyramid *p, i64 level) {
    return p->begin[level + 1] - p->begin[level];
}

/* The blocks of a level. */
weft_array pyramid_level(weft_device *device, const pyramid *p, weft_array blocks,
                         i64 level);

/* For kernels: `begin` [levels] i64, scratch. */
weft_array pyramid_begins(weft_device *device, const pyramid *p);

#endif
