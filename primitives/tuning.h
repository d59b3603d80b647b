/* What suits a style of device, as it was measured: see tuning.c. */
#ifndef WEFT_PRIMITIVES_TUNING_H
#define WEFT_PRIMITIVES_TUNING_H

#include "weft/device.h"
#include "weft/short_names.h"

typedef struct weft_tuning {
    /* Elements that one work-item looks at. With 1 neighbours read side by side. */
    i64 count, compare, select, merge, scatter, expand;
    i64 each; /* so many indices or flags are kept until all have used them */
    /* At most so many are asked at once whether one is among them; so many at first, which
     * is: 0, whether; else, where. */
    i64 find, find_first;
    i64 order_block, order_part; /* own orders: what is sorted, and merged, at a time */
    i64 sets, sets_at_once;      /* parts of a set operation, and how many side by side */
    i64 segments_few;            /* so many keys look at all others of their segments */
    i64 scatter_alone;           /* so many go through one work-item, */
    i64 extreme;        /* and no fewer are told apart at once (1: each for itself), */
    i64 extreme_blocks; /* in at most so many blocks */
    /* Bytes all over which elements are asked for ahead; 0: never. */
    i64 gather_far, scatter_far;

    int gather_by_copy;   /* as a copy of a generator, with several reads under way */
    int heads_unmasked;   /* reads of keys without a condition, which may overlap */
    int histogram_rows;   /* a row of counts for each chunk of elements, */
    i64 histogram_shared; /* else so many rows, which work-items share, */
    i64 histogram_table;  /* of at most so many counts in all */
    /* Chunks: of no fewer elements, and of so many for each count of a row; at most so many
     * chunks; rows of no more counts are made several times, so that counts wait less. */
    i64 histogram_alone; /* so many elements are one work-item's, however many counts */
    i64 histogram_chunk, histogram_each, histogram_chunks, histogram_copied;

    /* Searches: so few queries have a work-item each, and random ones, unless it is 0;
     * groups of queries side by side for each work-item else; bytes of sorted elements
     * that a cache may hold; and where there are more, how many random queries are worth
     * sorting, and how many are sorted at a time. */
    i64 search_alone, search_groups, search_cached, search_least, search_most;
} weft_tuning;

const weft_tuning *weft_tuning_of(const weft_device *device);

#endif
