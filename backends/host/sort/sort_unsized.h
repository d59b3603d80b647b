/* A level whose buckets nobody counted: for keys alone that vectors sort. */
#ifndef WEFT_BACKENDS_HOST_SORT_UNSIZED_H
#define WEFT_BACKENDS_HOST_SORT_UNSIZED_H

#include "sort_level.h"

/* Whether it serves such keys: any order will do, and an item is as large as its key. */
int sort_unsized_serves(const sort_form *form);

/* Sorts and stores what the level describes, but for its memory and parts. Returns 0, with
 * nothing stored, where there are NaNs after all. */
int sort_unsized(sort_level *l);

#endif
