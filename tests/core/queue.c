/* Several queues of one device, events between them, and their errors. */
#include "harness.h"

#include <pthread.h>
#include <string.h>

#include "queue.kernel.h"

WEFT_KERNEL(queue_add, (value, u32, more), (inout, u32, x))
WEFT_KERNEL(queue_mix, (in, u32, x), (out, u32, y))

enum { N = 20000, ROUNDS = 20, THREADS = 3 };

/* Later work of `later` begins after that of `first` up to now. */
static void order(weft_device *first, weft_device *later) {
    weft_event *event = weft_record(first);
    ck_assert_ptr_nonnull(event);
    ck_assert_int_eq(weft_wait_for(later, event), weft_check(later));
    weft_event_free(event);
}

static weft_device *beside(weft_device *d) {
    weft_device *other = weft_open_queue(d);
    ck_assert_msg(weft_check(other) == WEFT_OK, "%s", weft_error(other));
    ck_assert_str_eq(weft_backend_name(other), weft_backend_name(d));
    ck_assert_str_eq(weft_device_name(other), weft_device_name(d));
    ck_assert_int_eq(weft_concurrency(other), weft_concurrency(d));
    return other;
}

static u32 mixed(u32 word) {
    for (int k = 0; k < 64; k++)
        word = word * 1664525u + 1013904223u;
    return word;
}

/* An array of one queue is read and written by both, in turns. */
START_TEST(arrays_of_each_other) {
    static u32 host[N];
    weft_device *other = beside(device);
    const weft_array x = weft_array_new(device, WEFT_U32, N),
                     y = weft_array_new(other, WEFT_U32, N);
    weft_fill(device, x, &(u32){3});
    for (u32 k = 0; k < ROUNDS; k++) {
        weft_for_each(device, N, queue_add, .more = 1, .x = x);
        order(device, other);
        weft_for_each(other, N, queue_mix, .x = x, .y = y);
        weft_for_each(other, N, queue_add, .more = 5, .x = weft_slice(other, x, 0, N));
        order(other, device);
    }
    weft_scan(device, y, weft_maximum(WEFT_U32), WEFT_INCLUSIVE, x);
    weft_read(device, x, host);
    test_ok();
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], mixed(3 + ROUNDS + 5 * (ROUNDS - 1)));
    ck_assert_uint_eq(weft_memory_use(other).used, weft_memory_use(device).used);
    weft_close(other);
}
END_TEST

/* What one makes the other uses up, from two arrays in turn. */
START_TEST(pipeline) {
    static u32 host[N];
    weft_device *other = beside(device);
    weft_array x[2], sum = weft_array_new(other, WEFT_U32, 1);
    weft_event *made[2] = {NULL}, *used[2] = {NULL};
    u64 state = 1;
    u32 expected = 0;
    for (int k = 0; k < 2; k++)
        x[k] = weft_array_new(device, WEFT_U32, N);
    for (u32 round = 0; round < 2 * ROUNDS; round++) {
        const u32 k = round % 2, start = (u32)test_random(&state);
        if (used[k])
            weft_wait_for(device, used[k]);
        weft_sequence(device, x[k], &start, &(u32){0});
        weft_for_each(device, N, queue_mix, .x = x[k], .y = x[k]);
        weft_event_free(made[k]);
        made[k] = weft_record(device);
        weft_wait_for(other, made[k]);
        weft_reduce_into(other, x[k], weft_maximum(WEFT_U32), sum);
        weft_event_free(used[k]);
        used[k] = weft_record(other);
        expected = mixed(start);
        if (round % 7 == 0) {
            weft_get(other, sum, 0, host);
            ck_assert_uint_eq(host[0], expected);
        }
    }
    weft_get(other, sum, 0, host);
    ck_assert_uint_eq(host[0], expected);
    ck_assert(weft_event_done(used[1]) && weft_event_done(made[1]));
    for (int k = 0; k < 2; k++)
        weft_event_free(made[k]), weft_event_free(used[k]);
    ck_assert_msg(weft_check(other) == WEFT_OK, "%s", weft_error(other));
    weft_close(other);
}
END_TEST

