/* The tables of a file, for people. */
#ifndef WEFT_CLI_TABLES_H
#define WEFT_CLI_TABLES_H

#include "io/columns/columns.h"

/* Prints each table with its rows, and its columns with type, unit and meaning;
 * those of a row of numbers as one, name_0..8. */
void tables_print(const struct columns_file *file);

#endif
