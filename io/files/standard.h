/* The name -: standard input and standard output as files; and outputs that this process
 * has open already. */
#ifndef WEFT_IO_FILES_STANDARD_H
#define WEFT_IO_FILES_STANDARD_H

#include <stdbool.h>
#include <stdio.h>

/* Before any file is opened: of standard input, output and error those that are closed stay
 * out of others' reach. Reads and writes of them fail; else the next file would be them. */
void standard_keep(void);

/* Whether the name is -. */
bool standard_is(const char *path);

/* Opens a file to read. Standard input is first copied to a file without a name, so that it
 * can be read more than once and at any place, by one reader at a time. -1 and errno. */
int standard_open(const char *path);
FILE *standard_stream(const char *path); /* the same; NULL and errno */

/* The descriptor of a file to write that this process has open: standard output, as -, or
 * whatever its name, as in `--labels out >>out`; /dev/fd/N. -1: it has not. */
int standard_descriptor(const char *path);

#endif
