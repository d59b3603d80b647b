#define _POSIX_C_SOURCE 200809L
#include "standard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void standard_keep(void) {
    for (int k = STDIN_FILENO; k <= STDERR_FILENO; ++k) {
        if (fcntl(k, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", k == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

bool standard_is(const char *path) {
    return strcmp(path, "-") == 0;
}

/* What is left of standard input, in a file that nobody else sees. NULL and errno. */
static FILE *spool(void) {
    char block[65536];
    FILE *to = tmpfile();
    size_t got;
    while (to != NULL && (got = fread(block, 1, sizeof block, stdin)) > 0) {
        if (fwrite(block, 1, got, to) != got)
            break;
    }
    if (to == NULL || (!ferror(stdin) && !ferror(to) && fflush(to) == 0))
        return to;
    const int reason = errno;
    fclose(to);
    errno = reason;
    return NULL;
}

int standard_open(const char *path) {
    static FILE *copy;
    if (!standard_is(path))
        return open(path, O_RDONLY | O_CLOEXEC);
    if (copy == NULL)
        copy = spool();
    const int descriptor =
        copy == NULL ? -1 : fcntl(fileno(copy), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (descriptor >= 0)
        lseek(descriptor, 0, SEEK_SET);
    return descriptor;
}

FILE *standard_stream(const char *path) {
    const int descriptor = standard_open(path);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (stream == NULL && descriptor >= 0)
        close(descriptor);
    return stream;
}

/* N of /dev/fd/N and its like; -1: none. */
static int number_of(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; ++k) {
        const size_t length = strlen(folders[k]);
        char *end;
        if (strncmp(path, folders[k], length) != 0)
            continue;
        const long number = strtol(path + length, &end, 10);
        if (end > path + length && *end == '\0' && number >= 0 && number < 1 << 20)
            return (int)number;
    }
    return -1;
}

int standard_descriptor(const char *path) {
    struct stat asked, there;
    const int number = standard_is(path) ? STDOUT_FILENO : number_of(path);
    if (number >= 0)
        return fcntl(number, F_GETFD) < 0 ? -1 : number;
    if (stat(path, &asked) != 0 || !S_ISREG(asked.st_mode))
        return -1;
    for (int k = STDOUT_FILENO; k <= STDERR_FILENO; ++k) {
        if (fstat(k, &there) == 0 && there.st_dev == asked.st_dev &&
            there.st_ino == asked.st_ino)
            return k;
    }
    return -1;
}
