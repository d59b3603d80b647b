/* Orders of one's own, against a stable sort by insertion into places found by the
 * definition, and what must hold of sorted elements. */
#include "harness.h"
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "ordered.kernel.h"

WEFT_COMPARISON(ordered_bodies, ordered_body)
WEFT_COMPARISON(ordered_falling, u32)
WEFT_COMPARISON(ordered_by_half, u32)
WEFT_COMPARISON(ordered_by_key, ordered_large)
WEFT_COMPARISON(ordered_by_byte, ordered_bytes)
WEFT_GENERATOR(ordered_same, u32, (in, u32, x))

/* Each comparison as the tests call it. */
typedef struct order_case {
    const weft_comparison *order;
    int (*before)(const void *a, const void *b);
} order_case;

static int bodies(const void *a, const void *b) {
    return ordered_bodies(*(const ordered_body *)a, *(const ordered_body *)b);
}
static int falling(const void *a, const void *b) {
    return *(const u32 *)a > *(const u32 *)b;
}
static int by_half(const void *a, const void *b) {
    return *(const u32 *)a >> 16 < *(const u32 *)b >> 16;
}
static int by_key(const void *a, const void *b) {
    return ((const ordered_large *)a)->key < ((const ordered_large *)b)->key;
}
static int by_byte(const void *a, const void *b) {
    return *(const u8 *)a < *(const u8 *)b;
}

enum { CASES = 5 };
static const order_case cases[CASES] = {{weft_comparison_of(ordered_bodies), bodies},
                                        {weft_comparison_of(ordered_falling), falling},
                                        {weft_comparison_of(ordered_by_half), by_half},
                                        {weft_comparison_of(ordered_by_key), by_key},
                                        {weft_comparison_of(ordered_by_byte), by_byte}};

/* n elements, few of them different in the order with `few`. */
static char *new_elements(const order_case *c, i64 n, int few, u64 seed) {
    const size_t size = WEFT_SIZE(c->order->type);
    char *x = new_zeros(c->order->type, n);
    u64 state = seed;
    for (i64 i = 0; i < n; i++) {
        const u64 any = test_random(&state);
        char *at = x + (size_t)i * size;
        for (size_t k = 0; k < size; k++)
            at[k] = (char)(any >> (8 * (k % 8)) ^ k);
        if (c->before == bodies)
            *(ordered_body *)at = (ordered_body){(f64)(any >> 40 & (few ? 1 : 0xffff)),
                                                 (u32)any % (few ? 3 : 1000), (u32)i};
        else if (few)
            at[0] = at[1] = at[2] = (char)(any & 3);
        if (few && c->before == falling)
            *(u32 *)at = (u32)any & 7;
    }
    return x;
}

/* The numbers of elements in order: a merge sort of lists, by the comparison alone. */
static void stable_order(const order_case *c, const char *x, i64 *list, i64 *room, i64 n) {
    const size_t size = WEFT_SIZE(c->order->type);
    if (n < 2)
        return;
    const i64 half = n / 2;
    stable_order(c, x, list, room, half);
    stable_order(c, x, list + half, room, n - half);
    for (i64 i = 0, j = half, k = 0; k < n; k++) {
        const int second = i == half || (j < n && c->before(x + (size_t)list[j] * size,
                                                            x + (size_t)list[i] * size));
        room[k] = second ? list[j++] : list[i++];
    }
    memcpy(list, room, (size_t)n * sizeof *list);
}

static i64 *new_stable_order(const order_case *c, const char *x, i64 n) {
    i64 *list = malloc((size_t)(n + 1) * sizeof *list),
        *room = malloc((size_t)(n + 1) * sizeof *room);
    for (i64 i = 0; i < n; i++)
        list[i] = i;
    stable_order(c, x, list, room, n);
    free(room);
    return list;
}

static void expect_listed(weft_array out, const char *in, const i64 *list, i64 n) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    for (i64 i = 0; i < n; i++)
        if (memcmp(got + (size_t)i * size, in + (size_t)list[i] * size, size) != 0)
            ck_abort_msg("element %lld is not input %lld", (long long)i,
                         (long long)list[i]);
    free(got);
}

static void check_sort(const order_case *c, weft_type values, i64 n, int few) {
    char *x = new_elements(c, n, few, 1), *v = new_keys(values, n, KEYS_RANDOM, 2);
    i64 *list = new_stable_order(c, x, n);
    const weft_array a = test_array(c->order->type, x, n),
                     b = test_array(c->order->type, x, n), moved = test_array(values, v, n);
    weft_sort_with(device, a, c->order);
    expect_listed(a, x, list, n);
    weft_sort_by_key_with(device, b, moved, c->order);
    expect_listed(b, x, list, n);
    expect_listed(moved, v, list, n);
    weft_array_free(device, a), weft_array_free(device, b);
    weft_array_free(device, moved);
    free(x), free(v), free(list);
}

