/* Blocks over segments that lie one after the other, level by level: leaves of 2^leaf
 * members, and on each level above blocks of 2^fan blocks.
 *
 * Blocks never cross segments, and are counted without a scan: on a level with blocks of
 * 2^bits members, bits = leaf + fan level, segment s owns those from number
 * pyramid_first(offset[s], s, bits) on up to where segment s + 1 begins, which are as many
 * as it needs or one more. A segment's blocks so depend on nothing but the segment. */
#ifndef WEFT_PYRAMID_KERNEL_H
#define WEFT_PYRAMID_KERNEL_H

#include <weft/kernel.h>

/* The first block of a segment, whose first member is number `begin` of all. */
static inline i64 pyramid_first(i64 begin, i64 segment, i64 bits) {
    return (begin >> bits) + segment;
}

/* How many blocks a segment needs. */
static inline i64 pyramid_count(i64 members, i64 bits) {
    return ((members - 1) >> bits) + 1;
}

/* The segment that owns a block: the last one that begins at or before it. */
static inline i64 pyramid_owner(i64 block, i64 segments, i64 bits,
                                GLOBAL const i64 *offset) {
    i64 low = 0, high = segments;
    while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        if (pyramid_first(offset[middle], middle, bits) <= block)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The members [begin, end) of all that a block holds; none where its segment has no use for
 * its last block. */
typedef struct pyramid_range {
    i64 segment, begin, end;
} pyramid_range;

static inline pyramid_range pyramid_range_of(i64 block, i64 segments, i64 bits,
                                             GLOBAL const i64 *offset) {
    const i64 segment = pyramid_owner(block, segments, bits, offset);
    const i64 first = offset[segment], last = offset[segment + 1];
    const i64 begin = first + ((block - pyramid_first(first, segment, bits)) << bits);
    const pyramid_range r = {segment, min(begin, last),
                             min(begin + ((i64)1 << bits), last)};
    return r;
}

/* The segment that element i of all is in; segments may be empty. */
static inline i64 pyramid_segment(i64 i, i64 segments, GLOBAL const i64 *offset) {
    i64 low = 0, high = segments;
    while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        if (offset[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where the first of n numbers is that is at least `least`; n where none is. */
static inline i64 pyramid_search(GLOBAL const u32 *ascending, i64 n, i64 least) {
    i64 low = 0, high = n;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if ((i64)ascending[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
