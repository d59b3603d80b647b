/* Which ids are taken, and the judgement behind it against a sort. */
#include "support.h"

#include "io/ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_number(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 1 ^ *state >> 33;
}

static int compare(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The definition, for ids that are not negative. */
static bool all_differ(const int64_t *ids, int64_t n) {
    int64_t *sorted = malloc((size_t)(n + 1) * sizeof *sorted);
    bool differ = true;
    memcpy(sorted, ids, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    for (int64_t i = 1; i < n; ++i)
        differ = differ && sorted[i] != sorted[i - 1];
    free(sorted);
    return differ;
}

/* The first that was there before. */
static int64_t first_repeated(const int64_t *ids, int64_t n) {
    for (int64_t i = 1; i < n; ++i) {
        for (int64_t j = 0; j < i; ++j) {
            if (ids[j] == ids[i])
                return ids[i];
        }
    }
    return 0;
}

static void check(const int64_t *ids, int64_t n) {
    enum io_ids_verdict verdict;
    struct io_error error;
    int64_t example, by_eight, times = 0;
    ck_assert(io_ids_judge(ids, n, 8, &verdict, &by_eight, &error));
    ck_assert_int_eq(verdict, all_differ(ids, n) ? IO_IDS_GOOD : IO_IDS_REPEATED);
    ck_assert(io_ids_judge(ids, n, 1, &verdict, &example, &error));
    ck_assert_int_eq(verdict, all_differ(ids, n) ? IO_IDS_GOOD : IO_IDS_REPEATED);
    ck_assert_int_eq(example, by_eight);
    if (verdict == IO_IDS_REPEATED && n <= 1000)
        ck_assert_int_eq(example, first_repeated(ids, n));
    for (int64_t i = 0; i < n; ++i)
        times += ids[i] == example;
    ck_assert(verdict == IO_IDS_GOOD || times > 1);
}

/* Ids in spans from dense to all 63 bits, without and with one repeated. */
START_TEST(against_a_sort) {
    const int64_t sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 100003};
    uint64_t state = 7;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const int64_t n = sizes[s];
        int64_t *ids = malloc((size_t)(n + 1) * sizeof *ids);
        for (int bits = 1; bits <= 63; bits += 2) {
            const uint64_t mask = UINT64_MAX >> (64 - bits);
            for (int64_t i = 0; i < n; ++i)
                ids[i] = (int64_t)(random_number(&state) & mask);
            check(ids, n);
            for (int64_t i = 0; i < n; ++i) /* all different, in a shuffled order */
                ids[i] = (int64_t)(((uint64_t)i * 0x9e3779b97f4a7c15u >> 24 << 17) +
                                   (uint64_t)i);
            check(ids, n);
            if (n > 1) {
                ids[random_number(&state) % (uint64_t)(n - 1)] = ids[n - 1];
                check(ids, n);
            }
        }
        free(ids);
    }
}
END_TEST

START_TEST(patterns) {
    enum { N = 5000 };
    static int64_t ids[N];
    for (int shift = 0; shift < 50; ++shift) {
        for (int64_t i = 0; i < N; ++i)
            ids[i] = i << shift;
        check(ids, N);
        ids[17] = ids[4000];
        check(ids, N);
        for (int64_t i = 0; i < N; ++i)
            ids[i] = INT64_MAX - (i << shift);
        check(ids, N);
        for (int64_t i = 0; i < N; ++i)
            ids[i] = (i / 2) << shift;
        check(ids, N);
    }
    ids[0] = 0;
    ids[1] = INT64_MAX;
    check(ids, 2);
    ids[0] = INT64_MAX;
    check(ids, 2);
}
END_TEST

START_TEST(too_large) {
    enum io_ids_verdict verdict;
    struct io_error error;
    int64_t example;
    const int64_t ids[] = {1, 2, 3, INT64_MIN, 2};
    ck_assert(io_ids_judge(ids, 5, 1, &verdict, &example, &error));
    ck_assert(verdict == IO_IDS_TOO_LARGE && example == 3);
}
END_TEST

