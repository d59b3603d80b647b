/* Comparisons that are no order, as < where there is NaN: results are undefined, but on the
 * host nothing else is touched. */
#include "harness.h"
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "ordered.kernel.h"

WEFT_COMPARISON(ordered_less, f32)

enum { AROUND = 8 };

/* An array amid zeros. */
typedef struct amid {
    weft_array all, array;
} amid;

static amid new_amid(weft_type type, const void *elements, i64 n) {
    const size_t size = WEFT_SIZE(type);
    char *host = new_zeros(type, n + 2 * AROUND);
    if (elements)
        memcpy(host + AROUND * size, elements, (size_t)n * size);
    const weft_array all = test_array(type, host, n + 2 * AROUND);
    free(host);
    return (amid){all, weft_slice(device, all, AROUND, n)};
}

/* That all around it is still 0. The checking backend may have told of the comparison. */
static void expect_amid(amid it) {
    const size_t size = WEFT_SIZE(it.all.type), edge = AROUND * size;
    if (weft_check(device) == WEFT_E_CHECK &&
        strcmp(weft_backend_name(device), "checking") == 0)
        weft_clear(device);
    char *host = new_zeros(it.all.type, it.all.length),
         *zeros = new_zeros(WEFT_U8, (i64)edge);
    weft_read(device, it.all, host);
    test_ok();
    ck_assert_mem_eq(host, zeros, edge);
    ck_assert_mem_eq(host + edge + (size_t)it.array.length * size, zeros, edge);
    weft_array_free(device, it.all);
    free(host), free(zeros);
}

static void check_sorts(i64 n, const f32 *x, const u64 *values) {
    const weft_comparison *order = weft_comparison_of(ordered_less);
    const amid alone = new_amid(WEFT_F32, x, n), keys = new_amid(WEFT_F32, x, n),
               moved = new_amid(WEFT_U64, values, n);
    weft_sort_with(device, alone.array, order);
    expect_amid(alone);
    weft_sort_by_key_with(device, keys.array, moved.array, order);
    expect_amid(keys);
    expect_amid(moved);
}

typedef weft_status by_key(weft_device *, weft_array, weft_array, weft_array, weft_array,
                           const weft_comparison *, weft_array, weft_array, i64 *);
static weft_status merge(weft_device *d, weft_array a, weft_array av, weft_array b,
                         weft_array bv, const weft_comparison *order, weft_array out,
                         weft_array values, i64 *count) {
    *count = out.length;
    return weft_merge_by_key_with(d, a, av, b, bv, order, out, values);
}
static weft_status intersection(weft_device *d, weft_array a, weft_array av, weft_array b,
                                weft_array bv, const weft_comparison *order, weft_array out,
                                weft_array values, i64 *count) {
    (void)bv;
    return weft_set_intersection_by_key_with(d, a, av, b, order, out, values, count);
}
static weft_status difference(weft_device *d, weft_array a, weft_array av, weft_array b,
                              weft_array bv, const weft_comparison *order, weft_array out,
                              weft_array values, i64 *count) {
    (void)bv;
    return weft_set_difference_by_key_with(d, a, av, b, order, out, values, count);
}

static void check_merges(i64 n, i64 m, const f32 *x, const u64 *values) {
    static by_key *const calls[] = {merge, weft_set_union_by_key_with, intersection,
                                    difference, weft_set_symmetric_difference_by_key_with};
    const i64 most[] = {n + m, n + m, n < m ? n : m, n, n + m};
    const weft_array a = test_array(WEFT_F32, x, n), b = test_array(WEFT_F32, x + n, m),
                     av = test_array(WEFT_U64, values, n),
                     bv = test_array(WEFT_U64, values + n, m);
    for (int k = 0; k < 5; k++) {
        const amid out = new_amid(WEFT_F32, NULL, most[k]),
                   moved = new_amid(WEFT_U64, NULL, most[k]);
        i64 count = -1;
        calls[k](device, a, av, b, bv, weft_comparison_of(ordered_less), out.array,
                 moved.array, &count);
        ck_assert_msg(count >= 0 && count <= most[k], "%lld of %lld", (long long)count,
                      (long long)most[k]);
        expect_amid(out);
        expect_amid(moved);
    }
    weft_array_free(device, a), weft_array_free(device, b);
    weft_array_free(device, av), weft_array_free(device, bv);
}

START_TEST(comparisons_that_are_none) {
    static const i64 sizes[][2] = {{40, 5000}, {500, 30000}, {20000, 20000}};
    if (strcmp(weft_backend_name(device), "opencl") == 0)
        return; /* its sorts rely on the order */
    for (int s = 0; s < 3; s++)
        for (u64 seed = 1; seed < 4; seed++) {
            const i64 n = sizes[s][0], m = sizes[s][1];
            f32 *x = new_keys(WEFT_F32, n + m, KEYS_EXTREME, seed);
            u64 *values = new_keys(WEFT_U64, n + m, KEYS_RANDOM, seed);
            check_sorts(n + m, x, values);
            check_merges(n, m, x, values);
            free(x), free(values);
        }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {comparisons_that_are_none};
    return test_main(argc, argv, "disorder", tests, sizeof tests / sizeof *tests);
}
