/* Which of two ways is taken, by made-up times; and that scans give the same bytes both
 * ways, since the calls of a trial take one and the other. */
#include "harness.h"
#include "backends/pthreads/pthreads.h"

#include <stdlib.h>
#include <string.h>
#include <weft/philox.h>

enum { TRIAL = 8, REST = 8, LENGTH = (1 << 22) + 5, CALLS = TRIAL + 1 };

/* So many calls of the two ways, which take so long; returns how many were of way 1. */
static int run(host_choice *choice, int calls, f64 way0, f64 way1) {
    int others = 0;
    for (int c = 0; c < calls; c++) {
        const int way = host_choose(choice);
        others += way;
        host_learn(choice, way ? way1 : way0);
    }
    return others;
}

START_TEST(the_faster_way_is_kept) {
    host_choice choice = {0};
    ck_assert(run(&choice, TRIAL, 1, 0.8) == 3);
    ck_assert(host_choose(&choice) == 1);
    ck_assert(run(&choice, REST, 1, 0.8) == REST);
    ck_assert(run(&choice, TRIAL, 1, 0.8) == 5); /* the other one is tried again */
    ck_assert(host_choose(&choice) == 1);
    ck_assert(run(&choice, 2 * REST, 1, 0.8) == 2 * REST);
    ck_assert(run(&choice, TRIAL, 0.7, 0.8) == 5);
    ck_assert(host_choose(&choice) == 0);
}
END_TEST

START_TEST(little_gain_changes_nothing) {
    host_choice choice = {0};
    run(&choice, TRIAL, 1, 0.96);
    ck_assert(host_choose(&choice) == 0);
    ck_assert(run(&choice, REST, 1, 0.96) == 0);
}
END_TEST

/* After a call that does not count and one that does, with a rest as after any trial. */
START_TEST(a_way_without_hope_is_left) {
    enum { OTHER = 3 };
    host_choice choice = {0};
    ck_assert(run(&choice, OTHER, 1, 1.6) == 0);
    ck_assert(run(&choice, 2, 1, 1.6) == 2);
    ck_assert(run(&choice, REST + OTHER, 1, 1.6) == 0);
    ck_assert(run(&choice, 2, 1, 1.6) == 2);
    ck_assert(run(&choice, 2 * REST + OTHER, 1, 0.8) == 0);
    ck_assert(run(&choice, TRIAL - OTHER, 1, 0.8) == OTHER);
    ck_assert(host_choose(&choice) == 1);
}
END_TEST

/* Nor is a first call a reason, which pays for what the kept way left in the caches. */
START_TEST(a_slow_first_call_ends_no_trial) {
    host_choice choice = {0};
    run(&choice, 3, 1, 9);
    run(&choice, 1, 1, 9);
    run(&choice, TRIAL - 4, 1, 0.8);
    ck_assert(host_choose(&choice) == 1);
}
END_TEST

/* A slow moment ends a trial, but the way that it fell into is not taken up for that. */
START_TEST(a_trial_that_ended_changes_nothing) {
    host_choice choice = {0};
    run(&choice, 5, 1, 0.5);
    host_learn(&choice, 2);
    ck_assert(choice.gap == REST);
    ck_assert(host_choose(&choice) == 0);
}
END_TEST

/* Wherever a machine becomes slower or faster once, the slower way is not taken up. */
START_TEST(a_change_of_pace_is_not_a_gain) {
    for (int at = 0; at <= TRIAL; at++)
        for (int slower = 0; slower < 2; slower++) {
            host_choice choice = {0};
            run(&choice, at, slower ? 1 : 3, slower ? 1.1 : 3.3);
            run(&choice, TRIAL - at, slower ? 3 : 1, slower ? 3.3 : 1.1);
            ck_assert(host_choose(&choice) == 0);
        }
}
END_TEST

/* Of three calls of the other way only the first is fast, or only the others. */
START_TEST(first_calls_do_not_count) {
    for (int first = 0; first < 2; first++) {
        host_choice choice = {0};
        int others = 0;
        for (int c = 0; c < TRIAL; c++) {
            const int way = host_choose(&choice);
            const int fast = way && (others++ == 0) == first;
            host_learn(&choice, fast ? 0.5 : 1);
        }
        ck_assert(host_choose(&choice) == !first);
    }
}
END_TEST

