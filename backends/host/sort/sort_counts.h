/* Sorting by counting alone. */
#ifndef WEFT_BACKENDS_HOST_SORT_COUNTS_H
#define WEFT_BACKENDS_HOST_SORT_COUNTS_H

#include "sort_form.h"

/* Whether keys, without values, take so few values that counts of these tell all. */
int sort_counts_suffice(const sort_form *form, i64 n);

/* Sorts such keys. */
void sort_by_counts(weft_device *device, const host_crew *crew, sort_form *form, i64 n);

#endif