START_TEST(ends_where_it_began) {
    u32 host[10] = {0};
    weft_device *other = beside(device);
    const weft_array x = weft_array_new(other, WEFT_U32, 10),
                     lent = weft_borrow(other, WEFT_U32, host, 10);
    weft_array_free(device, x);
    test_expect_error(WEFT_E_ARGUMENT,
                      "weft_array_free: array 'array' belongs to another queue of the");
    weft_return(device, lent);
    test_expect_error(WEFT_E_ARGUMENT, "weft_return: array 'array' belongs to another que");
    weft_return(other, lent);
    weft_array_free(other, x);
    weft_for_each(device, 10, queue_add, .more = 1, .x = x);
    test_expect_error(WEFT_E_ARGUMENT, "array 'x' was freed by weft_array_free");
    weft_device *stranger = weft_open(weft_backend_name(device));
    const weft_array y = weft_array_new(stranger, WEFT_U32, 10);
    weft_for_each(other, 10, queue_add, .more = 1, .x = y);
    ck_assert_int_eq(weft_check(other), WEFT_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(weft_error(other), "belongs to another device"));
    weft_close(stranger);
    weft_close(other);
}
END_TEST

/* A queue does not go on from what was never computed. */
START_TEST(errors_are_handed_on) {
    weft_device *other = beside(device);
    weft_fail(device, WEFT_E_SHAPE, "made up");
    weft_event *event = weft_record(device);
    weft_clear(device);
    ck_assert_ptr_nonnull(event);
    ck_assert(weft_event_done(event));
    ck_assert_int_eq(weft_wait_for(other, event), WEFT_E_SHAPE);
    ck_assert_str_eq(weft_error(other), "made up");
    weft_clear(other);
    weft_event_free(event);
    ck_assert_int_eq(weft_wait_for(other, NULL), WEFT_E_MEMORY);
    ck_assert_ptr_nonnull(strstr(weft_error(other), "weft_wait_for: 'event' is NULL"));
    weft_device *third = weft_open_queue(other); /* of one with an error */
    ck_assert_int_eq(weft_check(third), WEFT_E_MEMORY);
    ck_assert_str_eq(weft_error(third), weft_error(other));
    weft_close(third);
    weft_close(other);
    weft_event_free(NULL);
    ck_assert(weft_event_done(NULL));
    ck_assert_ptr_null(weft_record(NULL));
}
END_TEST

/* Devices that share no memory can wait for each other, too, and events outlive devices. */
START_TEST(other_devices) {
    static u32 host[N];
    weft_device *stranger = weft_open(weft_backend_built_in(0)),
                *twin = weft_open(weft_backend_name(device));
    const weft_array x = weft_borrow(twin, WEFT_U32, host, N);
    weft_for_each(twin, N, queue_add, .more = 7, .x = x);
    weft_return(twin, x);
    weft_event *event = weft_record(twin);
    ck_assert_int_eq(weft_wait_for(device, event), WEFT_OK);
    ck_assert_int_eq(weft_wait_for(stranger, event), WEFT_OK);
    ck_assert(weft_event_done(event));
    weft_close(twin);
    ck_assert_int_eq(weft_wait_for(device, event), WEFT_OK);
    weft_event_free(event);
    weft_close(stranger);
}
END_TEST

START_TEST(closed_in_any_order) {
    u32 host[10];
    weft_device *first = beside(device), *second = beside(first);
    weft_close(first);
    const weft_array x = weft_array_new(second, WEFT_U32, 10);
    weft_fill(second, x, &(u32){4});
    order(second, device);
    weft_for_each(device, 10, queue_add, .more = 2, .x = x);
    weft_read(device, x, host);
    for (int i = 0; i < 10; i++)
        ck_assert_uint_eq(host[i], 6);
    weft_close(second);
}
END_TEST

typedef struct share {
    weft_device *mine;
    weft_array part;
    int right;
} share;

