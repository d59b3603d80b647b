/* Merges, set operations and unique elements by comparisons, by key and not, against a walk
 * along both; elements sorted by a number that they have. */
#include "harness.h"
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "ordered.kernel.h"

WEFT_COMPARISON(ordered_bodies, ordered_body)
WEFT_COMPARISON(ordered_by_half, u32)
WEFT_GENERATOR(ordered_same, u32, (in, u32, x))
WEFT_GENERATOR(ordered_word, u32, (value, u32, parts), (in, u32, words, 0))
WEFT_GENERATOR(ordered_words, u64, (value, u32, parts), (in, u32, words, 0))

static const weft_array none;

static int bodies(const void *a, const void *b) {
    return ordered_bodies(*(const ordered_body *)a, *(const ordered_body *)b);
}
static int by_half(const void *a, const void *b) {
    return ordered_by_half(*(const u32 *)a, *(const u32 *)b);
}

/* Two sorted arrays, one after the other, and values of 12 bytes. */
typedef struct pair_of_arrays {
    const weft_comparison *order;
    int (*before)(const void *a, const void *b);
    i64 n, m;
    char *x, *values;
    weft_array a, b, a_values, b_values;
} pair_of_arrays;

static const weft_type value_type = WEFT_STRUCTS | 12;

static pair_of_arrays new_pair(int which, i64 n, i64 m, u32 kinds) {
    pair_of_arrays p = {.order = which ? weft_comparison_of(ordered_bodies)
                                       : weft_comparison_of(ordered_by_half),
                        .before = which ? bodies : by_half,
                        .n = n,
                        .m = m,
                        .values = new_keys(value_type, n + m, KEYS_RANDOM, 3)};
    const size_t size = WEFT_SIZE(p.order->type);
    p.x = new_zeros(p.order->type, n + m);
    u64 seed = (u64)(n + 7 * m);
    for (i64 i = 0; i < n + m; i++) {
        const u64 any = test_random(&seed);
        if (which)
            ((ordered_body *)p.x)[i] =
                (ordered_body){(f64)(any >> 60), (u32)(any % kinds), (u32)i};
        else
            ((u32 *)p.x)[i] = (u32)(any % kinds) << 16 | (u32)(i & 0xffff);
    }
    p.a = test_array(p.order->type, p.x, n);
    p.b = test_array(p.order->type, p.x + (size_t)n * size, m);
    weft_sort_with(device, p.a, p.order);
    weft_sort_with(device, p.b, p.order);
    weft_read(device, p.a, p.x);
    weft_read(device, p.b, p.x + (size_t)n * size);
    p.a_values = test_array(value_type, p.values, n);
    p.b_values = test_array(value_type, p.values + (size_t)n * 12, m);
    return p;
}

static void free_pair(pair_of_arrays *p) {
    weft_array_free(device, p->a), weft_array_free(device, p->b);
    weft_array_free(device, p->a_values), weft_array_free(device, p->b_values);
    free(p->x), free(p->values);
}

/* The numbers of what is kept: pairs (bit 0), elements of a and of b without a partner. */
static i64 walk(const pair_of_arrays *p, u32 kept, i64 *list) {
    const size_t size = WEFT_SIZE(p->order->type);
    i64 i = 0, j = 0, count = 0;
    while (i < p->n || j < p->m) {
        const char *a = p->x + (size_t)i * size, *b = p->x + (size_t)(p->n + j) * size;
        const int of_a = j == p->m || (i < p->n && p->before(a, b)),
                  of_b = !of_a && (i == p->n || p->before(b, a));
        const u32 bit = of_a ? 2 : of_b ? 4 : 1;
        if (kept & bit)
            list[count++] = of_b ? p->n + j : i;
        i += !of_b, j += !of_a;
    }
    return count;
}

static weft_array new_zeroed(weft_type type, i64 n) {
    void *zeros = new_zeros(type, n);
    const weft_array array = test_array(type, zeros, n);
    free(zeros);
    return array;
}

static void expect(const char *name, weft_array out, const char *in, const i64 *list,
                   i64 count) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length), *zero = new_zeros(out.type, 1);
    weft_read(device, out, got);
    ck_assert_msg(weft_check(device) == WEFT_OK, "%s: %s", name, weft_error(device));
    for (i64 i = 0; i < out.length; i++)
        if (memcmp(got + (size_t)i * size, i < count ? in + (size_t)list[i] * size : zero,
                   size) != 0)
            ck_abort_msg("%s of %lld: element %lld is wrong", name, (long long)count,
                         (long long)i);
    free(got), free(zero);
    weft_array_free(device, out);
}

/* The same of keys and values, as far as they were asked for. */
static void expect_both(const pair_of_arrays *p, weft_array keys, weft_array values,
                        const i64 *list, i64 count) {
    if (keys.type)
        expect("keys", keys, p->x, list, count);
    if (values.type)
        expect("values", values, p->values, list, count);
}

