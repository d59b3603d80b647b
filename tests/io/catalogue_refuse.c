/* A catalogue that cannot be written: a sentence, no new file, and the old one as it was.
 */
#include "catalogue_sample.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

static void expect_failure(const char *path, const struct catalogue *catalogue,
                           const char *const *words) {
    struct io_error error = {""};
    const int before = scratch_count();
    ck_assert(!catalogue_write(path, catalogue, &error));
    expect_words(error.text, words);
    ck_assert_int_eq(scratch_count(), before);
}

START_TEST(wrong_catalogues) {
    static const int64_t late[N + 1] = {1, 2, 2, 5}, falling[N + 1] = {0, 3, 2, 5};
    const struct catalogue_members bad[] = {{late, false, pull, NULL, {0, 0}},
                                            {falling, false, pull, NULL, {0, 0}}};
    const char *path = scratch("c.hdf5");
    struct catalogue catalogue = whole();
    struct catalogue_column wrong[5];
    catalogue.columns = wrong;
    memcpy(wrong, columns, sizeof wrong);
    wrong[2].components = 2;
    expect_failure(path, &catalogue, WORDS("column count", "2 components"));
    memcpy(wrong, columns, sizeof wrong);
    wrong[2].data = NULL;
    expect_failure(path, &catalogue, WORDS("column count", "no data"));
    memcpy(wrong, columns, sizeof wrong);
    wrong[2].name = "mass";
    expect_failure(path, &catalogue, WORDS("two columns named mass"));
    wrong[2].name = "a/b";
    expect_failure(path, &catalogue, WORDS("column 2", "no usable name"));
    wrong[2].name = NULL;
    expect_failure(path, &catalogue, WORDS("column 2", "no usable name"));
    catalogue = whole();
    expect_failure(scratch("c.csv"), &catalogue, WORDS("c.csv is CSV", "members"));
    catalogue.members = NULL;
    memcpy(wrong, columns, sizeof wrong);
    catalogue.columns = wrong;
    wrong[2].hacc = NULL;
    expect_failure(scratch("c.gio"), &catalogue, WORDS("no column for fof_halo_count"));
    wrong[2].hacc = "fof_halo_mass";
    wrong[3].hacc = "fof_halo_count";
    expect_failure(scratch("c.gio"), &catalogue,
                   WORDS("column mass", "not of the type of fof_halo_count"));
    wrong[3].hacc = "fof_halo_com";
    wrong[2].hacc = "fof_halo_count";
    wrong[4].hacc = NULL;
    expect_failure(scratch("c.gio"), &catalogue,
                   WORDS("column mass", "not of the type of fof_halo_com_y"));
    catalogue = whole();
    catalogue.members = &bad[0];
    expect_failure(path, &catalogue, WORDS("begin with 1"));
    catalogue.members = &bad[1];
    expect_failure(path, &catalogue, WORDS("descend at halo 1"));
    catalogue.n = -1;
    expect_failure(path, &catalogue, WORDS("-1 halos"));
}
END_TEST

START_TEST(wrong_places) {
    const struct catalogue catalogue = whole();
    struct catalogue plain = catalogue;
    struct io_error error;
    plain.members = NULL;
    expect_failure(scratch("no/such.hdf5"), &catalogue,
                   WORDS("cannot write", "no/such.hdf5", "there is no folder "));
    expect_failure(scratch(""), &catalogue, WORDS("Is a directory"));
    expect_failure("/dev/null", &catalogue, WORDS("/dev/null is not a regular file"));
    FILE *full = fopen("/dev/full", "wb");
    if (full != NULL) {
        ck_assert(!catalogue_print(full, &plain, &error));
        expect_words(error.text, WORDS("cannot write the catalogue", "No space left"));
        fclose(full);
        symlink("/dev/full", scratch("full.csv"));
        expect_failure(scratch("full.csv"), &plain, WORDS("full.csv", "No space left"));
    }
}
END_TEST

/* A link is followed, its target replaced, and the modes are those of a new file. */
START_TEST(links) {
    struct stat status;
    struct catalogue catalogue = whole();
    struct io_error error;
    size_t n;
    catalogue.members = NULL;
    umask(027);
    spill(scratch("target.csv"), "old", 3);
    ck_assert_int_eq(symlink("target.csv", scratch("link.csv")), 0);
    ck_assert(catalogue_write(scratch("link.csv"), &catalogue, &error));
    ck_assert_int_eq(lstat(scratch("link.csv"), &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert_int_eq(stat(scratch("target.csv"), &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0640);
    char *text = slurp(scratch("target.csv"), &n);
    ck_assert_str_eq(text, csv);
    free(text);
}
END_TEST

/* A file that somebody else has under the temporary name is left alone. */
START_TEST(temporary_name_is_taken) {
    struct catalogue catalogue = whole();
    struct io_error error;
    char taken[64];
    size_t n;
    catalogue.members = NULL;
    snprintf(taken, sizeof taken, ".weft-%ld-0.part", (long)getpid());
    spill(scratch(taken), "theirs", 6);
    ck_assert(catalogue_write(scratch("c.csv"), &catalogue, &error));
    ck_assert_int_eq(scratch_count(), 2);
    char *text = slurp(scratch(taken), &n);
    ck_assert_str_eq(text, "theirs");
    free(text);
}
END_TEST

/* The disk fills up at every byte in turn: the older file stays, and nothing else. */
static void fill_up(const char *name, const struct catalogue *catalogue) {
    struct rlimit limit;
    struct io_error error;
    size_t n, n_old;
    write_whole(scratch(name), catalogue);
    free(slurp(scratch(name), &n));
    spill(scratch(name), "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    for (size_t size = 0; size < n; size += size < 4096 ? 37 : 509) {
        limit.rlim_cur = size;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const bool done = catalogue_write(scratch(name), catalogue, &error);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
        ck_assert_msg(!done, "%zu bytes of %zu were enough", size, n);
        expect_words(error.text, WORDS("cannot write", name, "File too large"));
        ck_assert_int_eq(scratch_count(), 1);
        char *old = slurp(scratch(name), &n_old);
        ck_assert_str_eq(old, "old");
        free(old);
    }
    write_whole(scratch(name), catalogue);
    remove(scratch(name));
}

START_TEST(full_disk) {
    enum { MANY = 3000 };
    static double values[3 * MANY];
    const struct catalogue_column column = {"x",    CATALOGUE_F64, 3,    "1", "",
                                            values, NULL,          NULL, 0,   0};
    struct catalogue catalogue = whole();
    fill_up("c.hdf5", &catalogue);
    catalogue.members = NULL;
    fill_up("c.csv", &catalogue);
    catalogue.columns = &column;
    catalogue.n_columns = 1;
    catalogue.n = MANY;
    fill_up("big.hdf5", &catalogue);
    fill_up("big.csv", &catalogue);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {wrong_catalogues, wrong_places, links, full_disk,
                                  temporary_name_is_taken};
    return io_test_main("catalogue_refuse", tests, sizeof tests / sizeof *tests);
}
