/* A file that is there whole or not at all: written without a name, or under a temporary
 * one where the file system needs names, in the folder of the final one; then renamed. */
#ifndef WEFT_IO_OUTPUT_H
#define WEFT_IO_OUTPUT_H

#include "error.h"

#include <stdio.h>

struct io_output {
    FILE *stream;    /* where to write */
    char *path;      /* as asked for */
    char *final;     /* a regular file: the same with symbolic links followed */
    char *temporary; /* NULL where `final` is no regular file (a pipe, a terminal,
                      * /dev/null, -: standard output, or a file that is open
                      * already): such a one is written in place */
    bool nameless;   /* has its temporary name only while it is renamed, or others write */
    int unfinished;  /* else its number there; -1: it has none */
};

/* Errors: the folder is missing or not writable, `path` is a folder, or a file that is
 * write-protected or another user's; no memory. On failure nothing is left to close. A file
 * that is there keeps its mode and its owner; links are followed, also to nothing. */
bool io_output_open(struct io_output *output, const char *path, struct io_error *error);

/* Gives a nameless file its temporary name before it is closed, for other processes to
 * write into it; a process that is killed from then on leaves it behind (as do signals, but
 * for those of unfinished_guard). */
bool io_output_name(struct io_output *output, struct io_error *error);

/* Closes and, where all went well, gives the file its name; otherwise, and where `good` is
 * false, removes it and leaves an older file of that name as it was. Returns whether the
 * file is there; the sentence is written only where `good` was true. */
bool io_output_close(struct io_output *output, bool good, struct io_error *error);

/* The sentence for a write that failed: no space left, and the like. Returns false. */
bool io_output_fail(const struct io_output *output, int error_number,
                    struct io_error *error);

/* From now on files that are there already are not replaced. */
void io_output_keep_old(void);

/* Whether `path` ends in `ending`, in either case: ".csv". */
bool io_ends_in(const char *path, const char *ending);

#endif