static void *work(void *given) {
    static u32 host[THREADS][N];
    share *s = given;
    u32 *seen = host[s->right]; /* its number */
    for (int k = 0; k < ROUNDS; k++) {
        weft_for_each(s->mine, s->part.length, queue_add, .more = 1, .x = s->part);
        weft_array_free(s->mine, weft_array_new(s->mine, WEFT_U32, 100 + k));
    }
    s->right = weft_read(s->mine, s->part, seen) == WEFT_OK;
    for (i64 i = 0; i < s->part.length; i++)
        s->right &= seen[i] == ROUNDS + 1;
    return NULL;
}

/* A queue a thread, each on its part of one array. */
START_TEST(threads) {
    pthread_t thread[THREADS];
    share shares[THREADS];
    const weft_array x = weft_array_new(device, WEFT_U32, THREADS * N / 4);
    weft_fill(device, x, &(u32){1});
    for (int k = 0; k < THREADS; k++) {
        shares[k] = (share){beside(device), weft_slice(device, x, k * N / 4, N / 4), k};
        order(device, shares[k].mine);
    }
    test_ok();
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_create(&thread[k], NULL, work, &shares[k]), 0);
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < THREADS; k++) {
        ck_assert_msg(shares[k].right == 1, "thread %d: %s", k, weft_error(shares[k].mine));
        weft_close(shares[k].mine);
    }
}
END_TEST

/* The caller's memory is free again after each write, however many there are. */
START_TEST(written_one_after_the_other) {
    enum { WRITES = 300, EACH = 64, WIDE = 40000 };
    static u32 host[WIDE], back[WRITES * EACH];
    const weft_array x = weft_array_new(device, WEFT_U32, WRITES * EACH);
    const weft_array wide = weft_array_new(device, WEFT_U32, WIDE);
    weft_fill(device, x, &(u32){0});
    for (u32 k = 0; k < WRITES; k++) {
        for (u32 i = 0; i < EACH; i++)
            host[i] = k * EACH + i;
        weft_write(device, weft_slice(device, x, k * EACH, EACH), host);
        if (k % 50 == 0)
            weft_write(device, wide, host);
        memset(host, 0xa5, sizeof host);
    }
    weft_for_each(device, WRITES * EACH, queue_add, .more = 1, .x = x);
    weft_read(device, x, back);
    test_ok();
    for (u32 i = 0; i < WRITES * EACH; i++)
        ck_assert_uint_eq(back[i], i + 1);
    weft_array_free(device, x);
    weft_array_free(device, wide);
}
END_TEST

/* Copies that nobody waits for, in order with all else. */
START_TEST(copied_later) {
    static u32 host[N], back[N], part[N];
    const weft_array x = weft_array_new(device, WEFT_U32, N);
    for (u32 i = 0; i < N; i++)
        host[i] = 3 * i;
    memset(back, 0, sizeof back);
    weft_write_later(device, x, host);
    weft_for_each(device, N, queue_add, .more = 1, .x = x);
    weft_read_later(device, weft_slice(device, x, 100, 200), part);
    weft_for_each(device, N, queue_add, .more = 1, .x = x);
    weft_read_later(device, x, back);
    ck_assert_int_eq(weft_synchronize(device), WEFT_OK);
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(back[i], 3 * i + 2);
    for (u32 i = 0; i < 200; i++)
        ck_assert_uint_eq(part[i], 3 * (i + 100) + 1);
    weft_write_later(device, weft_slice(device, x, 0, 0), NULL);
    weft_read_later(device, weft_slice(device, x, 0, 0), NULL);
    test_ok();
    weft_write_later(device, x, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_write_later: 'host' is NULL");
    weft_fail(device, WEFT_E_ARGUMENT, "made up");
    weft_read_later(device, x, back);
    ck_assert_uint_eq(back[N - 1], 0);
    weft_clear(device);
    weft_array_free(device, x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {arrays_of_each_other,
                                  pipeline,
                                  ends_where_it_began,
                                  errors_are_handed_on,
                                  other_devices,
                                  closed_in_any_order,
                                  threads,
                                  written_one_after_the_other,
                                  copied_later};
    return test_main(argc, argv, "queue", tests, sizeof tests / sizeof *tests);
}
