#include "parts.h"
#include "io/files/path.h"
#include "io/files/standard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

static bool is_readable(const char *path, struct io_error *error) {
    struct stat status;
    if (stat(path, &status) != 0 || access(path, R_OK) != 0)
        return io_fail_read(error, path);
    if (S_ISDIR(status.st_mode))
        return io_fail(error, "%s is a folder, not a snapshot", path);
    if (io_is_pipe(path))
        return io_fail(error,
                       "%s is a pipe, not a file: text and .npy are read from standard "
                       "input, by the name -",
                       path);
    return true;
}

/* Where `path` ends in .hdf5 or .h5, the place of that point; otherwise its end. */
static size_t stem_length(const char *path) {
    const size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".hdf5") == 0)
        return length - 5;
    if (length > 3 && strcmp(path + length - 3, ".h5") == 0)
        return length - 3;
    return length;
}

/* head[0..head_length) and middle and tail in one name. */
static char *assemble(const char *head, size_t head_length, const char *middle,
                      const char *tail, struct io_error *error) {
    const size_t room = head_length + strlen(middle) + strlen(tail) + 1;
    char *name = io_allocate((int64_t)room, 1, "a file name", error);
    if (name != NULL) {
        memcpy(name, head, head_length);
        snprintf(name + head_length, room - head_length, "%s%s", middle, tail);
    }
    return name;
}

char *io_parts_resolve(const char *path, struct io_error *error) {
    static const char *const endings[] = {".0.hdf5", ".0.h5", ".hdf5", ".h5"};
    const size_t length = strlen(path), stem = stem_length(path);
    char *name = assemble(path, length, "", "", error);
    if (standard_is(path))
        return name;
    if (name != NULL && !is_there(name)) {
        char *candidate = assemble(path, stem, ".0", path + stem, error);
        for (size_t k = 0; candidate != NULL && !is_there(candidate) &&
                           k < sizeof endings / sizeof *endings;
             ++k) {
            free(candidate);
            candidate = assemble(path, length, endings[k], "", error);
        }
        if (candidate == NULL || is_there(candidate)) {
            free(name);
            name = candidate;
        } else {
            free(candidate);
        }
    }
    if (name != NULL && !is_readable(name, error)) {
        free(name);
        return NULL;
    }
    return name;
}

char *io_parts_name(const char *path, int index, struct io_error *error) {
    const size_t stem = stem_length(path);
    size_t point = stem;
    while (point > 0 && path[point - 1] >= '0' && path[point - 1] <= '9')
        --point;
    if (point == stem || point < 2 || path[point - 1] != '.') {
        io_fail(error,
                "%s says that it is one of several files, but its name does not end in "
                ".NUMBER or .NUMBER.hdf5",
                path);
        return NULL;
    }
    char digits[16];
    snprintf(digits, sizeof digits, "%d", index);
    return assemble(path, point, digits, path + stem, error);
}
