/* Label files hold what was put in, little-endian, whole or not at all. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "support.h"

#include "io/labels.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A file system that has no files without a name. */
static bool needs_names;

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);

int __wrap_open64(const char *path, int flags, ...) {
    va_list mode;
    if (needs_names && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    va_start(mode, flags);
    const mode_t given = flags & (O_CREAT | O_TMPFILE) ? va_arg(mode, mode_t) : 0;
    va_end(mode);
    return __real_open64(path, flags, given);
}

/* In two pieces. */
static bool write_as(enum labels_form form, const char *path, const int64_t *labels,
                     int64_t n, struct io_error *error) {
    struct labels_file file;
    return labels_open(&file, form, path, n, error) &&
           labels_close(&file,
                        labels_put(&file, labels, n / 3, error) &&
                            labels_put(&file, labels + n / 3, n - n / 3, error),
                        error);
}

static bool labels_write(const char *path, const int64_t *labels, int64_t n,
                         struct io_error *error) {
    return write_as(LABELS_RAW, path, labels, n, error);
}

static bool labels_write_csv(const char *path, const int64_t *labels, int64_t n,
                             struct io_error *error) {
    return write_as(LABELS_TEXT, path, labels, n, error);
}

START_TEST(raw) {
    const int64_t sizes[] = {0, 1, 2, 63, 64, 65, 1000, 8191, 8192, 8193, 100003};
    struct io_error error;
    size_t bytes;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const int64_t n = sizes[s];
        int64_t *labels = malloc((size_t)(n + 1) * sizeof *labels);
        for (int64_t i = 0; i < n; ++i)
            labels[i] = i % 3 == 0 ? -1 : i * 0x0102030405060 + INT64_MIN / (i + 1);
        ck_assert(labels_write(scratch("l.i64"), labels, n, &error));
        ck_assert_int_eq(scratch_count(), 1);
        char *found = slurp(scratch("l.i64"), &bytes);
        ck_assert_uint_eq(bytes, 8 * (size_t)n);
        for (int64_t i = 0; i < n; ++i) {
            uint64_t label = 0;
            for (int k = 7; k >= 0; --k)
                label = label << 8 | (unsigned char)found[8 * i + k];
            if (label != (uint64_t)labels[i])
                ck_abort_msg("label %" PRId64 " is wrong", i);
        }
        free(found);
        free(labels);
    }
}
END_TEST

START_TEST(text) {
    const int64_t labels[] = {0, -1, INT64_MAX, INT64_MIN};
    struct io_error error;
    size_t bytes;
    ck_assert(labels_write_csv(scratch("l.csv"), labels, 4, &error));
    char *found = slurp(scratch("l.csv"), &bytes);
    ck_assert_str_eq(found, "label\n0\n-1\n9223372036854775807\n-9223372036854775808\n");
    free(found);
    ck_assert(labels_write_csv(scratch("l.csv"), labels, 0, &error));
    found = slurp(scratch("l.csv"), &bytes);
    ck_assert_str_eq(found, "label\n");
    free(found);
}
END_TEST

START_TEST(failures) {
    static int64_t labels[20000];
    bool (*const writers[])(const char *, const int64_t *, int64_t, struct io_error *) = {
        labels_write, labels_write_csv, labels_write, labels_write_csv};
    struct io_error error;
    struct rlimit limit;
    size_t bytes;
    spill(scratch("l"), "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    for (int k = 0; k < 4; ++k) {
        needs_names = k >= 2;
        ck_assert(!writers[k](scratch("no/such"), labels, 9, &error));
        expect_words(error.text, (const char *[]){"cannot write", "no/such",
                                                  "there is no folder", NULL});
        ck_assert(writers[k]("/dev/null", labels, 20000, &error));
        for (rlim_t size = 0; size < 40000; size += 5000) {
            limit.rlim_cur = size;
            setrlimit(RLIMIT_FSIZE, &limit);
            const bool done = writers[k](scratch("l"), labels, 20000, &error);
            limit.rlim_cur = limit.rlim_max;
            setrlimit(RLIMIT_FSIZE, &limit);
            ck_assert(!done);
            expect_words(error.text,
                         (const char *[]){"cannot write", "/l: File too large", NULL});
            ck_assert_int_eq(scratch_count(), 1);
            char *old = slurp(scratch("l"), &bytes);
            ck_assert_str_eq(old, "old");
            free(old);
        }
        ck_assert(writers[k](scratch("new"), labels, 20000, &error));
        ck_assert_int_eq(scratch_count(), 2);
        unlink(scratch("new"));
    }
    needs_names = false;
}
END_TEST

/* A process that is killed while it writes leaves the older file as it was, and nothing
 * else where the file system has files without a name. */
START_TEST(killed) {
    const int probe = open(scratch("."), O_TMPFILE | O_RDWR, 0600);
    size_t bytes;
    if (probe < 0)
        return;
    close(probe);
    spill(scratch("l"), "old", 3);
    const pid_t child = fork();
    if (child == 0) {
        static const int64_t labels[20000];
        struct labels_file file;
        struct io_error error;
        if (labels_open(&file, LABELS_RAW, scratch("l"), 1, &error) &&
            labels_put(&file, labels, 20000, &error))
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ck_assert_int_eq(scratch_count(), 1);
    char *old = slurp(scratch("l"), &bytes);
    ck_assert_str_eq(old, "old");
    free(old);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {raw, text, failures, killed};
    return io_test_main("labels", tests, sizeof tests / sizeof *tests);
}
