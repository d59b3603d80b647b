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

/* Opens FINAL.PROCESS-TRY.part, which nobody else has. */
static bool open_temporary(struct io_output *output, struct io_error *error) {
    int descriptor = -1;
    for (int k = 0; k < TRIES && descriptor < 0; ++k) {
        char ending[64];
        snprintf(ending, sizeof ending, ".%ld-%d.part", (long)getpid(), k);
        free(output->temporary);
        output->temporary = io_join(output->final, ending, error);
        if (output->temporary == NULL)
            return false;
        descriptor = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    output->stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (output->stream != NULL)
        return true;
    io_output_fail(output, errno, error);
    if (descriptor >= 0) {
        close(descriptor);
        unlink(output->temporary);
    }
    return false;
}

static bool open_in_place(struct io_output *output, struct io_error *error) {
    output->stream = fopen(output->final, "wb");
    return output->stream != NULL || io_output_fail(output, errno, error);
}

bool io_output_open(struct io_output *output, const char *path, struct io_error *error) {
    struct stat status;
    *output = (struct io_output){.path = io_join(path, "", error)};
    if (output->path == NULL)
        return false;
    const bool is_there = stat(path, &status) == 0;
    output->final = is_there ? realpath(path, NULL) : io_join(path, "", error);
    bool done = output->final != NULL;
    if (!done && is_there)
        io_output_fail(output, errno, error);
    if (done && is_there && S_ISDIR(status.st_mode))
        done = io_output_fail(output, EISDIR, error);
    if (done)
        done = is_there && !S_ISREG(status.st_mode) ? open_in_place(output, error)
                                                    : open_temporary(output, error);
    if (!done)
        forget(output);
    return done;
}

bool io_output_close(struct io_output *output, bool good, struct io_error *error) {
    bool done = good;
    errno = 0;
    const bool failed_before = ferror(output->stream) != 0;
    const bool failed = fclose(output->stream) != 0 || failed_before;
    if (done && failed)
        done = io_output_fail(output, errno != 0 ? errno : EIO, error);
    if (output->temporary != NULL) {
        if (done && rename(output->temporary, output->final) != 0)
            done = io_output_fail(output, errno, error);
        if (!done)
            unlink(output->temporary);
    }
    forget(output);
    return done;
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
