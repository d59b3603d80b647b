/* Keys of every type, kind and adversity, and their order by its definition. */
#ifndef WEFT_TESTS_KEYS_H
#define WEFT_TESTS_KEYS_H

#include <weft/short_names.h>
#include <weft/weft.h>

enum { KEY_TYPES = 10, MOVED_TYPES = 15, SOME_SIZES = 7 };

extern const weft_type key_types[KEY_TYPES];
/* Those and structs of 3, 12, 24, 40 and 100 bytes. */
extern const weft_type moved_types[MOVED_TYPES];
/* For what differs little from size to size. */
extern const i64 some_sizes[SOME_SIZES];

typedef enum key_pattern {
    KEYS_RANDOM, /* any bits at all */
    KEYS_EQUAL,
    KEYS_RISING,
    KEYS_FALLING,
    KEYS_FEW,     /* seven distinct ones */
    KEYS_EXTREME, /* least, greatest, zeros, infinities, NaN of both signs */
    KEY_PATTERNS
} key_pattern;

/* n keys (and room for one more) to be freed; of structs random bytes. */
void *new_keys(weft_type type, i64 n, key_pattern pattern, u64 seed);

/* Below, at or above 0 as a[i] comes before, with or after b[j]: -0 before +0, NaN last. */
int compare_keys(weft_type type, const void *a, i64 i, const void *b, i64 j);

/* The numbers 0 .. n-1 in the keys' order, stable; to be freed. */
i64 *new_order(weft_type type, const void *keys, i64 n, int descending);

/* Calls `check` for keys of every type and pattern, in two arrays of these sizes. */
typedef void check_two(weft_type type, weft_type value_type, i64 n, i64 m,
                       key_pattern pattern);
void check_all_keys(check_two *check, const i64 sizes[4]);

/* Calls `check` for elements of every type, and of u32 for all sizes, of which one in
 * `rarity` is to be selected; 0: none; 1: all. */
typedef void check_selection(weft_type type, i64 n, u64 rarity);
void check_all_selections(check_selection *check);

/* That an array, of u32 or i64, holds these counts; aborts the test where it does not. */
void expect_counts(weft_array counts, const i64 *expected);

/* Zeroed memory for n elements, and at least one; to be freed. */
void *new_zeros(weft_type type, i64 n);

#endif
