/* Each element as often as its count says. The way goes through the counts of a block and
 * then through what they make, block after block; a work-item has `size` steps of it, and
 * so about as much to read and to write as any other.
 *
 * A run is begun by so many elements as a vector holds, whatever its length: what is too
 * much, the next ones write over. Only longer runs are asked where they end. */
#ifndef WEFT_EXPAND_KERNEL_H
#define WEFT_EXPAND_KERNEL_H

#include "primitives/parts.kernel.h"

/* The block after the last is empty, so that its place is the sum of all. */
static inline i64 expand_sum(index_t b, i64 length, u32 block, GLOBAL const u32 *counts) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    const index_t count = left < (index_t)block ? left : (index_t)block;
    i64 sum = 0;
    for (index_t k = 0; k < count; k++)
        sum += counts[first + k];
    return sum;
}

/* What all kernels here take. */
typedef struct expand_blocks {
    i64 blocks, size, room;
    u32 block;
    GLOBAL const u32 *counts;
    GLOBAL const i64 *places;
} expand_blocks;

/* A work-item's part: elements [from, to) are written, and the first source to look at
 * begins at `at`. */
typedef struct expand_part {
    index_t source;
    i64 at, from, to;
} expand_part;

/* Where block b begins on the way. */
static inline i64 expand_begin(expand_blocks e, index_t b) {
    return (i64)b * e.block + e.places[b];
}

/* The element that a step of block b's part of the way stands before. */
static inline i64 expand_element(expand_blocks e, index_t b, i64 step) {
    const i64 past = step - ((i64)b + 1) * e.block;
    const i64 element = min(max(past, e.places[b]), e.places[b + 1]);
    return min(element, e.room);
}

static inline expand_part expand_part_of(expand_blocks e, index_t w) {
    const i64 first = (i64)w * e.size, last = first + e.size;
    index_t b = 0;
    for (index_t left = (index_t)e.blocks; left > 1;) {
        const index_t step = left / 2;
        if (expand_begin(e, b + step) <= first) {
            b += step;
            left -= step;
        } else {
            left = step;
        }
    }
    expand_part part = {b * (index_t)e.block, e.places[b], expand_element(e, b, first), 0};
    while (b + 1 < (index_t)e.blocks && expand_begin(e, b + 1) <= last)
        b++;
    part.to = expand_element(e, b, last);
    return part;
}

/* Elements ahead of those at work that are asked for, what is written included: where a
 * page ends, processors stop reading ahead by themselves. */
enum { EXPAND_AHEAD = 1024 };

#pragma weft for T : WIDE in u8 : 16 u16 : 16 u32 : 16 u64 : 8
/* From source i on, whose elements begin at *at, as long as four at a time have short runs,
 * all of which fit before element `to`: without a question for each. Not in the last block,
 * which may have fewer sources. */
static inline index_t expand_fours_T(expand_blocks e, i64 to, GLOBAL const T *in,
                                     GLOBAL T *out, index_t i, i64 *at) {
    const index_t last = ((index_t)e.blocks - 1) * (index_t)e.block - 4;
    i64 k = *at;
    while (i <= last && k + 4 * WIDE <= to) {
        GLOBAL const u32 *counts = e.counts + i;
        if ((counts[0] | counts[1] | counts[2] | counts[3]) >= WIDE)
            break;
        prefetch(counts + EXPAND_AHEAD, 1);
        prefetch(in + i + EXPAND_AHEAD, 1);
        prefetch(out + (index_t)k + EXPAND_AHEAD, 1);
        for (index_t four = 0; four < 4; four++) {
            const T value = in[i + four];
            for (index_t j = 0; j < WIDE; j++)
                out[(index_t)k + j] = value;
            k += counts[four];
        }
        i += 4;
    }
    *at = k;
    return i;
}
static inline void expand_T(index_t w, expand_blocks e, GLOBAL const T *in, GLOBAL T *out,
                            u32 parts) {
    const expand_part part = expand_part_of(e, w);
    const i64 whole = part.to - WIDE;
    i64 at = part.at;
    (void)parts;
    for (index_t i = part.source; at < part.to; i++) {
        const T value = in[i];
        const i64 next = at + e.counts[i];
        index_t k = (index_t)max(at, part.from);
        if (k <= whole) {
            for (index_t j = 0; j < WIDE; j++)
                out[k + j] = value;
            k += WIDE;
        }
        if (k < next) {
            const index_t end = (index_t)min(next, part.to);
            for (; k < end; k++)
                out[k] = value;
        }
        at = next;
        if (at >= part.from)
            i = expand_fours_T(e, part.to, in, out, i + 1, &at) - 1;
    }
}
#pragma weft end

