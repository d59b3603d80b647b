/* Lengths of segments that lie one after the other: segment s has those elements from
 * number offset[s] on up to where segment s + 1 begins. */
#ifndef WEFT_LENGTHS_KERNEL_H
#define WEFT_LENGTHS_KERNEL_H

#include <weft/kernel.h>

static inline i64 lengths_of(index_t s, GLOBAL const i64 *offset) {
    return offset[s + 1] - offset[s];
}

/* Where that is known to be below 2^32. */
static inline u32 lengths_below(index_t s, GLOBAL const i64 *offset) {
    return (u32)(offset[s + 1] - offset[s]);
}

/* Where a segment begins, counted from element `first` on. */
static inline i64 lengths_begin(index_t s, i64 first, GLOBAL const i64 *offset) {
    return offset[s] - first;
}

/* How many segments there are up to this one, where it is long; and else 0. */
static inline i64 lengths_long(index_t s, i64 least, GLOBAL const i64 *offset) {
    return lengths_of(s, offset) >= least ? (i64)s + 1 : 0;
}

#endif
