/* Numbers that were measured, on two cores of a Xeon with AVX-512 and 2 MiB of second-level
 * cache a core: sorts and histograms on 2026-11-21, scans and selections on 2026-11-22.
 * Numbers are of elements unless they say something else. */
#ifndef WEFT_BACKENDS_HOST_TUNING_H
#define WEFT_BACKENDS_HOST_TUNING_H

enum {
    HOST_PORTION_LEAST = 1 << 12, /* of a loop that only reads: what is worth a thread, */
    HOST_PORTION_MOST = 1 << 20,  /*   and what it takes at a time */

    HOST_SCAN_BYTES = 1 << 14, /* of a block, */
    HOST_SCAN_MOST = 1 << 13,
    HOST_SCAN_LONG = 1 << 17, /* bytes of one so long that the processor reads ahead, */
    HOST_SCAN_MANY = 256,     /*   where there are so many blocks */

    HOST_SELECT_BYTES = 1 << 16, /* of a block */
    HOST_SELECT_LEAST = 16,
    HOST_SELECT_FEW = 1 << 13, /* elements, at least, where flags are generated */
    HOST_SELECT_MOST = 1 << 14,

    HOST_HISTOGRAM_COPIES = 8,     /* of a small table: a count rarely waits for another */
    HOST_HISTOGRAM_FEW = 1 << 8,   /* counts that make a small table, */
    HOST_HISTOGRAM_MOST = 1 << 18, /*   and that are no work for tables of one's own */
    HOST_HISTOGRAM_EACH = 16,      /* elements for each count */
    HOST_HISTOGRAM_TILE = 1 << 11, /* counting takes longer than reading: larger tiles */

    HOST_STREAM_BYTES = 16 << 20, /* results that go around the caches, */
    HOST_STREAM_NEAR = 32 << 10,  /*   but for pieces that were just written */

    HOST_SORT_BUCKET = 512 << 10,  /* bytes of a bucket that is sorted in the cache, */
    HOST_SORT_GOAL = 16 << 10,     /*   and this is how large they should be, */
    HOST_SORT_VECTORS = 128 << 10, /* of keys that vectors sort; */
    HOST_SORT_CROWD = 128 << 10,   /*   many larger than this are made anew; */
    HOST_SORT_ALONE = 256 << 10,   /*   so little is one thread's work */
    HOST_SORT_BITS = 12,           /* of a level's digit, at most, */
    HOST_SORT_EACH = 16,           /*   for so many buckets for each thread */
    HOST_SORT_LEAST = 512,         /*   of so many items, */
    HOST_SORT_COUNTS = 1 << 16,    /* values of keys that are counted, at most, */
    HOST_SORT_OFTEN = 16,          /*   where each comes so often */
    HOST_SORT_PART = 1 << 14,      /* items that are worth a thread, */
    HOST_SORT_FEW = 1 << 12        /*   and a part of a level where there are few */
};

#endif
