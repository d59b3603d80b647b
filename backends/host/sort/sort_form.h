/* The form in which keys and values are sorted: small integers, made a tile at a time.
 *
 * An item holds a key's place in the order, y, and its value. y = image(key), complemented
 * where descending, rotated so that bits that do not count come last, less the smallest.
 * All steps can be undone, so that an item gives key and value back. */
#ifndef WEFT_BACKENDS_HOST_SORT_FORM_H
#define WEFT_BACKENDS_HOST_SORT_FORM_H

#include "backends/host/host.h"

enum { SORT_TILE = 128 }; /* items that are formed at a time, to stay in L1 */

typedef struct sort_item {
    u64 key, value;
} sort_item;

typedef enum sort_kind {
    SORT_U8,
    SORT_U16,
    SORT_U32,
    SORT_U64,
    SORT_F32,
    SORT_F64
} sort_kind;

typedef struct sort_form {
    char *keys, *values;
    sort_kind kind;
    i32 width; /* of y: 32, or 64 for keys of 8 bytes */
    i32 value_size;
    i32 item_size; /* 4: y. 8: y, or y's low half above the value. 16: sort_item */
    i32 key_bit;   /* where y begins in an item */
    i32 low, high; /* the bits of y that are sorted by */
    int bypass;    /* store around the cache: there is more than it holds */
    i32 rotate;
    u64 flip, base;
    u64 range; /* the largest y */
    i64 nans;
} sort_form;

/* Smallest and largest image of some keys, NaNs left out, and how many NaNs there are. */
typedef struct sort_extent {
    u64 least, most;
    i64 nans;
} sort_extent;

/* The kind of a key type, and what turns its bits to an image. */
void sort_form_begin(sort_form *form, const weft_sort_call *sort);
sort_extent sort_form_extent(const sort_form *form, i64 begin, i64 end);
sort_extent sort_extent_join(sort_extent a, sort_extent b);
/* Chooses bits, base and range; the item's layout is left to choose. */
void sort_form_range(sort_form *form, const weft_sort_call *sort, sort_extent extent);

i64 sort_form_key_size(const sort_form *form);

/* Whether items that compare equal are the same, so that any sort will do. */
static inline int sort_any_order(const sort_form *form) {
    return form->value_size == 0 && form->low == 0;
}

/* Whether each y is its key as it lies, so that keys alone are items already. */
static inline int sort_form_is_plain(const sort_form *form) {
    return (form->kind == SORT_U32 || form->kind == SORT_U64) && form->value_size == 0 &&
           form->item_size == (form->kind == SORT_U32 ? 4 : 8) && form->flip == 0 &&
           form->base == 0 && form->rotate == 0;
}

/* digits[i - begin] = y >> shift of keys [begin, end), `nan` for NaNs; at most a tile. */
void sort_form_digits(const sort_form *form, i64 begin, i64 end, i32 shift, u16 nan,
                      u16 *digits);
/* Items of [begin, end); and back. `above` is what the upper half of y was, where the item
 * holds the lower one alone. */
void sort_form_load(const sort_form *form, i64 begin, i64 end, void *items);
void sort_form_store(const sort_form *form, i64 begin, i64 end, const void *items,
                     u64 above);

#endif
