#include "split.h"
#include "io/files/standard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct split split_of(const char *path, int files, const struct particles *particles) {
    return (struct split){.path = path, .files = files, .particles = *particles};
}

int64_t split_pieces(const struct split *split) {
    const struct genericio_share share =
        genericio_share(split->particles.n, split->files, 0);
    return share.ranks + share.beyond;
}

char *split_path(const char *path, int files, int file, struct io_error *error) {
    char ending[16] = "";
    if (files > 1 && file < files)
        snprintf(ending, sizeof ending, "#%d", file);
    return io_join(path, ending, error);
}

static bool open_one(struct split *split, int file, struct io_error *error) {
    struct io_output *output = &split->output[file];
    char *path = split_path(split->path, split->files, file, error);
    const bool open = path != NULL && io_output_open(output, path, error);
    free(path);
    if (!open)
        return false;
    split->open = file + 1;
    if (file == split->files)
        return genericio_put_map(output, &split->particles, split->files, error);
    const struct genericio_share share =
        genericio_share(split->particles.n, split->files, file);
    return genericio_begin(output, &split->particles, &share, error);
}

int split_told_of(const char *path) {
    return standard_is(path) ? 0 : genericio_partitions(path);
}

void split_remove_older(const char *path, int files, int older) {
    for (int file = files > 1 ? files : 0; file < older; ++file) {
        char *name = split_path(path, older + 1, file, &(struct io_error){0});
        if (name)
            unlink(name);
        free(name);
    }
}

bool split_open(struct split *split, struct io_error *error) {
    const int all = split->files + (split->files > 1);
    split->older = split_told_of(split->path);
    split->output = io_allocate(all, sizeof *split->output, "names of files", error);
    bool done = split->output != NULL;
    for (int file = 0; done && file < all; ++file)
        done = open_one(split, file, error);
    return done;
}

bool split_close(struct split *split, bool good, struct io_error *error) {
    for (int file = 0; file < split->open; ++file)
        good = io_output_close(&split->output[file], good, error) && good;
    if (good)
        split_remove_older(split->path, split->files, split->older);
    free(split->output);
    split->output = NULL;
    split->open = 0;
    return good;
}

bool split_name(struct split *split, int file, char path[PATH_MAX],
                struct io_error *error) {
    struct io_output *output = &split->output[file];
    if (output->temporary == NULL)
        return io_fail(error, "%s: several ranks need a file, not a pipe or a device",
                       output->path);
    return io_output_name(output, error) && (realpath(output->temporary, path) != NULL ||
                                             io_output_fail(output, errno, error));
}

static bool put(const struct split *split, struct io_output *output,
                const struct genericio_share *share, int64_t first, int64_t count,
                struct io_error *error) {
    return genericio_seek(output, &split->particles, share, first, error) &&
           genericio_put_ranks(output, &split->particles, share, first, count, error);
}

/* The same into a file that another process, or this one, has open. */
static bool put_there(const struct split *split, const char *there,
                      const struct genericio_share *share, int64_t first, int64_t count,
                      struct io_error *error) {
    struct io_output output = {.path = (char *)(uintptr_t)split->path,
                               .stream = fopen(there, "r+b")};
    if (output.stream == NULL)
        return io_fail(error, "cannot write %s: %s; all ranks have to reach its folder",
                       split->path, strerror(errno));
    const bool done = put(split, &output, share, first, count, error);
    if (fclose(output.stream) != 0 && done)
        return io_output_fail(&output, errno, error);
    return done;
}

bool split_put(const struct split *split, const char (*there)[PATH_MAX], int64_t first,
               int64_t count, struct io_error *error) {
    bool done = true;
    for (int file = 0; done && file < split->files; ++file) {
        const struct genericio_share share =
            genericio_share(split->particles.n, split->files, file);
        const int64_t from = first > share.before ? first : share.before;
        const int64_t beyond = share.before + share.ranks,
                      to = first + count < beyond ? first + count : beyond;
        if (from < to)
            done = there ? put_there(split, there[file], &share, from - share.before,
                                     to - from, error)
                         : put(split, &split->output[file], &share, from - share.before,
                               to - from, error);
    }
    return done;
}