START_TEST(small_results_have_no_choice) {
    host_choices choices = {0};
    ck_assert(host_choice_for(choices.scan, (16 << 20) - 1) == NULL);
    ck_assert(host_choice_for(choices.scan, 16 << 20) == &choices.scan[0]);
    ck_assert(host_choice_for(choices.scan, 32 << 20) == &choices.scan[1]);
    ck_assert(host_choice_for(choices.scan, (u64)1 << 50) ==
              &choices.scan[HOST_CHOICE_SIZES - 1]);
    ck_assert(host_choice_for(NULL, 32 << 20) == NULL);
}
END_TEST

/* Each its own, of the last few; one that comes again after others begins anew. */
START_TEST(generators_have_their_choices) {
    static const weft_generator by[HOST_CHOICE_GENERATORS + 1];
    enum { BYTES = 16 << 20 };
    host_choices *choices = calloc(1, sizeof *choices);
    ck_assert(host_choice_of(choices, by, BYTES - 1) == NULL);
    for (int k = 0; k < HOST_CHOICE_GENERATORS; k++)
        run(host_choice_of(choices, &by[k], BYTES), TRIAL, 1, k % 2 ? 0.8 : 1);
    for (int k = 0; k < HOST_CHOICE_GENERATORS; k++) {
        ck_assert_int_eq(host_choose(host_choice_of(choices, &by[k], BYTES)), k % 2);
        ck_assert_int_eq(host_choose(host_choice_of(choices, &by[k], 2 * BYTES)), 0);
    }
    ck_assert_int_eq(
        host_choose(host_choice_of(choices, &by[HOST_CHOICE_GENERATORS], BYTES)), 0);
    for (int k = 1; k < HOST_CHOICE_GENERATORS; k++)
        ck_assert(host_choice_of(choices, &by[k], BYTES)->gap == REST);
    ck_assert(host_choice_of(choices, &by[0], BYTES)->gap == 0);
    ck_assert(host_choice_of(choices, &by[1], BYTES)->gap == 0);
    free(choices);
}
END_TEST

/* That the device has timed the calls of a trial. */
static void expect_trial(const host_choice *choice) {
    ck_assert(choice->gap == REST);
}

static host_choices *choices_of_device(void) {
    return &((pthreads_state *)device->state)->choices;
}

/* Of which result `size` bytes are compared with those of the first call. */
static void scan_often(weft_type type, size_t size, u32 flags, i64 first) {
    const weft_array x = weft_array_new(device, type, LENGTH),
                     whole = weft_array_new(device, type, LENGTH + first),
                     y = weft_slice(device, whole, first, LENGTH);
    char *host = malloc(LENGTH * size), *expected = malloc(LENGTH * size);
    u64 seed = 5;
    for (size_t k = 0; k < LENGTH * size; k += 4) {
        const u32 number = (u32)(test_random(&seed) >> 40) | 0x3f000000;
        memcpy(host + k, &number, sizeof number);
    }
    weft_write(device, x, host);
    for (int call = 0; call < CALLS; call++) {
        weft_fill(device, y, host);
        weft_scan(device, x, weft_plus(type), flags, y);
        weft_read(device, y, call ? host : expected);
        ck_assert(call == 0 || memcmp(host, expected, LENGTH * size) == 0);
    }
    test_ok();
    expect_trial(host_choice_for(choices_of_device()->scan, LENGTH * size));
    free(host);
    free(expected);
    weft_array_free(device, x);
    weft_array_free(device, whole);
}

/* Each on a device of its own, which has not chosen yet. */
START_TEST(same_bytes_of_u32) {
    scan_often(WEFT_U32, 4, WEFT_INCLUSIVE, 0);
}
END_TEST

START_TEST(same_bytes_of_f32) {
    scan_often(WEFT_F32, 4, WEFT_EXCLUSIVE, 3);
}
END_TEST

START_TEST(same_bytes_of_u64) {
    scan_often(WEFT_U64, 8, WEFT_EXCLUSIVE, 0);
}
END_TEST

