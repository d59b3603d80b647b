/* Files that a command shall write, looked at before its work. */
#ifndef WEFT_CLI_OUTPUTS_H
#define WEFT_CLI_OUTPUTS_H

#include "io/files/error.h"

#include <stdbool.h>

/* Whether all can be written, and no two are the same. NULL: none. Returns the exit status.
 */
int outputs_check(const char *const *paths, int count);

/* Whether one of them is -, so that nothing else goes to standard output. */
bool outputs_take_stdout(const char *const *paths, int count);

/* A name as it is printed: text without control characters. Two of them at a time. */
const char *outputs_shown(const char *path);

/* Whether the name that an option gives, where its ending tells a format, tells the one
 * that is written: "HDF5", "CSV" and the like; a picture is PDF or SVG where the name ends
 * so, else PNG. NULL: no name. */
bool outputs_named(const char *option, const char *path, const char *format,
                   struct io_error *error);
bool outputs_picture_named(const char *option, const char *path, struct io_error *error);
bool outputs_labels_named(const char *option, const char *path, struct io_error *error);

/* Says that a file to write is one that is read. Returns the exit status. */
int outputs_refuse_input(const char *path);

/* Writes what is printed as JSON, and a line's end; NULL is a print that ran out of memory,
 * of `what`. Frees it. */
bool outputs_write_json(const char *path, char *text, const char *what,
                        struct io_error *error);

#endif
