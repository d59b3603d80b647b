/* Stable distribution of items by digits of their keys. An item is 4, 8 or 16 bytes; its
 * key is its first word (4 or 8 bytes), and `shift` counts from the word's lowest bit. */
#ifndef WEFT_BACKENDS_HOST_RADIX_H
#define WEFT_BACKENDS_HOST_RADIX_H

#include "weft/short_names.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum {
    RADIX_LINE = 128,       /* bytes that a bucket gathers before it writes them out */
    RADIX_DIGIT = 11,       /* the most bits of a digit within the cache */
    RADIX_PASSES = 8,       /* the most digits of a key, */
    RADIX_COUNTS = 1 << 14, /* and counters for all of them */
    RADIX_FEW = 32,         /* items that are sorted by insertion */
    RADIX_CHUNK = 1024,     /* bytes that a bucket takes at a time, if nobody counted, */
    RADIX_CHUNKS = 64       /* and chunks that a thread takes */
};

/* The word of an item; `size` is a constant wherever this is called. */
static inline __attribute__((always_inline)) u64 radix_word(const char *items, i64 i,
                                                            i32 size) {
    u32 word4;
    u64 word8;
    if (size == 4)
        return memcpy(&word4, items + 4 * i, 4), word4;
    return memcpy(&word8, items + size * i, 8), word8;
}

/* Memory that buckets take by chunks, so that nobody need count them first. */
typedef struct radix_chunks {
    _Atomic i64 taken; /* of all chunks */
    u16 *bucket;       /* [chunks]: whose a chunk is, */
    u16 *items;        /* [chunks], zeros at first: and how many it holds */
} radix_chunks;

/* What a thread has taken of them: [next, end). */
typedef struct radix_supply {
    radix_chunks *chunks;
    i64 next, end;
} radix_supply;

/* Items on their way to their buckets in `to`. */
typedef struct radix_stream {
    char *to;             /* aligned to RADIX_LINE */
    radix_supply *supply; /* of chunks; NULL: buckets lie as `start` says */
    const u64 *start;     /* where a bucket's first item goes, */
    u64 *place;           /* and the first of its line, which may come before that one */
    u32 *next;            /* how far into `lines` its next item goes */
    char *lines;          /* RADIX_LINE bytes a bucket, aligned */
    i64 buckets;
    i32 size;   /* of an item */
    i32 shift;  /* where in its key the digit lies that says the bucket, */
    u32 mask;   /* and the digit's bits */
    i32 bypass; /* write around the cache: there is more than it holds */
} radix_stream;

/* Adds up how many digits there are of each value; of items, as their keys say. */
void radix_count(const u16 *digits, i64 n, u64 *counts);
void radix_count_items(const void *items, i64 n, i32 size, i32 shift, u32 mask,
                       u64 *counts);
/* `place` and `next` as `start` says, or a chunk for each bucket. */
void radix_begin(const radix_stream *stream);
/* digits: the items' buckets; NULL: as their keys say. */
void radix_scatter(const radix_stream *stream, const void *items, const u16 *digits, i64 n);
/* Writes out what the lines still hold, and tells it of the chunks. */
void radix_finish(const radix_stream *stream);

/* The bits in which some keys differ from the first. */
u64 radix_varying(const void *items, i64 n, i32 size);

/* Sorts by bits [low, high) of the keys' words, which vary in no bit above. Where the
 * result lies: `items` or `spare`, each [n]. counts: [RADIX_COUNTS].
 * Source: least significant digits first (Knuth, The art of computer programming 3, 5.2.5);
 * of long keys only the first digits, with insertion for the few that agree in them. */
void *radix_sort(void *items, void *spare, i64 n, i32 size, i32 low, i32 high, u32 *counts);

#endif