START_TEST(sorts) {
    for (int k = 0; k < CASES; k++)
        for (int s = 0; s < SOME_SIZES; s++)
            for (int few = 0; few < 2; few++)
                check_sort(&cases[k], WEFT_U32, some_sizes[s], few);
}
END_TEST

START_TEST(sorts_all_sizes) {
    for (int s = 0; s < test_size_count; s++)
        check_sort(&cases[2], WEFT_U64, test_sizes[s], s & 1);
    for (i64 n = 0; n < 40; n++)
        check_sort(&cases[1], WEFT_U8, n, n & 1);
}
END_TEST

START_TEST(values_of_every_type) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        check_sort(&cases[0], moved_types[t], 300, 1);
}
END_TEST

START_TEST(merges_and_ranks) {
    static const i64 sizes[] = {0, 1, 9, 4095, 4097, 6000};
    for (int k = 0; k < CASES; k++)
        for (int s = 0; s < 36; s++) {
            const order_case *c = &cases[k];
            const i64 n = sizes[s % 6], m = sizes[s / 6];
            const size_t size = WEFT_SIZE(c->order->type);
            char *x = new_elements(c, n + m, k & 1, 3);
            i64 *list = new_stable_order(c, x, n + m), *got;
            const weft_array a = test_array(c->order->type, x, n),
                             b = test_array(c->order->type, x + (size_t)n * size, m),
                             out = weft_array_new(device, c->order->type, n + m),
                             lower = weft_array_new(device, WEFT_I64, m),
                             upper = weft_array_new(device, WEFT_I64, m);
            weft_sort_with(device, a, c->order);
            weft_lower_bound_with(device, a, b, c->order, lower);
            weft_upper_bound_with(device, a, b, c->order, upper);
            got = new_zeros(WEFT_I64, 2 * m);
            weft_read(device, lower, got);
            weft_read(device, upper, got + m);
            for (i64 j = 0; j < m && (n < 10 || j < 20); j++) {
                const char *query = x + (size_t)(n + j) * size;
                i64 below = 0, not_above = 0;
                for (i64 i = 0; i < n; i++) {
                    below += c->before(x + (size_t)i * size, query);
                    not_above += !c->before(query, x + (size_t)i * size);
                }
                ck_assert_int_eq(got[j], below);
                ck_assert_int_eq(got[m + j], not_above);
            }
            weft_sort_with(device, b, c->order);
            weft_merge_with(device, a, b, c->order, out);
            expect_listed(out, x, list, n + m);
            weft_array_free(device, a), weft_array_free(device, b);
            weft_array_free(device, out), weft_array_free(device, lower);
            weft_array_free(device, upper);
            free(x), free(list), free(got);
        }
}
END_TEST

START_TEST(unique_elements) {
    for (int k = 0; k < CASES; k++)
        for (int s = 0; s < SOME_SIZES; s++) {
            const order_case *c = &cases[k];
            const i64 n = some_sizes[s];
            const size_t size = WEFT_SIZE(c->order->type);
            char *x = new_elements(c, n, 1, 4);
            i64 *list = malloc((size_t)(n + 1) * sizeof *list), right = 0, count;
            for (i64 i = 0; i < n; i++) {
                const char *at = x + (size_t)i * size;
                if (i == 0 || c->before(at, at - size) || c->before(at - size, at))
                    list[right++] = i;
            }
            const weft_array out = weft_array_new(device, c->order->type, n);
            weft_unique_with(device, test_array(c->order->type, x, n), c->order, out,
                             &count);
            test_ok();
            ck_assert_int_eq(count, right);
            expect_listed(out, x, list, right);
            free(x), free(list);
        }
}
END_TEST

START_TEST(lazy_inputs) {
    enum { N = 500 };
    const order_case *c = &cases[1];
    char *x = new_elements(c, N, 0, 5);
    i64 *list = new_stable_order(c, x, N), count;
    const weft_array a = test_array(WEFT_U32, x, N),
                     out = weft_array_new(device, WEFT_U32, 2 * N);
    weft_sort_with(device, a, c->order);
    weft_unique_with(device, weft_lazy(N, ordered_same, .x = a), c->order, out, &count);
    ck_assert_int_le(count, N);
    weft_merge_with(device, weft_lazy(N, ordered_same, .x = a),
                    weft_lazy(0, ordered_same, .x = a), c->order, out);
    expect_listed(out, x, list, N);
    free(x), free(list);
}
END_TEST

