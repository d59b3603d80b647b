#define _GNU_SOURCE /* O_TMPFILE */
#include "output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

bool io_output_fail(const struct io_output *output, int error_number,
                    struct io_error *error) {
    return io_fail(error, "cannot write %s: %s", output->path, strerror(error_number));
}

static void forget(struct io_output *output) {
    free(output->path);
    free(output->final);
    free(output->temporary);
    *output = (struct io_output){0};
}

/* FINAL.PROCESS-TRY.part */
static bool name_temporary(struct io_output *output, int attempt, struct io_error *error) {
    char ending[64];
    snprintf(ending, sizeof ending, ".%ld-%d.part", (long)getpid(), attempt);
    free(output->temporary);
    output->temporary = io_join(output->final, ending, error);
    return output->temporary != NULL;
}

static int create(const char *path) {
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* A file without a name, of which nothing is left however the process ends; -1 where there
 * is no such thing. Its name comes later, through /proc, and has to be a possible one. */
static int create_nameless(const struct io_output *output) {
    const char *final = output->final, *slash = strrchr(final, '/');
    char *folder = slash ? strndup(final, (size_t)(slash - final) + 1) : strdup(".");
    const bool possible = access("/proc/self/fd", X_OK) == 0 &&
                          access(output->temporary, F_OK) != 0 && errno == ENOENT;
    const int descriptor =
        folder && possible ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
    free(folder);
    return descriptor;
}

static bool open_temporary(struct io_output *output, struct io_error *error) {
    if (!name_temporary(output, 0, error))
        return false;
    int descriptor = create_nameless(output);
    output->nameless = descriptor >= 0;
    if (!output->nameless)
        descriptor = create(output->temporary);
    for (int k = 1; k < TRIES && descriptor < 0 && errno == EEXIST; ++k) {
        if (!name_temporary(output, k, error))
            return false;
        descriptor = create(output->temporary);
    }
    output->stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (output->stream != NULL)
        return true;
    io_output_fail(output, errno, error);
    if (descriptor >= 0) {
        close(descriptor);
        if (!output->nameless)
            unlink(output->temporary);
    }
    return false;
}

/* Gives a nameless file its temporary name, since no other call replaces an older file. */
static bool take_name(struct io_output *output, struct io_error *error) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(output->stream));
    if (fflush(output->stream) != 0)
        return io_output_fail(output, errno, error);
    for (int k = 1; linkat(AT_FDCWD, link, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW);
         ++k) {
        if (errno != EEXIST || k == TRIES)
            return io_output_fail(output, errno, error);
        if (!name_temporary(output, k, error))
            return false;
    }
    output->nameless = false;
    return true;
}

static bool open_in_place(struct io_output *output, struct io_error *error) {
    output->stream = fopen(output->final, "wb");
    return output->stream != NULL || io_output_fail(output, errno, error);
}

bool io_output_open(struct io_output *output, const char *path, struct io_error *error) {
    struct stat status;
    if (*path == '\0')
        return io_fail(error, "the name of a file to write is empty");
    *output = (struct io_output){.path = io_join(path, "", error)};
    if (output->path == NULL)
        return false;
    const bool is_there = stat(path, &status) == 0,
               is_file = is_there && S_ISREG(status.st_mode);
    output->final = is_file ? realpath(path, NULL) : io_join(path, "", error);
    bool done = output->final != NULL;
    if (!done && is_file)
        io_output_fail(output, errno, error);
    if (done && is_there && S_ISDIR(status.st_mode))
        done = io_output_fail(output, EISDIR, error);
    if (done)
        done = is_there && !is_file ? open_in_place(output, error)
                                    : open_temporary(output, error);
    if (!done)
        forget(output);
    return done;
}

bool io_output_close(struct io_output *output, bool good, struct io_error *error) {
    bool done = good && (!output->nameless || take_name(output, error));
    errno = 0;
    const bool failed_before = ferror(output->stream) != 0;
    const bool failed = fclose(output->stream) != 0 || failed_before;
    if (done && failed)
        done = io_output_fail(output, errno != 0 ? errno : EIO, error);
    if (output->temporary != NULL && !output->nameless) {
        if (done && rename(output->temporary, output->final) != 0)
            done = io_output_fail(output, errno, error);
        if (!done)
            unlink(output->temporary);
    }
    forget(output);
    return done;
}

bool io_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool io_ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), n = strlen(ending);
    if (length < n)
        return false;
    for (size_t k = 0; k < n; ++k) {
        if (tolower((unsigned char)path[length - n + k]) != ending[k])
            return false;
    }
    return true;
}
