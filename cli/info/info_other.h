/* What weft info shows of files that hold no particles. */
#ifndef WEFT_CLI_INFO_OTHER_H
#define WEFT_CLI_INFO_OTHER_H

#include "io/columns/columns.h"

/* Reads all of it, and prints its header, its tables and its grids. */
bool other_print(struct columns_file *file, bool quiet, struct io_error *error);

/* Of what seems to be raw labels, how many there are; false where it does not. */
bool other_print_labels(const char *path, bool quiet);

#endif
