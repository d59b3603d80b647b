/* Which files a name stands for. */
#include "support.h"

#include "io/parts.h"

#include <stdlib.h>

static void touch(const char *name) {
    spill(scratch(name), "x", 1);
}

static void expect_resolved(const char *name, const char *want) {
    struct io_error error;
    char *found = io_parts_resolve(scratch(name), &error);
    ck_assert_msg(found != NULL, "%s", error.text);
    ck_assert_str_eq(found, scratch(want));
    free(found);
}

START_TEST(resolve) {
    struct io_error error;
    touch("a.hdf5");
    touch("b.0.hdf5");
    touch("c.0.h5");
    touch("d.0");
    touch("e.0.hdf5");
    touch("e.hdf5");
    expect_resolved("a.hdf5", "a.hdf5");
    expect_resolved("a", "a.hdf5");
    expect_resolved("b", "b.0.hdf5");
    expect_resolved("b.hdf5", "b.0.hdf5");
    expect_resolved("c", "c.0.h5");
    expect_resolved("c.h5", "c.0.h5");
    expect_resolved("d", "d.0");
    expect_resolved("e", "e.0.hdf5");
    expect_resolved("e.hdf5", "e.hdf5");
    ck_assert_ptr_null(io_parts_resolve(scratch("f"), &error));
    expect_words(error.text, (const char *[]){"cannot read", "/f: No such file", NULL});
}
END_TEST

static void expect_name(const char *path, int index, const char *want) {
    struct io_error error = {""};
    char *found = io_parts_name(path, index, &error);
    if (want == NULL) {
        ck_assert_ptr_null(found);
        expect_words(error.text, (const char *[]){path, ".NUMBER or .NUMBER.hdf5", NULL});
    } else {
        ck_assert_msg(found != NULL, "%s", error.text);
        ck_assert_str_eq(found, want);
    }
    free(found);
}

START_TEST(names) {
    expect_name("s.0.hdf5", 0, "s.0.hdf5");
    expect_name("s.0.hdf5", 123, "s.123.hdf5");
    expect_name("dir.1/s_099.511.hdf5", 7, "dir.1/s_099.7.hdf5");
    expect_name("s.12.h5", 3, "s.3.h5");
    expect_name("s.hdf5", 3, NULL);
    expect_name("s.x1.hdf5", 3, NULL);
    expect_name("s..hdf5", 3, NULL);
    expect_name("7.hdf5", 3, NULL);
    expect_name("s.0", 3, "s.3");
    expect_name("dir.1/s_099.511", 7, "dir.1/s_099.7");
    expect_name("s", 3, NULL);
    expect_name("0", 3, NULL);
    expect_name("", 3, NULL);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {resolve, names};
    return io_test_main("parts", tests, sizeof tests / sizeof *tests);
}
