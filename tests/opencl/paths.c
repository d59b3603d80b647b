/* Every way in which the OpenCL backend folds, scans and sorts, against the serial one. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "paths.kernel.h"

#include <weft/operators.h>
#include <weft/queue.h>
#include <weft/reduce.h>
#include <weft/scan.h>
#include <weft/sort.h>

#include <stdlib.h>
#include <string.h>

WEFT_OPERATOR(paths_compose, paths_line, {1, 0})
WEFT_OPERATOR(paths_wide_add, paths_wide, {{0}})
WEFT_OPERATOR(paths_add, u64, 0)
WEFT_GENERATOR(paths_line_make, paths_line, (in, u32, seed))
WEFT_GENERATOR(paths_wide_make, paths_wide, (value, u32, seed))
WEFT_GENERATOR(paths_head, u32, (in, u32, seed), (value, u32, rarity))
WEFT_GENERATOR(paths_small, f32, (in, u32, seed))
WEFT_GENERATOR(paths_small_f64, f64, (in, u32, seed))
WEFT_GENERATOR(paths_square, u64, (value, u64, shift))

enum { LARGE = 300001, MANY_TILES = 1100 * 256 * 13 };

static weft_device *definition, *kept;
static int in_groups; /* the path */

/* Random bits with runs of equal elements. */
static weft_array random_on(weft_device *d, weft_type type, i64 n, u64 seed) {
    const size_t bytes = (size_t)n * WEFT_SIZE(type);
    u64 *host = malloc(bytes + 8);
    for (size_t k = 0; k * 8 < bytes; k++)
        host[k] = test_random(&seed) >> (k % 3 ? 0 : 40);
    const weft_array array = weft_array_new(d, type, n);
    if (n > 0)
        weft_write(d, array, (const void *)host);
    free(host);
    return array;
}

/* Both devices hold the same bytes. */
static void expect_same(const char *what, i64 n, weft_array a, weft_array b) {
    const size_t bytes = (size_t)a.length * WEFT_SIZE(a.type);
    char *x = malloc(bytes + 1), *y = malloc(bytes + 1);
    weft_read(device, a, x);
    weft_read(definition, b, y);
    ck_assert_msg(weft_check(device) == WEFT_OK, "%s", weft_error(device));
    ck_assert_msg(weft_check(definition) == WEFT_OK, "%s", weft_error(definition));
    ck_assert_msg(memcmp(x, y, bytes) == 0, "%s differs at n = %lld", what, (long long)n);
    free(x);
    free(y);
    weft_array_free(device, a);
    weft_array_free(definition, b);
}

static weft_array fold_on(weft_device *d, weft_array in, const weft_operator *op) {
    const weft_array out = weft_array_new(d, op->type, 1);
    weft_reduce_into(d, in, op, out);
    return out;
}

static weft_array scan_on(weft_device *d, weft_array in, weft_array heads, i64 n,
                          const weft_operator *op, u32 flags) {
    const weft_array out = weft_array_new(d, op->type, n);
    if (heads.type)
        weft_scan_segments(d, in, heads, op, flags, out);
    else
        weft_scan(d, in, op, flags, out);
    return out;
}

static void check_folds(i64 n) {
    const weft_type types[] = {WEFT_U8, WEFT_I16, WEFT_U32, WEFT_I64};
    for (int t = 0; t < 4; t++) {
        const weft_array a = random_on(device, types[t], n, 7);
        const weft_array b = random_on(definition, types[t], n, 7);
        const weft_operator *op = t % 2 ? weft_maximum(types[t]) : weft_plus(types[t]);
        expect_same("a fold", n, fold_on(device, a, op), fold_on(definition, b, op));
        weft_array_free(device, a);
        weft_array_free(definition, b);
    }
    expect_same(
        "a lazy sum", n,
        fold_on(device, weft_lazy(n, paths_square, .shift = 3), weft_op(paths_add)),
        fold_on(definition, weft_lazy(n, paths_square, .shift = 3), weft_op(paths_add)));
    expect_same(
        "a wide sum", n,
        fold_on(device, weft_lazy(n, paths_wide_make, .seed = 5), weft_op(paths_wide_add)),
        fold_on(definition, weft_lazy(n, paths_wide_make, .seed = 5),
                weft_op(paths_wide_add)));
}