static void operate(const pair_of_arrays *p, u32 kept, weft_array keys, weft_array values,
                    int by_key, i64 *count) {
    const weft_array a = p->a, b = p->b, v = p->a_values, w = p->b_values;
    const weft_comparison *o = p->order;
    if (!by_key && kept == 7)
        weft_set_union_with(device, a, b, o, keys, count);
    else if (!by_key && kept == 1)
        weft_set_intersection_with(device, a, b, o, keys, count);
    else if (!by_key && kept == 2)
        weft_set_difference_with(device, a, b, o, keys, count);
    else if (!by_key)
        weft_set_symmetric_difference_with(device, a, b, o, keys, count);
    else if (kept == 7)
        weft_set_union_by_key_with(device, a, v, b, w, o, keys, values, count);
    else if (kept == 1)
        weft_set_intersection_by_key_with(device, a, v, b, o, keys, values, count);
    else if (kept == 2)
        weft_set_difference_by_key_with(device, a, v, b, o, keys, values, count);
    else
        weft_set_symmetric_difference_by_key_with(device, a, v, b, w, o, keys, values,
                                                  count);
}

static void check_sets(const pair_of_arrays *p, u32 kept) {
    i64 *list = malloc((size_t)(p->n + p->m + 1) * sizeof *list);
    const i64 right = walk(p, kept, list), room = p->n + p->m;
    for (int asked = 0; asked < 4; asked++) {
        const int by_key = asked > 0;
        const weft_array keys = asked != 2 ? new_zeroed(p->order->type, room) : none,
                         values = asked > 1 ? new_zeroed(value_type, room) : none;
        i64 count = -1;
        operate(p, kept, keys, values, by_key, &count);
        test_ok();
        ck_assert_int_eq(count, right);
        expect_both(p, keys, values, list, right);
    }
    free(list);
}

START_TEST(sets) {
    static const i64 sizes[] = {0, 1, 9, 500, 4500};
    static const u32 kept[] = {7, 1, 2, 6};
    for (int s = 0; s < 25; s++)
        for (int which = 0; which < 2; which++) {
            pair_of_arrays p = new_pair(which, sizes[s % 5], sizes[s / 5], s & 1 ? 5 : 700);
            for (int k = 0; k < 4; k++)
                check_sets(&p, kept[k]);
            free_pair(&p);
        }
}
END_TEST

START_TEST(merges_by_key) {
    static const i64 sizes[] = {0, 1, 9, 4095, 4097};
    for (int s = 0; s < 25; s++) {
        pair_of_arrays p = new_pair(s & 1, sizes[s % 5], sizes[s / 5], s & 2 ? 5 : 700);
        const i64 all = p.n + p.m;
        const size_t size = WEFT_SIZE(p.order->type);
        i64 *list = malloc((size_t)(all + 1) * sizeof *list);
        for (i64 i = 0, j = 0, k = 0; k < all; k++) {
            const int second =
                i == p.n || (j < p.m && p.before(p.x + (size_t)(p.n + j) * size,
                                                 p.x + (size_t)i * size));
            list[k] = second ? p.n + j++ : i++;
        }
        for (int asked = 1; asked < 4; asked++) {
            const weft_array keys = asked & 1 ? new_zeroed(p.order->type, all) : none,
                             values = asked & 2 ? new_zeroed(value_type, all) : none;
            weft_merge_by_key_with(device, p.a, p.a_values, p.b, p.b_values, p.order, keys,
                                   values);
            test_ok();
            expect_both(&p, keys, values, list, all);
        }
        free(list);
        free_pair(&p);
    }
}
END_TEST

START_TEST(unique_by_key) {
    for (int s = 0; s < SOME_SIZES; s++) {
        pair_of_arrays p = new_pair(s & 1, some_sizes[s], 0, 40);
        const size_t size = WEFT_SIZE(p.order->type);
        i64 *list = malloc((size_t)(p.n + 1) * sizeof *list), right = 0;
        for (i64 i = 0; i < p.n; i++)
            if (i == 0 || p.before(p.x + (size_t)(i - 1) * size, p.x + (size_t)i * size))
                list[right++] = i;
        for (int asked = 0; asked < 4; asked++) {
            const weft_array keys = asked & 1 ? new_zeroed(p.order->type, p.n) : none,
                             values = asked & 2 ? new_zeroed(value_type, p.n) : none;
            i64 count = -1;
            weft_unique_by_key_with(device, p.a, p.a_values, p.order, keys, values, &count);
            test_ok();
            ck_assert_int_eq(count, right);
            expect_both(&p, keys, values, list, right);
        }
        free(list);
        free_pair(&p);
    }
}
END_TEST

/* u32 as i64. */
START_TEST(ranks_in_u32) {
    enum { N = 3000, M = 1000 };
    pair_of_arrays p = new_pair(1, N, M, 50);
    const weft_array wide = weft_array_new(device, WEFT_I64, M),
                     narrow = weft_array_new(device, WEFT_U32, M);
    i64 right[M];
    u32 got[M];
    for (int upper = 0; upper < 2; upper++) {
        (upper ? weft_upper_bound_with : weft_lower_bound_with)(device, p.a, p.b, p.order,
                                                                wide);
        (upper ? weft_upper_bound_with : weft_lower_bound_with)(device, p.a, p.b, p.order,
                                                                narrow);
        weft_read(device, wide, right);
        weft_read(device, narrow, got);
        test_ok();
        for (int i = 0; i < M; i++)
            ck_assert_int_eq(got[i], right[i]);
        ck_assert_int_gt(got[M - 1], 0);
    }
    free_pair(&p);
}
END_TEST