/* A file with these ids, as they lie in memory of the type. */
static struct snapshot *with_ids(hid_t type, hsize_t n, const void *ids) {
    struct recipe recipe = full_recipe((int64_t)n);
    recipe.ids = 0;
    make_snapshot(scratch("i.hdf5"), &recipe);
    const hid_t file = H5Fopen(scratch("i.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "PartType1", H5P_DEFAULT);
    make_array(group, "ParticleIDs", type, type, 1, n, 1, ids);
    H5Gclose(group);
    H5Fclose(file);
    return open_snapshot(scratch("i.hdf5"));
}

static void expect_ids(struct snapshot *snapshot, const int64_t *ids, const char *note) {
    struct snapshot_particles particles;
    read_snapshot(snapshot, &particles);
    for (int64_t i = 0; i < particles.n; ++i)
        ck_assert_int_eq(((int64_t *)particles.field[SNAPSHOT_IDS])[i],
                         ids == NULL ? i : ids[i]);
    ck_assert_int_eq(particles.ids_from,
                     ids == NULL ? SNAPSHOT_IDS_INDEX : SNAPSHOT_IDS_FILE);
    ck_assert_str_eq(particles.ids_note, note);
    snapshot_free(&particles);
    snapshot_close(snapshot);
}

START_TEST(in_files) {
    const uint64_t largest[] = {0x7fffffffffffffffu, 0, 5};
    const uint64_t above[] = {1, 0x8000000000000000u, 5}, all_ones[] = {1, 2, UINT64_MAX};
    const int64_t negative[] = {-1, 0, 5};
    const int32_t repeated[] = {7, 8, 7};
    const uint8_t bytes[] = {255, 0, 128};
    expect_ids(with_ids(H5T_NATIVE_UINT64, 3, largest),
               (const int64_t[]){0x7fffffffffffffff, 0, 5}, "");
    expect_ids(with_ids(H5T_NATIVE_UINT64, 3, above), NULL,
               "the id of particle 1 is not below 2^63");
    expect_ids(with_ids(H5T_NATIVE_UINT64, 3, all_ones), NULL,
               "the id of particle 2 is not below 2^63");
    expect_ids(with_ids(H5T_NATIVE_INT64, 3, negative), NULL,
               "the id of particle 0 is not below 2^63");
    expect_ids(with_ids(H5T_NATIVE_INT32, 3, repeated), NULL,
               "the id 7 is there more than once");
    expect_ids(with_ids(H5T_NATIVE_UINT8, 3, bytes), (const int64_t[]){255, 0, 128}, "");
}
END_TEST

/* A slice takes its own ids, and the index in the whole input where it cannot. */
START_TEST(in_slices) {
    const int64_t ids[] = {7, 8, 7, -1};
    struct snapshot *snapshot = with_ids(H5T_NATIVE_INT64, 4, ids);
    struct snapshot_particles particles;
    struct io_error error;
    ck_assert(snapshot_read_slice(snapshot, 1, 2, SNAPSHOT_ALL, &particles, &error));
    ck_assert_mem_eq(particles.field[SNAPSHOT_IDS], ids + 1, 16);
    snapshot_free(&particles);
    ck_assert(snapshot_read_slice(snapshot, 2, 2, SNAPSHOT_ALL, &particles, &error));
    ck_assert_mem_eq(particles.field[SNAPSHOT_IDS], ((const int64_t[]){2, 3}), 16);
    ck_assert_str_eq(particles.ids_note, "the id of particle 3 is not below 2^63");
    snapshot_free(&particles);
    snapshot_close(snapshot);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {against_a_sort, patterns, too_large, in_files, in_slices};
    return io_test_main("snapshot_ids", tests, sizeof tests / sizeof *tests);
}
