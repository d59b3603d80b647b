/* An order of your own: sorts, merges, searches and unique elements by a comparison that is
 * registered in one line, beside the code that uses it:
 *
 *   WEFT_COMPARISON(body_heavier, body)
 *       static inline int body_heavier(body a, body b) { return a.mass > b.mass; }
 *
 *   weft_sort_with(device, bodies, weft_comparison_of(body_heavier));
 *
 * The function says (not 0) that `a` comes before `b`; neither comes before the other where
 * they are equal. It is in a kernel file, its name begins with the file's, and elements are
 * of at most 64 bytes. It must be a strict weak order: of three elements, if neither of the
 * first two and neither of the last two comes before the other, nor of the first and last.
 * a.mass <= b.mass is none, nor is a.mass < b.mass where one is NaN: results are undefined,
 * but on serial and pthreads nothing else is touched, and `checking` tells.
 *
 * Where the order is that of a number that elements have, weft_sort_by is faster. By
 * several such numbers: sort by the last of them first, since sorts are stable, or with
 * weft_sort_index.
 *
 * Repeats: bit for bit everywhere. Errors, if not said otherwise: WEFT_E_ARGUMENT (missing,
 * lazy where it is written, read-only, overlapping, order is NULL), WEFT_E_TYPE (elements
 * are not the comparison's), WEFT_E_SHAPE, WEFT_E_MEMORY. */
#ifndef WEFT_ORDER_H
#define WEFT_ORDER_H

#include "register.h"
#include "register_order.h"
#include "sort.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_comparison {
    const char *name, *type_name;
    const weft_source *source;
    weft_type type;
    const weft_kernel *sort, *sort_numbered, *rank;
    const weft_generator *heads;
} weft_comparison;

#define weft_comparison_of(NAME) (&NAME##_comparison)

/* Sorts elements in place; equal ones keep their order.
 *   inout    [n] T;   by key: keys [n] T, values [>= n] any type, n below 2^32
 * Cost: O(n log n), a merge sort; scratch of a copy, by key also of the values and of 8
 * bytes an element. Source: Odeh, Green, Mwassi, Shmueli and Birk, "Merge path", 2012. */
WEFT_API weft_status weft_sort_with(weft_device *device, weft_array inout,
                                    const weft_comparison *order);
WEFT_API weft_status weft_sort_by_key_with(weft_device *device, weft_array keys,
                                           weft_array values, const weft_comparison *order);

/* Merges two arrays in the order (unchecked); equal ones of `a` come first. Inputs may be
 * lazy. By key values move along, and an output that is not wanted is (weft_array){0}.
 *   a   [n] T;   b   [m] T;   out   [>= n + m] T
 *   a_keys   [n] T;   a_values   [>= n] V;   b_keys   [m] T;   b_values   [>= m] V
 *   keys_out   [>= n + m] T;   values_out   [>= n + m] V;   by key n + m below 2^32
 * Outputs must not overlap inputs or each other.
 * Cost: O(n + m), and scratch of a copy of both; by key of two, and of 16 bytes each. */
WEFT_API weft_status weft_merge_with(weft_device *device, weft_array a, weft_array b,
                                     const weft_comparison *order, weft_array out);
WEFT_API weft_status weft_merge_by_key_with(weft_device *device, weft_array a_keys,
                                            weft_array a_values, weft_array b_keys,
                                            weft_array b_values,
                                            const weft_comparison *order,
                                            weft_array keys_out, weft_array values_out);

/* For each query the number of elements that come before it, or that do not come after it.
 *   sorted  [m] T, in the order (unchecked);   queries  [n] T
 *   out     [>= n] u32 (for m below 2^32, else WEFT_E_TYPE) or i64; must not overlap an
 *           input
 * Cost: O(n log m); scratch for a copy of lazy inputs, for u32 of 8 bytes a query. */
WEFT_API weft_status weft_lower_bound_with(weft_device *device, weft_array sorted,
                                           weft_array queries, const weft_comparison *order,
                                           weft_array out);
WEFT_API weft_status weft_upper_bound_with(weft_device *device, weft_array sorted,
                                           weft_array queries, const weft_comparison *order,
                                           weft_array out);