START_TEST(same_bytes_of_f64) {
    scan_often(WEFT_F64, 8, WEFT_INCLUSIVE, 1);
}
END_TEST

/* Of runs of one and of several. */
START_TEST(same_bytes_of_runs) {
    const weft_array keys = weft_array_new(device, WEFT_U32, LENGTH),
                     ends = weft_array_new(device, WEFT_U32, LENGTH),
                     sums = weft_array_new(device, WEFT_U32, LENGTH);
    u32 *host = malloc(LENGTH * sizeof *host), *expected = malloc(LENGTH * sizeof *host);
    for (u32 k = 0; k < LENGTH; k++)
        host[k] = k % 8 ? k : k + 1;
    weft_write(device, keys, host);
    for (int call = 0; call < CALLS; call++) {
        i64 runs = 0;
        weft_reduce_by_key(device, keys, keys, weft_plus(WEFT_U32), ends, sums, &runs);
        weft_read(device, sums, call ? host : expected);
        test_ok();
        ck_assert_int_eq(runs, 7 * LENGTH / 8);
        ck_assert(call == 0 || memcmp(host, expected, (size_t)runs * sizeof *host) == 0);
    }
    expect_trial(host_choice_for(choices_of_device()->runs, LENGTH * sizeof *host));
    free(host);
    free(expected);
}
END_TEST

/* From and to places that begin at no line of the cache, a length that is no multiple. */
START_TEST(same_bytes_of_copies) {
    enum { FIRST = 3, SHORT = LENGTH - 4 };
    const weft_array whole = weft_array_new(device, WEFT_U32, LENGTH),
                     to = weft_array_new(device, WEFT_U32, LENGTH + 1),
                     x = weft_slice(device, whole, FIRST, SHORT),
                     y = weft_slice(device, to, 1, SHORT);
    u32 *host = malloc(LENGTH * sizeof *host);
    for (u32 call = 0; call < CALLS; call++) {
        for (u32 k = 0; k < LENGTH; k++)
            host[k] = k * 2654435761u + call;
        weft_write(device, whole, host);
        weft_copy(device, x, y);
        weft_read(device, y, host);
        test_ok();
        for (u32 k = 0; k < SHORT; k++)
            ck_assert(host[k] == (k + FIRST) * 2654435761u + call);
    }
    expect_trial(host_choice_for(choices_of_device()->copy, SHORT * sizeof *host));
    free(host);
}
END_TEST

/* To places that begin at no line of the cache. */
START_TEST(same_bytes_of_generated) {
    const weft_array x = weft_random(LENGTH, WEFT_UNIFORM_F32, .seed = 3),
                     to = weft_array_new(device, WEFT_F32, LENGTH + 1),
                     y = weft_slice(device, to, 1, LENGTH);
    f32 *host = malloc((LENGTH + 1) * sizeof *host);
    for (int call = 0; call < CALLS; call++) {
        weft_fill(device, to, &(f32){2});
        weft_copy(device, x, y);
        weft_read(device, to, host);
        test_ok();
        ck_assert(host[0] == 2);
        for (u64 k = 0; k < LENGTH; k++)
            ck_assert(host[k + 1] == philox_f32(3, 0, k));
    }
    expect_trial(host_choice_of(choices_of_device(), x.generator, LENGTH * sizeof *host));
    free(host);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {the_faster_way_is_kept,
                                  little_gain_changes_nothing,
                                  a_way_without_hope_is_left,
                                  a_slow_first_call_ends_no_trial,
                                  a_trial_that_ended_changes_nothing,
                                  a_change_of_pace_is_not_a_gain,
                                  first_calls_do_not_count,
                                  small_results_have_no_choice,
                                  generators_have_their_choices,
                                  same_bytes_of_u32,
                                  same_bytes_of_f32,
                                  same_bytes_of_u64,
                                  same_bytes_of_f64,
                                  same_bytes_of_runs,
                                  same_bytes_of_copies,
                                  same_bytes_of_generated};
    return test_main(argc, argv, "choice", tests, sizeof tests / sizeof *tests);
}
