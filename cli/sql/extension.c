/* The module as an extension that SQLite loads: .load weft-sqlite */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "module.h"

/* SQLite looks for a function named after the file, in letters alone. */
__attribute__((visibility("default"))) int
sqlite3_weftsqlite_init(sqlite3 *database, char **message,
                        const sqlite3_api_routines *routines);

int sqlite3_weftsqlite_init(sqlite3 *database, char **message,
                            const sqlite3_api_routines *routines) {
    (void)message;
    SQLITE_EXTENSION_INIT2(routines)
    return sql_module_add(database);
}