static void check_scans(i64 n) {
    const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_U32, WEFT_U64};
    const weft_array none = {0};
    const weft_array s = random_on(device, WEFT_U32, n, 9);
    const weft_array r = random_on(definition, WEFT_U32, n, 9);
    const int all = test_is_whole(); /* or on one path inclusive, on the other not */
    for (u32 flags = all ? 0 : (u32)in_groups; flags < 2; flags += all ? 1 : 2) {
        for (u32 t = flags; t < 4; t += 2) { /* each type in one way */
            const weft_array a = random_on(device, types[t], n, 8);
            const weft_array b = random_on(definition, types[t], n, 8);
            const weft_operator *plus = weft_plus(types[t]);
            expect_same("a scan", n, scan_on(device, a, none, n, plus, flags),
                        scan_on(definition, b, none, n, plus, flags));
            weft_scan(device, a, plus, flags, a);
            weft_scan(definition, b, plus, flags, b);
            expect_same("a scan in place", n, a, b);
        }
        expect_same("a scan of lines", n,
                    scan_on(device, weft_lazy(n, paths_line_make, .seed = s), none, n,
                            weft_op(paths_compose), flags),
                    scan_on(definition, weft_lazy(n, paths_line_make, .seed = r), none, n,
                            weft_op(paths_compose), flags));
        const u32 rarities[] = {2, 300, 50000};
        for (int k = 0; k < 3; k++) {
            const u32 rarity = rarities[k];
            expect_same("a scan of lines by segments", n,
                        scan_on(device, weft_lazy(n, paths_line_make, .seed = s),
                                weft_lazy(n, paths_head, .seed = s, .rarity = rarity), n,
                                weft_op(paths_compose), flags),
                        scan_on(definition, weft_lazy(n, paths_line_make, .seed = r),
                                weft_lazy(n, paths_head, .seed = r, .rarity = rarity), n,
                                weft_op(paths_compose), flags));
        }
        expect_same("a scan of u32 by segments", n,
                    scan_on(device, s, weft_lazy(n, paths_head, .seed = s, .rarity = 99), n,
                            weft_plus(WEFT_U32), flags),
                    scan_on(definition, r,
                            weft_lazy(n, paths_head, .seed = r, .rarity = 99), n,
                            weft_plus(WEFT_U32), flags));
        expect_same("a scan of f32", n,
                    scan_on(device, weft_lazy(n, paths_small, .seed = s), none, n,
                            weft_plus(WEFT_F32), flags),
                    scan_on(definition, weft_lazy(n, paths_small, .seed = r), none, n,
                            weft_plus(WEFT_F32), flags));
        expect_same("a scan of f64 by segments", n,
                    scan_on(device, weft_lazy(n, paths_small_f64, .seed = s),
                            weft_lazy(n, paths_head, .seed = s, .rarity = 5000), n,
                            weft_plus(WEFT_F64), flags),
                    scan_on(definition, weft_lazy(n, paths_small_f64, .seed = r),
                            weft_lazy(n, paths_head, .seed = r, .rarity = 5000), n,
                            weft_plus(WEFT_F64), flags));
        expect_same("a wide scan", n,
                    scan_on(device, weft_lazy(n / 9, paths_wide_make, .seed = 5), none,
                            n / 9, weft_op(paths_wide_add), flags),
                    scan_on(definition, weft_lazy(n / 9, paths_wide_make, .seed = 5), none,
                            n / 9, weft_op(paths_wide_add), flags));
    }
    weft_array_free(device, s);
    weft_array_free(definition, r);
}

static void check_sort(weft_type type, weft_type with, i64 n, weft_order order,
                       int begin_bit, int end_bit) {
    const weft_array a = random_on(device, type, n, 11);
    const weft_array b = random_on(definition, type, n, 11);
    weft_array x = {0}, y = {0};
    if (with) {
        x = random_on(device, with, n, 12);
        y = random_on(definition, with, n, 12);
    }
    weft_sort_bits(device, a, x, order, begin_bit, end_bit);
    weft_sort_bits(definition, b, y, order, begin_bit, end_bit);
    expect_same("sorted keys", n, a, b);
    if (with)
        expect_same("sorted values", n, x, y);
}