#pragma weft for T in words bytes
static inline void expand_T(index_t w, expand_blocks e, GLOBAL const T *in, GLOBAL T *out,
                            u32 parts) {
    const expand_part part = expand_part_of(e, w);
    i64 at = part.at;
    for (index_t i = part.source; at < part.to; i++) {
        const i64 next = at + e.counts[i];
        const index_t end = (index_t)min(next, part.to);
        for (index_t k = (index_t)max(at, part.from); k < end; k++)
            for (u32 p = 0; p < parts; p++)
                out[k * parts + p] = in[i * parts + p];
        at = next;
    }
}
#pragma weft end

/* The same of where elements come from, and of their places in their runs. */
#pragma weft for M : WIDE in u32 : 16 i64 : 8
static inline void expand_sources_M(index_t w, expand_blocks e, GLOBAL M *out) {
    const expand_part part = expand_part_of(e, w);
    const i64 whole = part.to - WIDE;
    i64 at = part.at;
    for (index_t i = part.source; at < part.to; i++) {
        const i64 next = at + e.counts[i];
        index_t k = (index_t)max(at, part.from);
        if (k <= whole) {
            for (index_t j = 0; j < WIDE; j++)
                out[k + j] = (M)i;
            k += WIDE;
        }
        if (k < next) {
            const index_t end = (index_t)min(next, part.to);
            for (; k < end; k++)
                out[k] = (M)i;
        }
        at = next;
    }
}
static inline void expand_places_M(index_t w, expand_blocks e, GLOBAL M *out) {
    const expand_part part = expand_part_of(e, w);
    const i64 whole = part.to - WIDE;
    i64 at = part.at;
    for (index_t i = part.source; at < part.to; i++) {
        const i64 next = at + e.counts[i];
        index_t k = (index_t)max(at, part.from);
        if (k <= whole) {
            for (index_t j = 0; j < WIDE; j++)
                out[k + j] = (M)((i64)(k + j) - at);
            k += WIDE;
        }
        if (k < next) {
            const index_t end = (index_t)min(next, part.to);
            for (; k < end; k++)
                out[k] = (M)((i64)k - at);
        }
        at = next;
    }
}
#pragma weft end

/* The same where each work-item makes one element, as GPUs like it: the blocks in which
 * every `size`-th element begins are found first, and between two of them each finds its
 * own. */

/* The last of blocks [first, last] that begins at element k or before. */
static inline index_t expand_item_block(expand_blocks e, index_t first, index_t last,
                                        i64 k) {
    while (first < last) {
        const index_t middle = last - (last - first) / 2;
        const int before = e.places[middle] <= k;
        first = before ? middle : first;
        last = before ? last : middle - 1;
    }
    return first;
}

/* The block of element c * size. */
static inline i64 expand_item_cut(index_t c, expand_blocks e) {
    return (i64)expand_item_block(e, 0, (index_t)e.blocks - 1, (i64)c * e.size);
}

/* Element k's source, and *rank among those of it; -1 after the last. */
static inline index_t expand_item_source(expand_blocks e, GLOBAL const i64 *cuts, index_t k,
                                         i64 *rank) {
    if ((i64)k >= e.places[e.blocks])
        return -1;
    const index_t c = k / (index_t)e.size;
    const index_t b = expand_item_block(e, (index_t)cuts[c], (index_t)cuts[c + 1], (i64)k);
    index_t i = b * (index_t)e.block;
    i64 left = (i64)k - e.places[b];
    while (left >= (i64)e.counts[i]) {
        left -= e.counts[i];
        i++;
    }
    *rank = left;
    return i;
}

#pragma weft for T in u8 u16 u32 u64
static inline void expand_item_T(index_t k, expand_blocks e, GLOBAL const i64 *cuts,
                                 GLOBAL const T *in, GLOBAL T *out, u32 parts) {
    i64 rank;
    const index_t i = expand_item_source(e, cuts, k, &rank);
    (void)parts;
    if (i >= 0)
        out[k] = in[i];
}
#pragma weft end
#pragma weft for T in words bytes
static inline void expand_item_T(index_t k, expand_blocks e, GLOBAL const i64 *cuts,
                                 GLOBAL const T *in, GLOBAL T *out, u32 parts) {
    i64 rank;
    const index_t i = expand_item_source(e, cuts, k, &rank);
    for (u32 p = 0; i >= 0 && p < parts; p++)
        out[k * parts + p] = in[i * parts + p];
}
#pragma weft end

enum { EXPAND_SOURCES = 1, EXPAND_PLACES = 2 };

/* Either of both arrays, or both. */
#pragma weft for M in u32 i64
static inline void expand_item_numbers_M(index_t k, expand_blocks e, GLOBAL const i64 *cuts,
                                         u32 which, GLOBAL M *sources, GLOBAL M *places) {
    i64 rank;
    const index_t i = expand_item_source(e, cuts, k, &rank);
    if (i >= 0 && which & EXPAND_SOURCES)
        sources[k] = (M)i;
    if (i >= 0 && which & EXPAND_PLACES)
        places[k] = (M)rank;
}
#pragma weft end

#endif
