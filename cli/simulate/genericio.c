/* A snapshot as GenericIO, too: each rank makes some pieces of it. */
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "io/convert/convert.h"
#include "io/convert/split.h"
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>

/* What is written of the snapshot `path`, which the first rank has put there. */
static bool open_input(struct comm *comm, const char *path, int files, const char *name,
                       struct snapshot **snapshot, struct split *split) {
    const struct convert_options options = {.format = CONVERT_GENERICIO};
    *snapshot = snapshot_open(path, &comm->error);
    if (*snapshot == NULL)
        return comm_fail(comm, CLI_FAULT);
    const struct particles particles = convert_lay_out(*snapshot, &options);
    *split = split_of(name, files, &particles);
    return true;
}

static bool write_together(struct comm *comm, const char *path, int files,
                           const char *name) {
    struct snapshot *snapshot = NULL;
    struct split split = {0};
    const bool first = comm->rank == 0;
    char(*there)[PATH_MAX] =
        comm_allocate(comm, files, sizeof *there, "names of files of all ranks");
    bool well = first && comm->trouble == 0 &&
                open_input(comm, path, files, name, &snapshot, &split);
    if (well && !split_open(&split, &comm->error))
        comm_fail(comm, CLI_FAULT);
    for (int file = 0; well && comm->size > 1 && comm->trouble == 0 && file < files; ++file)
        if (!split_name(&split, file, there[file], &comm->error))
            comm_fail(comm, CLI_FAULT);
    well = comm_broadcast(comm, 0, there, files * (int64_t)sizeof *there) &&
           (first || open_input(comm, path, files, name, &snapshot, &split));
    const int64_t n = well ? split_pieces(&split) : 0;
    const int64_t from = simulate_share_first(comm, n, comm->rank),
                  to = simulate_share_first(comm, n, comm->rank + 1);
    if (well && !split_put(&split, comm->size > 1 ? (const char(*)[PATH_MAX])there : NULL,
                           from, to - from, &comm->error))
        comm_fail(comm, CLI_FAULT);
    well = comm_agree(comm);
    if (!split_close(&split, well, &comm->error) && well)
        comm_fail(comm, CLI_FAULT);
    snapshot_close(snapshot);
    free(there);
    return comm_agree(comm);
}

int simulate_convert(struct simulate_run *run, const char *path) {
    char *name = simulate_genericio_path(path);
    if (name == NULL) {
        io_fail(&run->comm.error, "out of memory: a name");
        comm_fail(&run->comm, CLI_FAULT);
    }
    const bool well = write_together(&run->comm, path, run->options.genericio, name);
    if (well && !run->options.shared.quiet)
        printf("GenericIO: wrote %s\n", outputs_shown(name));
    free(name);
    timings_end(&run->timings, TIMINGS_WRITE, 64 * run->info.n);
    return well ? CLI_DONE : parallel_stop(&run->comm);
}
