/* The SQLite module `weft`: tables of HDF5 and GenericIO files, read where they lie.
 *
 *     CREATE VIRTUAL TABLE halos USING weft('lcdm64.halos.hdf5', 'halos');
 *
 * The second argument may be left out where the file has one table. Of a query only the
 * columns that it uses are read, a piece at a time, and of rowid's only those between the
 * bounds that it sets; the rowid of the first row is 0. Integers and reals come as such, a
 * NaN as NULL. Nothing can be changed. */
#ifndef WEFT_CLI_SQL_MODULE_H
#define WEFT_CLI_SQL_MODULE_H

#include <sqlite3.h>

/* Makes the module known to a connection. Returns SQLite's status. */
int sql_module_add(sqlite3 *database);

#endif
