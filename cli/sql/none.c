/* weft sql of a build without SQLite. */
#include "cli/command.h"
#include "cli/progress.h"

int command_sql(int argc, char **argv) {
    (void)argc;
    progress_start(argv[0], false);
    return progress_fail(CLI_USAGE, "this weft was built without SQLite: build it again "
                                    "where libsqlite3-dev is installed");
}
