/* The checking backend catches kernels that break their registration, and no others. */
#include "harness.h"
#include "checking.kernel.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

WEFT_KERNEL(checking_writes_input, (in, u32, x), (out, u32, y))
WEFT_KERNEL(checking_writes_at, (value, i64, at), (out, u32, y))
WEFT_KERNEL(checking_reads_at, (value, i64, at), (in, u32, x), (out, u32, y))
WEFT_BUNDLE(checking_view, (in, u32, x), (out, u32, y))
WEFT_KERNEL(checking_bundled, (value, i64, at), (bundle, checking_view, view))
WEFT_KERNEL(checking_address, (in, u32, x, 1), (out, u64, address))
WEFT_KERNEL(checking_pokes, (value, u64, address), (out, u32, y))
WEFT_KERNEL(checking_reads_output, (out, u32, y))
WEFT_KERNEL(checking_adds_to_output, (in, f32, x), (out, f32, y))
WEFT_KERNEL(checking_adds_to_wide, (in, f32, x), (out, f64, y))
WEFT_KERNEL(checking_adds_i8, (out, i8, y))
WEFT_KERNEL(checking_least_u32, (in, u32, x), (out, u32, y))
WEFT_KERNEL(checking_most_u32, (in, u32, x), (out, u32, y))
WEFT_KERNEL(checking_most_i64, (in, u32, x), (out, i64, y))
WEFT_KERNEL(checking_least_f32, (in, u32, x), (out, f32, y))
WEFT_KERNEL(checking_changes_body, (value, u32, what), (out, checking_body, y))
WEFT_KERNEL(checking_tallies, (in, u32, x), (inout, u32, count, 0))
WEFT_KERNEL(checking_sums_so_far, (inout, u32, y))
WEFT_KERNEL(checking_writes_some, (out, u32, y))
WEFT_KERNEL(checking_counts, (out, u32, place), (shared, u32, counter, 1))
WEFT_GENERATOR(checking_lazy_at, u32, (value, i64, at), (in, u32, x))
WEFT_OPERATOR(checking_plus, u32, 0)
WEFT_PAIRS(checking_all_pairs, u32, 0, (in, u32, x))

enum { N = 100 };

static weft_array numbers(i64 n) {
    u32 host[2 * N];
    for (u32 i = 0; i < 2 * N; i++)
        host[i] = i + 1;
    return test_array(WEFT_U32, host, n);
}

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* A launch that touches memory beside its arrays: an error here, and where the address
 * sanitizer is built in, its report and the end of the process. */
static void expect_caught(void (*launch)(void), const char *words) {
#ifdef SANITIZED
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        fclose(stderr);
        launch();
        _exit(0);
    }
    waitpid(child, &status, 0);
    ck_assert_msg(status != 0, "nothing was reported (%s)", words);
#else
    launch();
    test_expect_error(WEFT_E_CHECK, words);
#endif
}

START_TEST(write_to_input) {
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_writes_input, .x = x, .y = y);
    test_expect_error(WEFT_E_CHECK,
                      "checking_writes_input: wrote to its input 'x', element 17");
    weft_for_each(device, 17, checking_writes_input, .x = x, .y = y);
    test_ok();
}
END_TEST

START_TEST(write_to_bundle) {
    const checking_view_arrays view = {numbers(N), weft_array_new(device, WEFT_U32, N)};
    weft_for_each(device, N, checking_bundled, .at = 17, .view = view);
    test_expect_error(WEFT_E_CHECK,
                      "checking_bundled: wrote to its input 'view.x', element 17");
    weft_for_each(device, N, checking_bundled, .at = -1, .view = view);
    test_ok();
}
END_TEST

static void write_just_beyond(void) {
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_writes_at, .at = N, .y = y);
}

static void write_far_beyond(void) {
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_writes_at, .at = N + 200, .y = y);
}

static void write_before(void) {
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_writes_at, .at = -1, .y = y);
}

static void write_beside_slice(void) {
    const weft_array y = weft_slice(device, numbers(2 * N), 10, N);
    weft_for_each(device, N, checking_writes_at, .at = -10, .y = y);
}

static void write_beside_borrowed(void) {
    static u32 host[N];
    const weft_array y = weft_borrow(device, WEFT_U32, host, N);
    weft_for_each(device, N, checking_writes_at, .at = N, .y = y);
}

