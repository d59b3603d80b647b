/* Buckets for keys that crowd together. */
#ifndef WEFT_BACKENDS_HOST_SORT_MAP_H
#define WEFT_BACKENDS_HOST_SORT_MAP_H

#include "sort_form.h"

/* Which bucket a key goes to: that of its first bits, or of its distance from the first
 * where floats are spread evenly. NaNs have one of their own after these. */
typedef struct sort_map {
    i64 buckets; /* 0: there is no map */
    i32 shift;   /* of y, to its first bits */
    i64 length;  /* their greatest value and 1 */
    u16 *bucket;
    f32 first, scale; /* scale 0: by bits */
} sort_map;

/* From a sample of the keys: `buckets` of about as many keys each, and one more for NaNs,
 * where digits of y from bit `shift` on would leave an eighth of them or more in buckets of
 * over `most`. None where they would not, or there is no memory. */
sort_map sort_map_new(weft_device *device, const sort_form *form, i64 n, i32 shift,
                      i64 buckets, i64 most);

/* The same by distance alone, for f32 whose extent nobody knows: keys beyond those of the
 * sample go to the first and the last bucket. None where the keys are not spread evenly, or
 * the sample has NaNs or so few values that they could be counted. */
sort_map sort_map_even(weft_device *device, const sort_form *form, i64 n, i64 buckets,
                       i64 most);

/* digits[i - begin] = the bucket of keys [begin, end); at most a tile. */
void sort_map_digits(const sort_map *map, const sort_form *form, i64 begin, i64 end,
                     u16 *digits);

#endif
