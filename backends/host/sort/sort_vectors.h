/* Sorting integers within the cache by vectors. */
#ifndef WEFT_BACKENDS_HOST_SORT_VECTORS_H
#define WEFT_BACKENDS_HOST_SORT_VECTORS_H

#include "weft/short_names.h"

/* Whether this processor has the vectors. */
int sort_has_vectors(void);

/* to = n integers of 4 or 8 bytes, unsigned, sorted; `items` and `spare`, each [n], are
 * overwritten. Only where there are such vectors. */
void sort_by_vectors(void *items, void *spare, void *to, i64 n, i32 size);

/* Elements in chunks of one length, each full up to a number of its own. */
typedef struct sort_chunks {
    const char *memory;
    i64 length;       /* bytes of a chunk */
    const u16 *items; /* of every chunk */
    const u32 *chunk; /* those that are sorted: [chunks], */
    i64 chunks;
    const u32 *end;  /* and up to here those that are fetched meanwhile */
    u64 least, most; /* no element is below or above; least > most: not known */
} sort_chunks;

/* The same of the n elements of chunks, which are left as they are. `low` and `high` are
 * each [n] and 64 bytes more. */
void sort_chunks_by_vectors(const sort_chunks *chunks, void *low, void *high, void *to,
                            i64 n, i32 size);

#endif
