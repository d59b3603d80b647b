/* Every allocation of io/ fails in turn: a sentence, nothing left behind, and nothing leaks
 * (which the address sanitizer sees). The linker hands the calls of io/ to the functions
 * here. */
#include "support.h"

#include "io/catalogue/catalogue.h"
#include "io/convert/convert.h"
#include "io/labels.h"

#include <stdlib.h>
#include <string.h>

static long until_failure = -1; /* allocations that still succeed; negative: all do */

static bool fails(void) {
    return until_failure >= 0 && until_failure-- == 0;
}

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}

void *__wrap_calloc(size_t n, size_t bytes) {
    return fails() ? NULL : __real_calloc(n, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes) {
    return fails() ? NULL : __real_realloc(memory, bytes);
}

/* Runs the step with its k-th allocation failing, for all k; a step returns false where it
 * could not be done. */
static void fail_in_turn(bool (*step)(struct io_error *), int at_least) {
    for (int k = 0;; ++k) {
        struct io_error error = {""};
        until_failure = k;
        const bool done = step(&error);
        const bool failed = until_failure < 0;
        until_failure = -1;
        ck_assert_msg(done != failed, "allocation %d: %s", k, error.text);
        if (done) {
            ck_assert_int_ge(k, at_least);
            return;
        }
        expect_words(error.text, (const char *[]){"memory", NULL});
    }
}

static bool read_all(struct io_error *error) {
    struct snapshot_particles particles;
    struct snapshot_contents contents;
    struct snapshot *snapshot = snapshot_open(scratch("s"), error);
    if (snapshot == NULL)
        return false;
    bool done = snapshot_read(snapshot, SNAPSHOT_ALL, &particles, error);
    if (done)
        snapshot_free(&particles);
    done = done && snapshot_list(snapshot, &contents, error);
    if (done)
        free(contents.arrays);
    snapshot_close(snapshot);
    return done;
}

START_TEST(reading) {
    struct recipe recipe = full_recipe(1000);
    recipe.n_files = 2;
    recipe.total = 2000;
    make_snapshot(scratch("s.0.hdf5"), &recipe);
    recipe.first = 1000;
    make_snapshot(scratch("s.1.hdf5"), &recipe);
    fail_in_turn(read_all, 10);
}
END_TEST

/* Ids so far apart that the judgement takes its longer way. */
START_TEST(reading_sparse_ids) {
    int64_t ids[1000];
    struct recipe recipe = full_recipe(1000);
    recipe.ids = 0;
    make_snapshot(scratch("s.hdf5"), &recipe);
    for (int64_t i = 0; i < 1000; ++i)
        ids[i] = (int64_t)((uint64_t)i * 0x9e3779b97f4a7c15u >> 1);
    const hid_t file = H5Fopen(scratch("s.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "PartType1", H5P_DEFAULT);
    make_array(group, "ParticleIDs", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, 1000, 1, ids);
    H5Gclose(group);
    H5Fclose(file);
    fail_in_turn(read_all, 12);
}
END_TEST

static bool pull_places(void *context, enum catalogue_member_column column, int64_t first,
                        int64_t n, int64_t *out) {
    (void)context, (void)column;
    for (int64_t k = 0; k < n; ++k)
        out[k] = first + k;
    return true;
}

static bool write_catalogue(struct io_error *error) {
    static const int64_t tags[2] = {1, 2}, offsets[3] = {0, 1, 2};
    static const struct catalogue_column column = {"tag", CATALOGUE_I64, 1,    "1", "",
                                                   tags,  NULL,          NULL, 0,   0};
    static const struct catalogue_members members = {
        offsets, false, pull_places, NULL, {0, 0}};
    static const struct catalogue catalogue = {
        .n = 2, .n_columns = 1, .columns = &column, .members = &members};
    const bool done = catalogue_write(scratch("c.hdf5"), &catalogue, error);
    ck_assert_int_eq(scratch_count(), done);
    return done;
}

/* Through each format that holds all fields, reading and writing. */
static bool convert(struct io_error *error) {
    static const char *const names[] = {"c.hdf5", "c.gio", "c.gadget1", "c.csv", "d.hdf5"};
    bool done = true;
    for (int k = 0; done && k + 1 < 5; ++k) {
        const struct convert_options options = {convert_by_path(names[k + 1]), 0, 1};
        struct snapshot *snapshot = snapshot_open(scratch(names[k]), error);
        done = snapshot && convert_write(scratch(names[k + 1]), snapshot, &options, error);
        snapshot_close(snapshot);
    }
    return done;
}

START_TEST(converting) {
    struct recipe recipe = full_recipe(100);
    make_snapshot(scratch("c.hdf5"), &recipe);
    fail_in_turn(convert, 30);
}
END_TEST

static bool write_labels(struct io_error *error) {
    static const int64_t labels[2] = {1, 2};
    struct labels_file file;
    const bool done = labels_open(&file, LABELS_RAW, scratch("l.i64"), 1, error) &&
                      labels_close(&file, labels_put(&file, labels, 2, error), error);
    ck_assert_int_eq(scratch_count(), done);
    return done;
}

START_TEST(writing_catalogues) {
    fail_in_turn(write_catalogue, 4);
}
END_TEST

START_TEST(writing_labels) {
    fail_in_turn(write_labels, 3);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {reading, reading_sparse_ids, converting,
                                  writing_catalogues, writing_labels};
    return io_test_main("no_memory", tests, sizeof tests / sizeof *tests);
}