START_TEST(write_beside) {
    const char *beyond = "checking_writes_at: wrote beyond the end of array 'y', element ";
    expect_caught(write_just_beyond, beyond);
    expect_caught(write_far_beyond, "element 300 of 100");
    expect_caught(write_before, "wrote before the beginning of array 'y', element -1 of");
    expect_caught(write_beside_slice, "before the beginning of array 'y', element -10 of");
    expect_caught(write_beside_borrowed, "beyond the end of array 'y', element 100 of 100");
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_writes_at, .at = N - 1, .y = y);
    weft_for_each(device, N, checking_writes_at, .at = 0, .y = y);
}
END_TEST

static void read_beyond(void) {
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_reads_at, .at = N, .x = x, .y = y);
}

static void read_beside_slice(void) {
    const weft_array x = weft_slice(device, numbers(2 * N), 10, N);
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_reads_at, .at = -1, .x = x, .y = y);
}

START_TEST(read_beside) {
    const char *words = "checking_reads_at: what it writes to 'y', element 2, depends on "
                        "memory outside its arrays";
    expect_caught(read_beyond, words);
    expect_caught(read_beside_slice, words);
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_reads_at, .at = N - 1, .x = x, .y = y);
}
END_TEST

static u64 address_of(weft_array x) {
    u64 address;
    const weft_array out = weft_array_new(device, WEFT_U64, 1);
    weft_for_each(device, 1, checking_address, .x = x, .address = out);
    weft_read(device, out, &address);
    return address;
}

static void poke_before_another(void) {
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_pokes, .address = address_of(x) - 4, .y = y);
}

static void poke_beyond_another(void) {
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, checking_pokes, .address = address_of(x) + 512, .y = y);
}

START_TEST(write_beside_another) {
    expect_caught(
        poke_before_another,
        "checking_pokes: wrote before a buffer of 512 bytes that it was not given");
    expect_caught(
        poke_beyond_another,
        "checking_pokes: wrote beyond a buffer of 512 bytes that it was not given");
}
END_TEST

START_TEST(read_of_real_output) {
    f32 host[N];
    for (int i = 0; i < N; i++)
        host[i] = (f32)i;
    const weft_array x = test_array(WEFT_F32, host, N);
    weft_for_each(device, N, checking_adds_to_output, .x = x,
                  .y = weft_array_new(device, WEFT_F32, N));
    test_expect_error(WEFT_E_CHECK, "checking_adds_to_output: what it writes to 'y', "
                                    "element 1, depends on what its output held before");
    weft_for_each(device, N, checking_adds_to_wide, .x = x,
                  .y = weft_array_new(device, WEFT_F64, N));
    test_expect_error(WEFT_E_CHECK, "depends on what its output held before");
}
END_TEST

/* Whatever the type, and whatever is done with what was read. */
START_TEST(read_of_any_output) {
    const char *words = "depends on what its output held before";
    const weft_array x = numbers(N);
    weft_for_each(device, N, checking_adds_i8, .y = weft_array_new(device, WEFT_I8, N));
    test_expect_error(WEFT_E_CHECK, words);
    weft_for_each(device, N, checking_least_u32, .x = x,
                  .y = weft_array_new(device, WEFT_U32, N));
    test_expect_error(WEFT_E_CHECK, words);
    weft_for_each(device, N, checking_most_u32, .x = x,
                  .y = weft_array_new(device, WEFT_U32, N));
    test_expect_error(WEFT_E_CHECK, words);
    weft_for_each(device, N, checking_most_i64, .x = x,
                  .y = weft_array_new(device, WEFT_I64, N));
    test_expect_error(WEFT_E_CHECK, words);
    weft_for_each(device, N, checking_least_f32, .x = x,
                  .y = weft_array_new(device, WEFT_F32, N));
    test_expect_error(WEFT_E_CHECK, words);
    const weft_array bodies = weft_array_new(device, WEFT_STRUCT(checking_body), N);
    for (u32 what = 0; what < 5; what++) {
        weft_for_each(device, N, checking_changes_body, .what = what, .y = bodies);
        test_expect_error(WEFT_E_CHECK, words);
    }
    weft_for_each(device, N, checking_changes_body, .what = 5, .y = bodies);
    test_ok();
}
END_TEST

/* Counts come out right in any order of one thread, and wrong on many. */
START_TEST(commuting_race) {
    u32 host[N], zeros[2 * N] = {0};
    const weft_array count = test_array(WEFT_U32, zeros, 2 * N);
    for (u32 bins = 1; bins < N; bins = 3 * bins + 1) {
        for (u32 i = 0; i < N; i++)
            host[i] = i % bins;
        weft_for_each(device, N, checking_tallies, .x = test_array(WEFT_U32, host, N),
                      .count = count);
        test_expect_error(WEFT_E_CHECK, "checking_tallies: several work-items change "
                                        "'count', element ");
    }
    weft_for_each(device, N, checking_tallies, .x = numbers(N), .count = count);
    test_ok();
}
END_TEST

