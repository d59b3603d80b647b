#define _GNU_SOURCE /* O_TMPFILE */
#include "output.h"
#include "path.h"
#include "standard.h"
#include "io/process/unfinished.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 1000 };

bool io_output_fail(const struct io_output *output, int error_number,
                    struct io_error *error) {
    const char *slash = output->final ? strrchr(output->final, '/') : NULL;
    if (error_number == ENOENT && slash)
        return io_fail(error, "cannot write %s: there is no folder %.*s", output->path,
                       (int)(slash - output->final), output->final);
    return io_fail(error, "cannot write %s: %s", output->path, strerror(error_number));
}

static void forget(struct io_output *output) {
    free(output->path);
    free(output->final);
    free(output->temporary);
    *output = (struct io_output){.unfinished = -1};
}

static void remove_temporary(struct io_output *output) {
    unlink(output->temporary);
    unfinished_remove(output->unfinished);
}

/* FOLDER/.weft-PROCESS-TRY.part: a name that is possible whatever the final one is. */
static bool name_temporary(struct io_output *output, int attempt, struct io_error *error) {
    char name[64];
    const char *slash = strrchr(output->final, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - output->final) + 1;
    snprintf(name, sizeof name, ".weft-%ld-%d.part", (long)getpid(), attempt);
    free(output->temporary);
    output->temporary = io_join(output->final, name, error);
    if (output->temporary != NULL)
        strcpy(output->temporary + folder, name);
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

static int create_listed(struct io_output *output) {
    sigset_t before;
    unfinished_hold(&before);
    const int descriptor = create(output->temporary), reason = errno;
    if (descriptor >= 0)
        output->unfinished = unfinished_add(output->temporary);
    unfinished_let_go(&before);
    errno = reason;
    return descriptor;
}

static bool open_temporary(struct io_output *output, struct io_error *error) {
    if (!name_temporary(output, 0, error))
        return false;
    int descriptor = create_nameless(output);
    output->nameless = descriptor >= 0;
    if (!output->nameless)
        descriptor = create_listed(output);
    for (int k = 1; k < TRIES && descriptor < 0 && errno == EEXIST; ++k) {
        if (!name_temporary(output, k, error))
            return false;
        descriptor = create_listed(output);
    }
    output->stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (output->stream != NULL)
        return true;
    io_output_fail(output, errno, error);
    if (descriptor >= 0) {
        close(descriptor);
        if (!output->nameless)
            remove_temporary(output);
    }
    return false;
}

static bool link_listed(struct io_output *output, const char *link) {
    sigset_t before;
    unfinished_hold(&before);
    const bool linked =
        linkat(AT_FDCWD, link, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) == 0;
    const int reason = errno;
    if (linked)
        output->unfinished = unfinished_add(output->temporary);
    unfinished_let_go(&before);
    errno = reason;
    return linked;
}

/* No other call than rename replaces an older file, and that needs a name. */
bool io_output_name(struct io_output *output, struct io_error *error) {
    char link[64];
    if (!output->nameless)
        return true;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(output->stream));
    if (fflush(output->stream) != 0)
        return io_output_fail(output, errno, error);
    for (int k = 1; !link_listed(output, link); ++k) {
        if (errno != EEXIST || k == TRIES)
            return io_output_fail(output, errno, error);
        if (!name_temporary(output, k, error))
            return false;
    }
    output->nameless = false;
    return true;
}

/* What is open already is written on from where it stands, and not cut off. */
static bool open_in_place(struct io_output *output, int descriptor,
                          struct io_error *error) {
    const int copy =
        descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (descriptor == STDOUT_FILENO)
        fflush(stdout);
    output->stream = descriptor < 0 ? fopen(output->final, "wb")
                     : copy < 0     ? NULL
                                    : fdopen(copy, "wb");
    if (output->stream != NULL)
        return true;
    const bool closed = copy >= 0 && errno == EINVAL; /* standard_keep holds its place */
    io_output_fail(output, closed ? EBADF : errno, error);
    if (copy >= 0)
        close(copy);
    return false;
}

static bool no_clobber;

void io_output_keep_old(void) {
    no_clobber = true;
}

/* A file that is there is replaced only where this user may write it, and it is theirs. */
static bool may_replace(const struct io_output *output, const struct stat *status,
                        struct io_error *error) {
    if (no_clobber)
        return io_fail(error, "cannot write %s: it is there already", output->path);
    if (status->st_uid != geteuid() && geteuid() != 0)
        return io_fail(error, "cannot write %s: it belongs to another user", output->path);
    if ((status->st_mode & 0222) == 0 || access(output->final, W_OK) != 0)
        return io_fail(error, "cannot write %s: it is write-protected", output->path);
    return true;
}

/* The new file is as the old one: who may read it, whose it is. */
static bool be_alike(const struct io_output *output, const struct stat *status,
                     struct io_error *error) {
    const int file = fileno(output->stream);
    const bool owned =
        status->st_uid == geteuid() || fchown(file, status->st_uid, (gid_t)-1) == 0;
    if (status->st_gid != getegid() && fchown(file, (uid_t)-1, status->st_gid) != 0)
        errno = 0; /* a group that this user is not in any more */
    return (owned && fchmod(file, status->st_mode & 07777) == 0) ||
           io_output_fail(output, errno, error);
}

static bool open_file(struct io_output *output, const struct stat *old,
                      struct io_error *error) {
    if (old != NULL && !may_replace(output, old, error))
        return false;
    if (!open_temporary(output, error))
        return false;
    if (old == NULL || be_alike(output, old, error))
        return true;
    fclose(output->stream);
    if (!output->nameless)
        remove_temporary(output);
    return false;
}

bool io_output_open(struct io_output *output, const char *path, struct io_error *error) {
    struct stat status;
    if (*path == '\0')
        return io_fail(error, "the name of a file to write is empty");
    *output = (struct io_output){.path = io_join(path, "", error), .unfinished = -1};
    if (output->path == NULL)
        return false;
    const int open_already = standard_descriptor(path);
    const bool is_there = stat(path, &status) == 0;
    const int reason = is_there || errno == ENOENT ? 0 : errno;
    const bool in_place = open_already >= 0 || (is_there && !S_ISREG(status.st_mode));
    /* /dev/stdout leads to a pipe by a link whose text is the name of no file. */
    if (reason == 0)
        output->final = in_place ? io_join(path, "", error) : io_follow(path, error);
    bool done = output->final != NULL;
    if (reason != 0)
        io_output_fail(output, reason, error);
    if (done && is_there && S_ISDIR(status.st_mode))
        done = io_output_fail(output, EISDIR, error);
    if (done)
        done = in_place ? open_in_place(output, open_already, error)
                        : open_file(output, is_there ? &status : NULL, error);
    if (!done)
        forget(output);
    return done;
}

bool io_output_close(struct io_output *output, bool good, struct io_error *error) {
    bool done = good && io_output_name(output, error);
    errno = 0;
    const bool failed_before = ferror(output->stream) != 0;
    const bool failed = fclose(output->stream) != 0 || failed_before;
    if (done && failed)
        done = io_output_fail(output, errno != 0 ? errno : EIO, error);
    if (output->temporary != NULL && !output->nameless) {
        if (done && rename(output->temporary, output->final) != 0)
            done = io_output_fail(output, errno, error);
        if (done)
            unfinished_remove(output->unfinished);
        else
            remove_temporary(output);
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