/* The first element of each run of equal ones, as weft_unique (select.h).
 *   in   [n] T;   out   [>= n] T, must not overlap it
 * By key: the first key, and its value; an output that is not wanted is (weft_array){0}.
 *   keys   [n] T;   values   [>= n] V, any type;   keys_out   [>= n] T;
 *   values_out   [>= n] V; outputs must not overlap inputs or each other */
WEFT_API weft_status weft_unique_with(weft_device *device, weft_array in,
                                      const weft_comparison *order, weft_array out,
                                      int64_t *count);
WEFT_API weft_status weft_unique_by_key_with(weft_device *device, weft_array keys,
                                             weft_array values,
                                             const weft_comparison *order,
                                             weft_array keys_out, weft_array values_out,
                                             int64_t *count);

/* Set operations on arrays in the order (unchecked): sets.h says what each keeps, what
 * *count is, and how long outputs must be. By key values move along, and an output that is
 * not wanted is (weft_array){0}. Inputs may be lazy.
 *   a, a_keys   [n] T;   b, b_keys   [m] T;   n + m below 2^32
 *   out, keys_out   T;   a_values   [>= n] V;   b_values   [>= m] V;   values_out   V
 * Outputs must not overlap inputs or each other.
 * Cost: O(n + m), a merge, two scans, and a pass for each output; scratch of two copies of
 * both inputs, and of 20 bytes an element, by key 12 more. */
WEFT_API weft_status weft_set_union_with(weft_device *device, weft_array a, weft_array b,
                                         const weft_comparison *order, weft_array out,
                                         int64_t *count);
WEFT_API weft_status weft_set_intersection_with(weft_device *device, weft_array a,
                                                weft_array b, const weft_comparison *order,
                                                weft_array out, int64_t *count);
WEFT_API weft_status weft_set_difference_with(weft_device *device, weft_array a,
                                              weft_array b, const weft_comparison *order,
                                              weft_array out, int64_t *count);
WEFT_API weft_status weft_set_symmetric_difference_with(weft_device *device, weft_array a,
                                                        weft_array b,
                                                        const weft_comparison *order,
                                                        weft_array out, int64_t *count);
WEFT_API weft_status weft_set_union_by_key_with(weft_device *device, weft_array a_keys,
                                                weft_array a_values, weft_array b_keys,
                                                weft_array b_values,
                                                const weft_comparison *order,
                                                weft_array keys_out, weft_array values_out,
                                                int64_t *count);
WEFT_API weft_status weft_set_intersection_by_key_with(
    weft_device *device, weft_array a_keys, weft_array a_values, weft_array b_keys,
    const weft_comparison *order, weft_array keys_out, weft_array values_out,
    int64_t *count);
WEFT_API weft_status weft_set_difference_by_key_with(weft_device *device, weft_array a_keys,
                                                     weft_array a_values, weft_array b_keys,
                                                     const weft_comparison *order,
                                                     weft_array keys_out,
                                                     weft_array values_out, int64_t *count);
WEFT_API weft_status weft_set_symmetric_difference_by_key_with(
    weft_device *device, weft_array a_keys, weft_array a_values, weft_array b_keys,
    weft_array b_values, const weft_comparison *order, weft_array keys_out,
    weft_array values_out, int64_t *count);

/* Sorts elements by a number that each has; equal keys keep their order.
 *   inout   [n] any type, for example structs, or ids of what is sorted
 *   keys    [>= n] K, numbers, usually a generator that reads inout: a member of a struct,
 *           or several packed into a u64
 * Cost: weft_sort_by_key (sort.h), and scratch of the keys. `keys` stay as they are. */
WEFT_API weft_status weft_sort_by(weft_device *device, weft_array inout, weft_array keys,
                                  weft_order order);

/* The numbers of elements in the order of several keys, the first of them first: index[i]
 * is the number of the one that comes i-th. Where all keys are equal, the lower number.
 *   keys     [count] arrays of [n] numbers, each sorted by orders[k]
 *   orders   [count], NULL: all are ascending
 *   index    [n] u32, n below 2^32; must not overlap a key
 * Cost: weft_sort_by_key and weft_gather, for each key; scratch of a key. Gather what else
 * moves along. Errors: also WEFT_E_ARGUMENT (count below 1, keys is NULL). */