static void check_sorts(i64 n) {
    const weft_type types[] = {WEFT_I8,  WEFT_U8,  WEFT_I16, WEFT_U16, WEFT_I32,
                               WEFT_U32, WEFT_I64, WEFT_U64, WEFT_F32, WEFT_F64};
    const int all = test_is_whole(); /* or on one path the signed ones, on the other not */
    for (int t = all ? 0 : in_groups; t < 10; t += all ? 1 : 2) {
        const int bits = 8 * (int)WEFT_SIZE(types[t]);
        const weft_type with = t % 2 ? WEFT_U32 : WEFT_U64;
        check_sort(types[t], with, n, WEFT_ASCENDING, 0, bits);
        check_sort(types[t], with, n, WEFT_ASCENDING, 3, bits / 2);
        if (t % 3 == 0) /* i8, u16, i64 and f64 */
            check_sort(types[t], 0, n, WEFT_DESCENDING, 0, bits);
    }
}

/* Numbers that ascend, some of them equal. */
static weft_array ascending_on(weft_device *d, weft_type type, i64 n, u64 seed) {
    u64 *host = malloc((size_t)n * sizeof *host + 8), last = 0;
    for (i64 i = 0; i < n; i++) {
        last += test_random(&seed) % 3;
        if (type == WEFT_U32)
            ((u32 *)host)[i] = (u32)last;
        else
            host[i] = last;
    }
    const weft_array array = weft_array_new(d, type, n);
    if (n > 0)
        weft_write(d, array, (const void *)host);
    free(host);
    return array;
}

static weft_array merge_on(weft_device *d, weft_type type, i64 n) {
    const i64 some = n / 3;
    const weft_array a = ascending_on(d, type, some, 13),
                     b = ascending_on(d, type, n - some, 14),
                     out = weft_array_new(d, type, n);
    weft_merge(d, a, b, out);
    weft_array_free(d, a);
    weft_array_free(d, b);
    return out;
}

static void check_merges(i64 n) {
    expect_same("a merge of u32", n, merge_on(device, WEFT_U32, n),
                merge_on(definition, WEFT_U32, n));
    /* Where tiles are many, a launch of its own splits the inputs. */
    const i64 m = n == LARGE ? MANY_TILES : n;
    expect_same("a merge of u64", m, merge_on(device, WEFT_U64, m),
                merge_on(definition, WEFT_U64, m));
}

/* A fresh device on the path that WEFT_OPENCL_PORTABLE names. */
static void on_path(const char *path, void (*check)(i64 n)) {
    if (path)
        setenv("WEFT_OPENCL_PORTABLE", path, 1);
    else
        unsetenv("WEFT_OPENCL_PORTABLE");
    in_groups = path && strcmp(path, "groups") == 0;
    definition = weft_open("serial");
    device = weft_open_queue(kept); /* paths are chosen as it is opened */
    test_ok();
    /* A CPU's choice are chunks. */
    const int is_tested = !path && weft_device_style(device) == WEFT_SIMD;
    for (int s = 0; s < test_size_count; s += is_tested ? 5 : 1)
        check(test_sizes[s]);
    check(LARGE);
    weft_close(device);
    weft_close(definition);
}

START_TEST(folds_as_chosen) {
    on_path(NULL, check_folds);
}
END_TEST
START_TEST(folds_in_chunks) {
    on_path("chunks", check_folds);
}
END_TEST
START_TEST(folds_in_groups) {
    on_path("groups", check_folds);
}
END_TEST
START_TEST(scans_as_chosen) {
    on_path(NULL, check_scans);
}
END_TEST
START_TEST(scans_in_chunks) {
    on_path("chunks", check_scans);
}
END_TEST
START_TEST(scans_in_groups) {
    on_path("groups", check_scans);
}
END_TEST
START_TEST(sorts_as_chosen) {
    on_path(NULL, check_sorts);
}
END_TEST
START_TEST(sorts_in_chunks) {
    on_path("chunks", check_sorts);
}
END_TEST
START_TEST(sorts_in_groups) {
    on_path("groups", check_sorts);
}
END_TEST
START_TEST(merges_in_groups) {
    on_path("groups", check_merges);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {folds_as_chosen, folds_in_chunks, folds_in_groups,
                                  scans_as_chosen, scans_in_chunks, scans_in_groups,
                                  sorts_as_chosen, sorts_in_chunks, sorts_in_groups,
                                  merges_in_groups};
    kept = weft_open("opencl");
    const int failed = suite_main("opencl paths", tests, sizeof tests / sizeof *tests);
    weft_close(kept);
    return failed;
}
