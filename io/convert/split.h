/* A snapshot as GenericIO in one file or several, by one process or several.
 *
 * Several files are PATH#0, PATH#1, ..., of about as many particles each, and PATH, which
 * tells of them. They have pieces of at most 2^20 particles, GenericIO's ranks. Which
 * process writes which of them does not matter to a byte. */
#ifndef WEFT_IO_SPLIT_H
#define WEFT_IO_SPLIT_H

#include "io/particles.h"

#include <limits.h>

enum { SPLIT_MOST = 256 };

struct split {
    const char *path;
    int files;
    struct particles particles;
    struct io_output *output; /* [files], then that of PATH if there are several */
    int open;                 /* how many are */
    int older;                /* split_told_of, before */
};

/* How many files beside it a PATH that is there tells of; 0: it is none that does. */
int split_told_of(const char *path);

/* Removes those of an earlier output that had more than `files` of its own. */
void split_remove_older(const char *path, int files, int older);

/* Of particles as convert_lay_out gives them. */
struct split split_of(const char *path, int files, const struct particles *particles);

/* The name of a file, for free(); of PATH where file is how many there are. */
char *split_path(const char *path, int files, int file, struct io_error *error);

/* How many pieces there are in all files. */
int64_t split_pieces(const struct split *split);

/* On one process: opens the files, and writes all but their particles. Close it in each
 * case: the files appear then, PATH last, and those of an earlier PATH that had more are
 * removed; or none does. */
bool split_open(struct split *split, struct io_error *error);
bool split_close(struct split *split, bool good, struct io_error *error);

/* Where other processes find each file until then. */
bool split_name(struct split *split, int file, char path[PATH_MAX], struct io_error *error);

/* Writes pieces first .. first + count, into the files `there`; NULL: those that are open.
 */
bool split_put(const struct split *split, const char (*there)[PATH_MAX], int64_t first,
               int64_t count, struct io_error *error);

#endif