WEFT_API weft_status weft_sort_index(weft_device *device, const weft_array *keys,
                                     const weft_order *orders, int64_t count,
                                     weft_array index);

#ifdef __cplusplus
}
#endif

#define WEFT_COMPARISON(NAME, T)                                                           \
    WEFT_DECLARED(NAME, int32_t, WEFT_IS_TYPE(T), (T, T), #T ", " #T)                      \
    _Static_assert(sizeof(T) <= WEFT_ORDER_BYTES,                                          \
                   #NAME " compares elements of more than 64 bytes: compare pointers' "    \
                         "numbers or keys instead");                                       \
    extern const weft_source weft_source_##NAME;                                           \
    static inline int NAME##_before(const void *a, const void *b) {                        \
        return NAME(*(const T *)a, *(const T *)b) != 0;                                    \
    }                                                                                      \
    WEFT_CLONES static void NAME##_sort_loop(void *const *given, int64_t begin,            \
                                             int64_t end) {                                \
        weft_order_sort_loop(NAME##_before, sizeof(T), 0, given, begin, end);              \
    }                                                                                      \
    WEFT_CLONES static void NAME##_sort_numbered_loop(void *const *given, int64_t begin,   \
                                                      int64_t end) {                       \
        weft_order_sort_loop(NAME##_before, sizeof(T), 1, given, begin, end);              \
    }                                                                                      \
    WEFT_CLONES static void NAME##_rank_loop(void *const *given, int64_t begin,            \
                                             int64_t end) {                                \
        weft_order_rank_loop(NAME##_before, sizeof(T), given, begin, end);                 \
    }                                                                                      \
    WEFT_CLONES static void NAME##_heads_fill(void *const *given, int64_t begin,           \
                                              int64_t end, void *out) {                    \
        weft_order_heads_loop(NAME##_before, sizeof(T), given, begin, end,                 \
                              (uint32_t *)out);                                            \
    }                                                                                      \
    WEFT_ARGUMENTS(NAME##_sort, (value, i64, n), (value, i64, run), (value, u32, length),  \
                   (value, u32, how), (inout, T, x, 0), (inout, T, y, 0),                  \
                   (inout, u32, x_id, 0), (inout, u32, y_id, 0))                           \
    WEFT_ARGUMENTS(NAME##_rank, (value, i64, length), (value, u32, upper),                 \
                   (in, T, sorted, 0), (in, T, queries), (out, i64, out))                  \
    WEFT_ARGUMENTS(NAME##_heads, (in, T, x))                                               \
    static const weft_kernel NAME##_sort_kernel = {                                        \
        {"weft_order_sort", &weft_source_##NAME, NAME##_sort_parameters, 6,                \
         NAME##_sort_least, #NAME, #T},                                                    \
        NAME##_sort_loop};                                                                 \
    static const weft_kernel NAME##_sort_numbered_kernel = {                               \
        {"weft_order_sort_numbered", &weft_source_##NAME, NAME##_sort_parameters, 8,       \
         NAME##_sort_least, #NAME, #T},                                                    \
        NAME##_sort_numbered_loop};                                                        \
    static const weft_kernel NAME##_rank_kernel = {                                        \
        {"weft_order_rank", &weft_source_##NAME, NAME##_rank_parameters, 5,                \
         NAME##_rank_least, #NAME, #T},                                                    \
        NAME##_rank_loop};                                                                 \
    static const weft_generator NAME##_heads_generator = {                                 \
        {"weft_order_heads", &weft_source_##NAME, NAME##_heads_parameters, 1,              \
         NAME##_heads_least, #NAME, #T},                                                   \
        "u32",                                                                             \
        WEFT_U32,                                                                          \
        NAME##_heads_fill};                                                                \
    static const weft_comparison NAME##_comparison = {#NAME,                               \
                                                      #T,                                  \
                                                      &weft_source_##NAME,                 \
                                                      WEFT_TYPE(T),                        \
                                                      &NAME##_sort_kernel,                 \
                                                      &NAME##_sort_numbered_kernel,        \
                                                      &NAME##_rank_kernel,                 \
                                                      &NAME##_heads_generator};

#endif
