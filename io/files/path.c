#include "path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

/* Where a link leads, seen from its folder. */
static char *next(const char *link, struct io_error *error) {
    char target[PATH_MAX];
    const ssize_t length = readlink(link, target, sizeof target - 1);
    const char *slash = strrchr(link, '/');
    if (length < 0) {
        io_fail(error, "cannot read the link %s: %s", link, strerror(errno));
        return NULL;
    }
    target[length] = '\0';
    char *folder = io_join(link, "", error);
    if (folder == NULL)
        return NULL;
    folder[slash == NULL || target[0] == '/' ? 0 : slash - link + 1] = '\0';
    char *name = io_join(folder, target, error);
    free(folder);
    return name;
}

char *io_follow(const char *path, struct io_error *error) {
    struct stat status;
    char *name = io_join(path, "", error);
    for (int k = 0; name != NULL && lstat(name, &status) == 0 && S_ISLNK(status.st_mode);
         ++k) {
        char *further = k < MOST_LINKS ? next(name, error) : NULL;
        if (k == MOST_LINKS)
            io_fail(error, "the link %s leads in circles", path);
        free(name);
        name = further;
    }
    return name;
}

bool io_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The folder of a name is there, or nothing can be written there. */
char *io_whole_name(const char *path) {
    struct io_error ignored;
    char *name = io_follow(path, &ignored);
    char *slash = name == NULL ? NULL : strrchr(name, '/');
    const char *last = slash == NULL ? name : slash + 1;
    char *kept = name == NULL ? NULL : io_join("/", last, &ignored);
    if (slash != NULL)
        slash[1] = '\0';
    char *folder = name == NULL ? NULL : realpath(slash == NULL ? "." : name, NULL);
    char *result = folder == NULL || kept == NULL ? NULL : io_join(folder, kept, &ignored);
    free(folder);
    free(kept);
    free(name);
    return result;
}

bool io_same_output(const char *a, const char *b) {
    char *first = io_whole_name(a), *second = io_whole_name(b);
    const bool same = io_same_file(a, b) ||
                      (first != NULL && second != NULL && strcmp(first, second) == 0);
    free(first);
    free(second);
    return same;
}

bool io_is_pipe(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}