/* Structs of 4 to 64 bytes, by their first word or their first two. */
START_TEST(by_a_number) {
    for (u32 parts = 1; parts <= 16; parts += parts < 4 ? 1 : 4)
        for (int s = 0; s < SOME_SIZES; s++)
            for (int descending = 0; descending < 2; descending++) {
                const i64 n = some_sizes[s];
                const weft_type type = WEFT_STRUCTS | 4 * parts,
                                key_type = parts > 1 && descending ? WEFT_U64 : WEFT_U32;
                char *x = new_keys(type, n, s & 1 ? KEYS_FEW : KEYS_RANDOM, parts);
                u64 *keys = new_zeros(WEFT_U64, n);
                for (i64 i = 0; i < n; i++) {
                    u32 word[2] = {0};
                    memcpy(word, x + (size_t)i * parts * 4, parts > 1 ? 8 : 4);
                    keys[i] = key_type == WEFT_U64 ? (u64)word[0] << 32 | word[1] : word[0];
                }
                i64 *order = new_order(WEFT_U64, keys, n, descending);
                const weft_array array = test_array(type, x, n),
                                 words = weft_as(device, array, WEFT_U32);
                const weft_array by =
                    key_type == WEFT_U64
                        ? weft_lazy(n, ordered_words, .parts = parts, .words = words)
                        : weft_lazy(n, ordered_word, .parts = parts, .words = words);
                weft_sort_by(device, array, by, (weft_order)descending);
                expect("structs", array, x, order, n);
                free(x), free(keys), free(order);
            }
}
END_TEST

/* Ids of what is sorted, by floats of which there are more. */
START_TEST(ids_by_a_number) {
    enum { N = 1000 };
    f32 *keys = new_keys(WEFT_F32, N + 5, KEYS_EXTREME, 1);
    u32 ids[N];
    i64 *order = new_order(WEFT_F32, keys, N, 0);
    for (u32 i = 0; i < N; i++)
        ids[i] = i * 3;
    const weft_array array = test_array(WEFT_U32, ids, N),
                     by = test_array(WEFT_F32, keys, N + 5);
    weft_sort_by(device, array, by, WEFT_ASCENDING);
    expect("ids", array, (const char *)ids, order, N);
    f32 *after = new_zeros(WEFT_F32, N + 5);
    weft_read(device, by, after);
    ck_assert_mem_eq(after, keys, (N + 5) * sizeof *keys);
    free(keys), free(order), free(after);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    i64 count = 4;
    const weft_comparison *order = weft_comparison_of(ordered_by_half);
    const weft_array a = test_array(WEFT_U32, host, 8), b = test_array(WEFT_U32, host, 8),
                     out = weft_array_new(device, WEFT_U32, 16),
                     f = weft_array_new(device, WEFT_F32, 16);
    weft_set_union_with(device, a, b, NULL, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_set_union_with: 'order' is NULL");
    ck_assert_int_eq(count, 0);
    weft_set_union_with(device, a, b, order, a, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_set_union_with: array 'out' has 8 elements");
    weft_set_intersection_with(device, a, b, order, b, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_set_intersection_with: array 'out' overlaps");
    weft_set_difference_with(device, a, f, order, out, &count);
    test_expect_error(WEFT_E_TYPE, "weft_set_difference_with: array 'b' has elements of");
    weft_set_union_by_key_with(device, a, a, b, none, order, out, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "array 'b_values' is missing");
    weft_set_difference_by_key_with(device, a, a, b, order, out, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "array 'values_out' overlaps");
    weft_set_union_with(device, a, b, order, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_set_union_with: array 'out' is missing");
    weft_merge_by_key_with(device, f, a, f, b, order, out, none);
    test_expect_error(WEFT_E_TYPE, "'ordered_by_half' compares u32, but 'a_keys' has f32");
    weft_unique_by_key_with(device, a, b, order, out, b, &count);
    test_expect_error(WEFT_E_ARGUMENT, "array 'values_out' overlaps");
    weft_unique_by_key_with(device, a, b, order, weft_slice(device, out, 0, 7), none,
                            &count);
    test_expect_error(WEFT_E_SHAPE, "array 'keys_out' has 7 elements");
    weft_sort_by(device, a, weft_slice(device, b, 0, 7), WEFT_ASCENDING);
    test_expect_error(WEFT_E_SHAPE, "weft_sort_by: array 'keys' has 7 elements");
    weft_sort_by(device, a, b, (weft_order)4);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_by: order is 4");
    weft_sort_by(device, weft_lazy(8, ordered_same, .x = a), b, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_by: array 'inout' is lazy");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {sets,           merges_by_key, unique_by_key,
                                  ranks_in_u32,   by_a_number,   ids_by_a_number,
                                  wrong_arguments};
    return test_main(argc, argv, "order_sets", tests, sizeof tests / sizeof *tests);
}
