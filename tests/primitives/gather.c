/* Gather and scatter against their definitions: every size of element, every kind of map.
 */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_i64, i64, (in, i64, x))

static const weft_type map_types[] = {WEFT_I32, WEFT_U32, WEFT_I64, WEFT_U64};

/* A random permutation of 0 .. n-1. */
static i64 *new_permutation(i64 n, u64 seed) {
    i64 *map = new_zeros(WEFT_I64, n);
    for (i64 i = 0; i < n; i++) {
        const i64 j = (i64)(test_random(&seed) % (u64)(i + 1));
        map[i] = map[j];
        map[j] = i;
    }
    return map;
}

static weft_array map_array(weft_type type, const i64 *map, i64 n) {
    char *host = new_zeros(type, n);
    for (i64 i = 0; i < n; i++)
        memcpy(host + (size_t)i * WEFT_SIZE(type), &map[i], WEFT_SIZE(type));
    const weft_array array = test_array(type, host, n);
    free(host);
    return array;
}

/* Both directions over one permutation; `flags` NULL: of all. */
static void check(weft_type type, weft_type map_type, i64 n, const u32 *flags) {
    const size_t size = WEFT_SIZE(type);
    char *in = new_keys(type, n, KEYS_RANDOM, 1),
         *before = new_keys(type, n, KEYS_RANDOM, 2);
    char *gathered = new_zeros(type, n), *scattered = new_zeros(type, n);
    char *got = new_zeros(type, n);
    i64 *map = new_permutation(n, 3);
    memcpy(gathered, before, (size_t)n * size);
    memcpy(scattered, before, (size_t)n * size);
    for (i64 i = 0; i < n; i++)
        if (!flags || flags[i]) {
            memcpy(gathered + (size_t)i * size, in + (size_t)map[i] * size, size);
            memcpy(scattered + (size_t)map[i] * size, in + (size_t)i * size, size);
        }
    const weft_array a = test_array(type, in, n), m = map_array(map_type, map, n);
    const weft_array to = test_array(type, before, n), from = test_array(type, before, n);
    if (flags) {
        const weft_array f = test_array(WEFT_U32, flags, n);
        weft_gather_if(device, a, m, f, from);
        weft_scatter_if(device, a, m, weft_lazy(n, lazy_u32, .x = f), to);
    } else {
        weft_gather(device, a, m, from);
        weft_scatter(device, a, m, to);
    }
    weft_read(device, from, got);
    ck_assert_mem_eq(got, gathered, (size_t)n * size);
    weft_read(device, to, got);
    ck_assert_mem_eq(got, scattered, (size_t)n * size);
    test_ok();
    free(in), free(before), free(gathered), free(scattered), free(got), free(map);
}

START_TEST(all_types) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        for (int m = 0; m < 4; m++) {
            const i64 n = 1000;
            u32 *flags = new_keys(WEFT_U32, n, KEYS_EXTREME, (u64)t);
            check(moved_types[t], map_types[m], n, NULL);
            check(moved_types[t], map_types[m], n, flags);
            free(flags);
        }
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        u32 *flags = new_keys(WEFT_U32, test_sizes[s], KEYS_EXTREME, 4);
        check(WEFT_U32, WEFT_U32, test_sizes[s], NULL);
        check(WEFT_F64, WEFT_I64, test_sizes[s], flags);
        free(flags);
    }
}
END_TEST

/* Up to 2^18 elements are scattered in one piece, more in blocks of 4096. */
START_TEST(blocks) {
    const i64 most = 1 << 18,
              sizes[] = {most - 1, most, most + 1, most + 4095, most + 4097};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        check(WEFT_U32, WEFT_U32, sizes[s], NULL);
}
END_TEST

/* Places all over n, each once: alone, or in rows of neighbours. */
static i64 *new_places(i64 count, i64 n) {
    enum { STRIDE = 1000003 };
    const i64 row = count % 2 ? 1 : 40;
    i64 *map = new_zeros(WEFT_I64, count);
    for (i64 i = 0; i < count; i++)
        map[i] = i / row * STRIDE % (n / row) * row + i % row;
    return map;
}

/* Elements all over 16 MiB and more are asked for ahead, eight at a time, by work-items of
 * 1024. */
static void check_far_gather(weft_type type, weft_type map_type, i64 count) {
    const size_t size = WEFT_SIZE(type);
    const i64 n = (1 << 24) / (i64)size + 3;
    char *in = new_keys(type, n, KEYS_RANDOM, 1), *got = new_zeros(type, count);
    i64 *map = new_places(count, n);
    const weft_array out = weft_array_new(device, type, count);
    weft_gather(device, test_array(type, in, n), map_array(map_type, map, count), out);
    weft_read(device, out, got);
    test_ok();
    for (i64 i = 0; i < count; i++)
        ck_assert_mem_eq(got + (size_t)i * size, in + (size_t)map[i] * size, size);
    free(in), free(got), free(map);
}

/* Of so many that more than one work-item scatters them, all over 4 MiB and more. */
static void check_far_scatter(weft_type type, weft_type map_type, i64 more) {
    const size_t size = WEFT_SIZE(type);
    const i64 count = (1 << 18) + more, n = 2 * count + (1 << 22) / (i64)size;
    char *in = new_keys(type, count, KEYS_RANDOM, 1), *got = new_zeros(type, n),
         *wanted = new_zeros(type, n);
    i64 *map = new_places(count, n);
    const weft_array out = test_array(type, wanted, n);
    weft_scatter(device, test_array(type, in, count), map_array(map_type, map, count), out);
    weft_read(device, out, got);
    test_ok();
    for (i64 i = 0; i < count; i++)
        memcpy(wanted + (size_t)map[i] * size, in + (size_t)i * size, size);
    ck_assert_mem_eq(got, wanted, (size_t)n * size);
    free(in), free(got), free(wanted), free(map);
}

