/* Sorting integers within the cache by vectors. */
#ifndef WEFT_BACKENDS_HOST_SORT_VECTORS_H
#define WEFT_BACKENDS_HOST_SORT_VECTORS_H

#include "weft/short_names.h"

/* to = n integers of 4 or 8 bytes, unsigned, sorted; `items` and `spare`, each [n], are
 * overwritten. Returns 0, having done nothing, where the processor has no such vectors. */
int sort_by_vectors(void *items, void *spare, void *to, i64 n, i32 size);

#endif