START_TEST(read_of_output) {
    const weft_array y = numbers(N);
    weft_for_each(device, N, checking_reads_output, .y = y);
    test_expect_error(WEFT_E_CHECK, "element 0, depends on what its output held before");
}
END_TEST

START_TEST(order) {
    const weft_array y = numbers(N);
    weft_for_each(device, N, checking_sums_so_far, .y = y);
    test_expect_error(WEFT_E_CHECK, "depends on the order of its work-items");
    weft_for_each(device, 1, checking_sums_so_far, .y = y);
}
END_TEST

/* What an output held is lost, wholly; what was written is there. */
START_TEST(elements_left_out) {
    u32 host[N];
    const weft_array y = numbers(N);
    weft_for_each(device, N, checking_writes_some, .y = y);
    weft_read(device, y, host);
    for (u32 i = 0; i < N; i++)
        ck_assert(i % 3 == 0 ? host[i] == 7 : host[i] != i + 1);
}
END_TEST

/* Which work-item gets which place depends on the order: `shared` says so. */
START_TEST(shared_counter) {
    const u32 zero = 0;
    u32 host[N], count = 0, seen[N] = {0};
    const weft_array place = weft_array_new(device, WEFT_U32, N);
    const weft_array counter = test_array(WEFT_U32, &zero, 1);
    weft_for_each(device, N, checking_counts, .place = place, .counter = counter);
    weft_read(device, place, host);
    weft_read(device, counter, &count);
    ck_assert_uint_eq(count, N);
    for (int i = 0; i < N; i++)
        ck_assert(host[i] < N && seen[host[i]]++ == 0);
}
END_TEST

/* One array for several parameters: each work-item touches its own element alone. */
START_TEST(in_place) {
    u32 host[N];
    const weft_array y = numbers(N);
    weft_for_each(device, N, checking_reads_at, .at = 2, .x = y, .y = y);
    weft_read(device, y, host);
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], i + 1);
}
END_TEST

static void read_beyond_lazily(void) {
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_transform(device, N, y, checking_lazy_at, .at = N, .x = x);
}

START_TEST(generators) {
    u32 host[N];
    expect_caught(read_beyond_lazily,
                  "checking_lazy_at: what it writes to 'out', element 2,"
                  " depends on memory outside its arrays");
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_transform(device, N, y, checking_lazy_at, .at = N - 1, .x = x);
    weft_read(device, y, host);
    ck_assert_uint_eq(host[2], N);
    weft_transform(device, N, y, checking_lazy_at, .at = 2, .x = y);
    weft_read(device, y, host);
    ck_assert_uint_eq(host[2], N);
}
END_TEST

/* An output may be longer than what a primitive writes to it: the rest stays. */
START_TEST(rest_of_output) {
    u32 host[N];
    const weft_array x = weft_slice(device, numbers(N), 0, 10), y = numbers(N);
    weft_copy(device, x, y);
    weft_scan(device, x, weft_op(checking_plus), WEFT_INCLUSIVE, y);
    weft_reduce_into(device, x, weft_op(checking_plus), y);
    weft_read(device, y, host);
    ck_assert_uint_eq(host[0], 55);
    for (u32 i = 10; i < N; i++)
        ck_assert_uint_eq(host[i], i + 1);
}
END_TEST

START_TEST(pairs_in_range) {
    const i64 ends[] = {0, 3, 3, N};
    u32 host[N];
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_pairs(device, test_array(WEFT_I64, ends, 4), y, checking_all_pairs, .x = x);
    weft_read(device, y, host);
    ck_assert_uint_eq(host[1], 2 * (1 + 2 + 3));
}
END_TEST

/* A borrowed array reaches the caller when it is given back. */
START_TEST(borrowed) {
    u32 host[N] = {0};
    const weft_array y = weft_borrow(device, WEFT_U32, host, N);
    weft_for_each(device, N, checking_writes_at, .at = 0, .y = y);
    weft_return(device, y);
    for (int i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], 1);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        write_to_input, write_to_bundle,   read_of_real_output,  commuting_race,
        write_beside,   read_beside,       write_beside_another, read_of_output,
        order,          elements_left_out, shared_counter,       generators,
        rest_of_output, in_place,          read_of_any_output,   pairs_in_range,
        borrowed};
    return test_main(argc, argv, "checking", tests, sizeof tests / sizeof *tests);
}
