/* Names of files, compared as files. */
#ifndef WEFT_IO_FILES_PATH_H
#define WEFT_IO_FILES_PATH_H

#include "error.h"

/* The file that is read or made by this name: links followed, also those to nothing. For
 * free(); NULL and a sentence where links lead in circles or memory is out. */
char *io_follow(const char *path, struct io_error *error);

/* Whether both name the same file, which is there. */
bool io_same_file(const char *a, const char *b);

/* One name for all that write the same file: links followed, from the root. For free();
 * NULL where links lead in circles, there is no such folder, or memory is out. */
char *io_whole_name(const char *path);

/* As io_same_file, but that neither need be there yet: whether the one would be written
 * over by the other. */
bool io_same_output(const char *a, const char *b);

/* Whether it is a pipe or a socket, which to open might wait for its other end. */
bool io_is_pipe(const char *path);

#endif