START_TEST(several_keys) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        u16 *first = new_keys(WEFT_U16, n, KEYS_FEW, 1);
        f32 *second = new_keys(WEFT_F32, n, KEYS_FEW, 2);
        i8 *third = new_keys(WEFT_I8, n, KEYS_FEW, 3);
        u32 *index = new_zeros(WEFT_U32, n);
        const weft_array keys[3] = {test_array(WEFT_U16, first, n),
                                    test_array(WEFT_F32, second, n),
                                    test_array(WEFT_I8, third, n)};
        const weft_order orders[3] = {WEFT_ASCENDING, WEFT_DESCENDING, WEFT_ASCENDING};
        const weft_array out = weft_array_new(device, WEFT_U32, n);
        weft_sort_index(device, keys, orders, 3, out);
        weft_read(device, out, index);
        test_ok();
        for (i64 k = 1; k < n; k++) {
            const i64 i = index[k - 1], j = index[k];
            int order = compare_keys(WEFT_U16, first, i, first, j);
            order = order ? order : -compare_keys(WEFT_F32, second, i, second, j);
            order = order ? order : compare_keys(WEFT_I8, third, i, third, j);
            ck_assert(order < 0 || (order == 0 && i < j));
        }
        weft_sort_index(device, keys, NULL, 1, out);
        test_ok();
        weft_array_free(device, out);
        free(first), free(second), free(third), free(index);
    }
}
END_TEST

/* Of an output that is longer than the queries. */
START_TEST(the_rest_stays) {
    const u32 host[8] = {9, 9, 9, 9, 9, 9, 9, 9}, narrow[8] = {0, 0, 0, 9, 9, 9, 9, 9};
    const i64 far[8] = {7, 7, 7, 7, 7, 7, 7, 7}, wide[8] = {8, 8, 8, 7, 7, 7, 7, 7};
    const weft_comparison *order = weft_comparison_of(ordered_falling);
    const weft_array a = test_array(WEFT_U32, host, 8),
                     lower = test_array(WEFT_U32, host, 8),
                     upper = test_array(WEFT_I64, far, 8);
    weft_lower_bound_with(device, a, weft_slice(device, a, 0, 3), order, lower);
    weft_upper_bound_with(device, a, weft_slice(device, a, 0, 3), order, upper);
    u32 below[8];
    i64 not_above[8];
    weft_read(device, lower, below);
    weft_read(device, upper, not_above);
    test_ok();
    ck_assert_mem_eq(below, narrow, sizeof narrow);
    ck_assert_mem_eq(not_above, wide, sizeof wide);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    i64 count = 4;
    const weft_comparison *order = weft_comparison_of(ordered_falling);
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     f = weft_array_new(device, WEFT_F32, 8),
                     out = weft_array_new(device, WEFT_U32, 16),
                     far = weft_array_new(device, WEFT_I64, 8);
    weft_sort_with(device, none, order);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_with: array 'inout' is missing");
    weft_sort_with(device, a, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_with: 'order' is NULL");
    weft_sort_with(device, f, order);
    test_expect_error(WEFT_E_TYPE, "'ordered_falling' compares u32, but 'inout' has f32");
    weft_sort_by_key_with(device, a, a, order);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_by_key_with: array 'values' overlaps");
    weft_sort_by_key_with(device, a, weft_slice(device, out, 0, 7), order);
    test_expect_error(WEFT_E_SHAPE, "weft_sort_by_key_with: array 'values' has 7 elements");
    weft_merge_with(device, a, f, order, out);
    test_expect_error(WEFT_E_TYPE, "weft_merge_with: array 'b' has elements of f32");
    weft_merge_with(device, a, a, order, weft_slice(device, out, 0, 15));
    test_expect_error(WEFT_E_SHAPE, "weft_merge_with: array 'out' has 15 elements");
    weft_lower_bound_with(device, a, a, order, f);
    test_expect_error(WEFT_E_TYPE,
                      "weft_lower_bound_with: array 'out' has elements of f32");
    weft_upper_bound_with(device, a, f, order, far);
    test_expect_error(WEFT_E_TYPE, "weft_upper_bound_with: array 'queries' has elements");
    weft_unique_with(device, a, order, a, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_unique_with: array 'out' overlaps");
    ck_assert_int_eq(count, 0);
    weft_sort_index(device, NULL, NULL, 1, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_index: 'keys' is NULL");
    weft_sort_index(device, &a, NULL, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_index: there is no key");
    weft_sort_index(device, &a, &(weft_order){(weft_order)7}, 1,
                    weft_slice(device, out, 0, 8));
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_index: orders[0] is 7");
    weft_sort_index(device, &a, NULL, 1, out);
    test_expect_error(WEFT_E_SHAPE, "weft_sort_index: array 'keys[0]' has 8 elements");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        sorts,           sorts_all_sizes, values_of_every_type, merges_and_ranks,
        unique_elements, lazy_inputs,     several_keys,         the_rest_stays,
        wrong_arguments};
    return test_main(argc, argv, "order", tests, sizeof tests / sizeof *tests);
}
