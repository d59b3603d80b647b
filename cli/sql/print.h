/* Rows of a query, on standard output. */
#ifndef WEFT_CLI_SQL_PRINT_H
#define WEFT_CLI_SQL_PRINT_H

#include "io/files/error.h"

#include <sqlite3.h>

/* Runs the statement to its end and prints its rows: as CSV, with a line of names, numbers
 * in the digits that give them back; or aligned, numbers to the right in ten digits, in
 * columns as wide as the first thousand rows need. Errors: the query's. */
bool sql_print(sqlite3_stmt *statement, bool csv, struct io_error *error);

#endif