START_TEST(far) {
    const i64 counts[] = {1, 7, 8, 63, 71, 72, 73, 1023, 1024, 1025, 5001};
    for (int c = 0; c < (int)(sizeof counts / sizeof *counts); c++)
        check_far_gather(WEFT_U32, c % 2 ? WEFT_U32 : WEFT_I64, counts[c]);
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        check_far_gather(moved_types[t], map_types[t % 4], 3001);
        check_far_scatter(moved_types[t], map_types[(t + 1) % 4], 1 + t);
    }
    check_far_scatter(WEFT_U32, WEFT_U32, 1024);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 1000;
    u32 host[1000], got[1000];
    i64 *map = new_permutation(n, 5);
    for (i64 i = 0; i < n; i++)
        host[i] = (u32)(i * i);
    const weft_array a = test_array(WEFT_U32, host, n), m = test_array(WEFT_I64, map, n);
    const weft_array out = weft_array_new(device, WEFT_U32, n);
    const weft_array back = weft_array_new(device, WEFT_U32, n);
    weft_gather(device, weft_lazy(n, lazy_u32, .x = a), weft_lazy(n, lazy_i64, .x = m),
                out);
    weft_read(device, out, got);
    for (i64 i = 0; i < n; i++)
        ck_assert_uint_eq(got[i], host[map[i]]);
    weft_scatter(device, weft_lazy(n, lazy_u32, .x = out), weft_lazy(n, lazy_i64, .x = m),
                 back);
    weft_read(device, back, got);
    ck_assert_mem_eq(got, host, sizeof host);
    free(map);
}
END_TEST

/* A map may be shorter or longer than what it maps from and to. */
START_TEST(other_lengths) {
    const u32 host[] = {10, 11, 12}, map[] = {2, 2, 0, 1, 2};
    u32 got[5];
    const weft_array in = test_array(WEFT_U32, host, 3), m = test_array(WEFT_U32, map, 5);
    const weft_array out = weft_array_new(device, WEFT_U32, 5);
    weft_gather(device, in, m, out);
    weft_read(device, out, got);
    const u32 expected[] = {12, 12, 10, 11, 12};
    ck_assert_mem_eq(got, expected, sizeof got);
    weft_scatter(device, in, weft_slice(device, m, 2, 3), out);
    weft_read(device, out, got);
    const u32 placed[] = {10, 11, 12, 11, 12};
    ck_assert_mem_eq(got, placed, sizeof got);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_array none = {0}, in = test_array(WEFT_U32, host, 8);
    const weft_array map = test_array(WEFT_U32, host, 8),
                     out = test_array(WEFT_U32, host, 8);
    const weft_array f = weft_array_new(device, WEFT_F32, 8);
    const weft_array few = weft_array_new(device, WEFT_U32, 7);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    const weft_array lazy = weft_lazy(8, lazy_u32, .x = in);
    weft_gather(device, none, map, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather: array 'in' is missing");
    weft_gather(device, in, none, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather: array 'map' is missing");
    weft_gather(device, in, f, out);
    test_expect_error(WEFT_E_TYPE, "'map' has elements of f32, not i32, u32, i64 or u64");
    weft_gather(device, in, map, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather: array 'out' is missing");
    weft_gather(device, in, map, f);
    test_expect_error(WEFT_E_TYPE, "'out' has elements of f32, not u32");
    weft_gather(device, in, map, few);
    test_expect_error(WEFT_E_SHAPE, "'out' has 7 elements, at least 8");
    weft_gather(device, in, map, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "'out' is read-only");
    weft_gather(device, in, map, lazy);
    test_expect_error(WEFT_E_ARGUMENT, "'out' is lazy");
    weft_gather(device, in, map, in);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather: array 'out' overlaps");
    weft_gather(device, in, map, map);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather: array 'out' overlaps");
    weft_gather_if(device, in, map, none, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_if: array 'flags' is missing");
    weft_gather_if(device, in, map, f, out);
    test_expect_error(WEFT_E_TYPE, "weft_gather_if: array 'flags' has elements of f32");
    weft_gather_if(device, in, map, few, out);
    test_expect_error(WEFT_E_SHAPE, "weft_gather_if: array 'flags' has 7 elements");
    weft_gather_if(device, in, map, out, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_if: array 'out' overlaps");
    weft_scatter(device, few, map, out);
    test_expect_error(WEFT_E_SHAPE, "weft_scatter: array 'in' has 7 elements");
    weft_scatter(device, in, f, out);
    test_expect_error(WEFT_E_TYPE, "weft_scatter: array 'map' has elements of f32");
    weft_scatter(device, in, map, f);
    test_expect_error(WEFT_E_TYPE, "weft_scatter: array 'out' has elements of f32");
    weft_scatter(device, in, map, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scatter: array 'out' is read-only");
    weft_scatter(device, in, map, in);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scatter: array 'out' overlaps");
    weft_scatter_if(device, in, map, few, out);
    test_expect_error(WEFT_E_SHAPE, "weft_scatter_if: array 'flags' has 7 elements");
    weft_scatter_if(device, none, map, in, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scatter_if: array 'in' is missing");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_types,   all_sizes,     blocks,         far,
                                  lazy_inputs, other_lengths, wrong_arguments};
    return test_main(argc, argv, "gather", tests, sizeof tests / sizeof *tests);
}
