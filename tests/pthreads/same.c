/* The number of threads changes no bit of any result, and devices do not disturb others. */
#include "harness.h"
#include "same.kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEFT_OPERATOR(same_plus_f32, f32, 0)
WEFT_OPERATOR(same_plus_f64, f64, 0)
WEFT_GENERATOR(same_f32, f32, (value, u32, seed))
WEFT_GENERATOR(same_f64, f64, (value, u32, seed))
WEFT_GENERATOR(same_head, u32, (value, u32, length))
WEFT_KERNEL(same_uneven, (value, i64, n), (out, u32, steps))
WEFT_PAIRS(same_pull, f32, 0, (in, f32, x))

static const char *const devices[] = {"pthreads:1", "pthreads:2", "pthreads:3",
                                      "pthreads:7", "pthreads:16"};
enum { DEVICES = 5, LARGEST = 300007, SEGMENTS = 4 };
static const i64 sizes[] = {1,    8,     9,     1000,   4096,   4097,
                            8191, 16385, 65537, 100003, 131072, LARGEST};

/* All results over n elements, one after another. */
typedef struct results {
    f32 reduced_f32, scan[5][LARGEST], pulled[LARGEST];
    f64 reduced_f64, wide[LARGEST];
    u32 steps[LARGEST];
    f32 summed[LARGEST]; /* over runs of equal steps */
    i64 runs;
    f32 segments[2][SEGMENTS]; /* of very different lengths, and of equal ones */
} results;

/* Segments of very different lengths. */
static weft_array new_offsets(weft_device *d, i64 n) {
    const i64 host[5] = {0, n / 100, n / 100, n / 50, n < 3000 ? n : n / 50 + 2000};
    const weft_array offsets = weft_array_new(d, WEFT_I64, 5);
    weft_write(d, offsets, host);
    return offsets;
}

static void run(weft_device *d, i64 n, results *r) {
    weft_scope_open(d);
    const weft_array x = weft_scratch(d, WEFT_F32, n), y = weft_scratch(d, WEFT_F32, n);
    const weft_array wide = weft_scratch(d, WEFT_F64, n), u = weft_scratch(d, WEFT_U32, n);
    const weft_array heads = weft_lazy(n, same_head, .length = 700);
    weft_copy(d, weft_lazy(n, same_f32, .seed = 7), x);
    weft_reduce(d, x, weft_op(same_plus_f32), &r->reduced_f32);
    weft_reduce(d, weft_lazy(n, same_f64, .seed = 9), weft_op(same_plus_f64),
                &r->reduced_f64);
    weft_scan(d, x, weft_op(same_plus_f32), WEFT_INCLUSIVE, y);
    weft_read(d, y, r->scan[0]);
    weft_scan_segments(d, x, heads, weft_op(same_plus_f32), WEFT_EXCLUSIVE, y);
    weft_read(d, y, r->scan[1]);
    weft_scan(d, x, weft_plus(WEFT_F32), WEFT_INCLUSIVE, y);
    weft_read(d, y, r->scan[3]);
    weft_scan_segments(d, x, heads, weft_plus(WEFT_F32), WEFT_EXCLUSIVE, y);
    weft_read(d, y, r->scan[4]);
    weft_scan(d, x, weft_op(same_plus_f32), WEFT_EXCLUSIVE | WEFT_REVERSE, x);
    weft_read(d, x, r->scan[2]);
    weft_scan(d, weft_lazy(n, same_f64, .seed = 1), weft_op(same_plus_f64), WEFT_INCLUSIVE,
              wide);
    weft_read(d, wide, r->wide);
    weft_for_each(d, n, same_uneven, .n = n, .steps = u);
    weft_read(d, u, r->steps);
    const weft_array keys = weft_scratch(d, WEFT_U32, n);
    weft_reduce_by_key(d, u, x, weft_op(same_plus_f32), keys, y, &r->runs);
    weft_read(d, weft_slice(d, y, 0, r->runs), r->summed);
    weft_fill(d, y, &(f32){0});
    const weft_array offsets = new_offsets(d, n);
    weft_pairs(d, offsets, y, same_pull, .x = x);
    weft_read(d, y, r->pulled);
    const weft_array sums = weft_scratch(d, WEFT_F32, SEGMENTS);
    weft_reduce_segments(d, x, offsets, weft_plus(WEFT_F32), sums);
    weft_read(d, sums, r->segments[0]);
    weft_write(d, offsets, (const i64[]){0, n / 4, n / 2, n - n / 4, n});
    weft_reduce_segments(d, x, offsets, weft_plus(WEFT_F32), sums);
    weft_read(d, sums, r->segments[1]);
    weft_array_free(d, offsets);
    weft_scope_close(d);
}

static results *new_results(const char *name, i64 n) {
    results *r = calloc(1, sizeof *r);
    weft_device *d = weft_open(name);
    run(d, n, r);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    weft_close(d);
    return r;
}

START_TEST(any_number_of_threads) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        results *first = new_results(devices[0], sizes[s]);
        for (int k = 1; k < DEVICES; k++) {
            results *r = new_results(devices[k], sizes[s]);
            ck_assert_msg(memcmp(r, first, sizeof *r) == 0, "%s differs at n = %lld",
                          devices[k], (long long)sizes[s]);
            free(r);
        }
        free(first);
    }
}
END_TEST

/* Several devices of one thread, their launches in turn. */
START_TEST(devices_side_by_side) {
    weft_device *d[DEVICES];
    results *expected = new_results(devices[0], 20011);
    for (int k = 0; k < DEVICES; k++)
        d[k] = weft_open(devices[k]);
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < DEVICES; k++) {
            results *r = calloc(1, sizeof *r);
            run(d[k], 20011, r);
            ck_assert_mem_eq(r, expected, sizeof *r);
            free(r);
        }
    for (int k = 0; k < DEVICES; k++)
        weft_close(d[DEVICES - 1 - k]);
    free(expected);
}
END_TEST

static void *own_device(void *name) {
    return new_results(name, 50021);
}

START_TEST(devices_of_several_threads) {
    pthread_t thread[DEVICES];
    char names[DEVICES][32];
    results *expected = new_results(devices[0], 50021);
    for (int k = 0; k < DEVICES; k++) {
        snprintf(names[k], sizeof names[k], "%s", devices[k]);
        ck_assert_int_eq(pthread_create(&thread[k], NULL, own_device, names[k]), 0);
    }
    for (int k = 0; k < DEVICES; k++) {
        void *r;
        pthread_join(thread[k], &r);
        ck_assert_mem_eq(r, expected, sizeof *expected);
        free(r);
    }
    free(expected);
}
END_TEST

START_TEST(many_small_launches) {
    for (int k = 0; k < DEVICES; k++) {
        weft_device *d = weft_open(devices[k]);
        const weft_array u = weft_array_new(d, WEFT_U32, 200);
        u32 host[200];
        for (i64 r = 0; r < 3000; r++) {
            const i64 n = 1 + r % 200;
            weft_for_each(d, n, same_uneven, .n = 1000, .steps = u);
        }
        weft_read(d, u, host);
        ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
        for (i64 i = 0; i < 200; i++) {
            u32 one[200] = {0};
            same_uneven(i, 1000, one);
            ck_assert_int_eq(host[i], one[i]);
        }
        weft_close(d);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {any_number_of_threads, devices_side_by_side,
                                  devices_of_several_threads, many_small_launches};
    return test_main(argc, argv, "same", tests, sizeof tests / sizeof *tests);
}
