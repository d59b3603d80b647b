/* GenericIO in several files, written in one go and piece by piece. */
#include "support.h"

#include "io/convert/convert.h"
#include "io/format.h"
#include "io/convert/split.h"

#include <stdlib.h>
#include <string.h>

/* Takes over the names. */
static void expect_same(char *a, char *b) {
    int x, y;
    FILE *one = fopen(a, "rb"), *other = fopen(b, "rb");
    ck_assert_msg(one && other, "%s or %s is not there", a, b);
    do {
        x = getc(one), y = getc(other);
    } while (x == y && x != EOF);
    ck_assert_msg(x == y, "%s and %s differ", a, b);
    fclose(one), fclose(other);
    free(a), free(b);
}

/* By several writers, of whom each knows where the files lie, the last pieces first. */
static void put_backwards(struct snapshot *snapshot, const char *path, int files) {
    static char there[SPLIT_MOST][PATH_MAX];
    struct io_error error;
    const struct convert_options options = {CONVERT_GENERICIO, 0, files};
    const struct particles particles = convert_lay_out(snapshot, &options);
    char *name = strdup(path);
    struct split split = split_of(name, files, &particles);
    ck_assert_msg(split_open(&split, &error), "%s", error.text);
    for (int file = 0; file < files; ++file)
        ck_assert_msg(split_name(&split, file, there[file], &error), "%s", error.text);
    for (int64_t piece = split_pieces(&split) - 1; piece >= 0; --piece) {
        const struct split other = split_of(name, files, &particles);
        ck_assert_msg(split_put(&other, (const char(*)[PATH_MAX])there, piece, 1, &error),
                      "%s", error.text);
    }
    ck_assert_msg(split_close(&split, true, &error), "%s", error.text);
    free(name);
}

static void expect_split(int64_t n, int files) {
    struct io_error error;
    const struct convert_options options = {CONVERT_GENERICIO, 0, files};
    struct snapshot *snapshot = open_snapshot(scratch("whole.f32"));
    ck_assert_msg(convert_write(scratch("a.gio"), snapshot, &options, &error), "%s",
                  error.text);
    put_backwards(snapshot, scratch("b.gio"), files);
    snapshot_close(snapshot);
    for (int file = 0; file < files + (files > 1); ++file) {
        char *a = split_path(scratch("a.gio"), files, file, &error);
        expect_same(a, split_path(scratch("b.gio"), files, file, &error));
    }
    snapshot = open_snapshot(scratch("b.gio"));
    ck_assert_int_eq(snapshot_info(snapshot)->n, n);
    ck_assert_int_eq(snapshot_info(snapshot)->n_parts, files);
    const struct convert_options back = {CONVERT_F32, 0, 1};
    ck_assert(convert_write(scratch("back.f32"), snapshot, &back, &error));
    snapshot_close(snapshot);
    expect_same(strdup(scratch("whole.f32")), strdup(scratch("back.f32")));
}

/* Files of no, one and some particles; of several pieces each. */
START_TEST(split_files) {
    static const int64_t sizes[] = {0, 1, 15, 2 * PARTICLES_PIECE + 5};
    for (int k = 0; k < 4; ++k) {
        const int64_t n = sizes[k];
        float *points = malloc((size_t)(3 * n + 1) * sizeof *points);
        ck_assert_ptr_nonnull(points);
        for (int64_t i = 0; i < 3 * n; ++i)
            points[i] = (float)i;
        spill(scratch("whole.f32"), points, (size_t)(3 * n) * sizeof *points);
        for (int files = 1; files <= (k < 3 ? SPLIT_MOST : 2);
             files += files < 4 ? 1 : SPLIT_MOST - 4)
            expect_split(n, files);
        free(points);
    }
}
END_TEST

START_TEST(split_files_appear_together) {
    struct io_error error;
    const struct convert_options options = {CONVERT_GENERICIO, 0, 3};
    const float points[6] = {1, 2, 3, 4, 5, 6};
    spill(scratch("p.f32"), points, sizeof points);
    struct snapshot *snapshot = open_snapshot(scratch("p.f32"));
    remove(scratch("p.f32"));
    ck_assert(!convert_write(scratch("a.gio"), snapshot, &options, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "p.f32"));
    ck_assert_int_eq(scratch_count(), 0);
    snapshot_close(snapshot);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {split_files, split_files_appear_together};
    return io_test_main("split", tests, sizeof tests / sizeof *tests);
}
