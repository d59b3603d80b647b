/* Sorting integers within the cache by vectors. */
#ifndef WEFT_BACKENDS_HOST_SORT_VECTORS_H
#define WEFT_BACKENDS_HOST_SORT_VECTORS_H

#include "weft/short_names.h"

/* Whether this processor has the vectors. */
int sort_has_vectors(void);

/* to = n integers of 4 or 8 bytes, unsigned, sorted; `items` and `spare`, each [n], are
 * overwritten. Only where there are such vectors. */
void sort_by_vectors(void *items, void *spare, void *to, i64 n, i32 size);

#endif
