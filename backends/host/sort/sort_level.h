/* Sorting by distribution: to buckets that fit the cache, and each bucket for itself. */
#ifndef WEFT_BACKENDS_HOST_SORT_LEVEL_H
#define WEFT_BACKENDS_HOST_SORT_LEVEL_H

#include "backends/host/tuning.h"
#include "radix.h"
#include "sort_map.h"

typedef struct sorting {
    weft_device *device;
    const host_crew *crew;
    sort_form form;
    i64 bucket_items; /* at most, to be sorted in the cache */
    char *areas;      /* each thread's own memory, and where in it what lies: */
    size_t area, lines, places, spare, sorted, split; /* (counters come first) */
} sorting;

/* One distribution: of items, or where `from` is NULL of the keys and values themselves. */
typedef struct sort_level {
    const sorting *s;
    char *from, *to;
    i64 first, n;        /* among all keys */
    i64 skew;            /* items by which `to` lies beyond a line's beginning */
    const sort_map *map; /* NULL: buckets are digits, of y from bit `shift` on */
    i32 shift;
    u32 mask;
    int nan_first; /* the last bucket, which NaNs go to, comes first in the order */
    i64 buckets, parts;
    u64 *counts;        /* [parts][buckets]: items, then where they begin */
    u64 *begins, *ends; /* [buckets]: of the items in `to` */
    u64 above;          /* what the items lack in the upper half of y */
} sort_level;

/* Bits of the digit by which n items are distributed, and parts for the threads. */
i32 sort_level_bits(const sort_form *form, i64 n, i32 item_size);
i64 sort_level_parts(const sorting *s, i64 n);

/* Sorts and stores what a level describes. `other` is memory for the largest bucket; NULL:
 * to be taken here where a bucket is too large for the cache. */
void sort_level_run(sort_level *l, char *other);

/* A thread's stream to a level's buckets, of which the places are not told; and items
 * [begin, end) of those to be distributed go there. */
radix_stream sort_level_stream(const sort_level *l, i64 thread);
void sort_level_scatter(const sort_level *l, const radix_stream *stream, i64 begin,
                        i64 end);

/* Sorts items that the cache does not hold, by a level of their own, and stores them as
 * elements [first, first + n). `other` is memory for as many. */
void sort_level_again(const sorting *s, char *items, i64 first, i64 n, u64 above,
                      char *other);

/* Sorts items that lie in the cache, and stores them as elements [first, first + n). */
void sort_items_finish(const sorting *s, char *items, i64 first, i64 n, u64 above,
                       i64 thread);

#endif
