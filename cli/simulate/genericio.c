/* A snapshot as GenericIO, too. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/convert.h"
#include "simulate.h"

#include <stdlib.h>

int simulate_convert(struct simulate_run *run, const char *path) {
    const struct convert_options options = {.format = CONVERT_GENERICIO};
    struct io_error error;
    char *name = simulate_genericio_path(path);
    if (name == NULL)
        return progress_fail(CLI_FAULT, "out of memory: a name");
    struct snapshot *snapshot = snapshot_open(path, &error);
    const bool done = snapshot && convert_write(name, snapshot, &options, &error);
    snapshot_close(snapshot);
    free(name);
    timings_end(&run->timings, TIMINGS_WRITE, 64 * run->info.n);
    return done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}
