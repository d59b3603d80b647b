/* Halos while the particles are in memory, by the steps of weft halos. */
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers as reading the file gives them, without reading. */
static void give(const struct simulate_run *run, const struct simulate_numbers *numbers,
                 struct halos_given *given) {
    given->info = *snapshot_info(given->snapshot);
    given->particles = (struct snapshot_particles){
        .n = run->info.n,
        .field = {numbers->position, numbers->velocity, numbers->mass, numbers->id},
        .bytes = {8, 8, 8, 8},
        .ids_from = SNAPSHOT_IDS_FILE,
    };
}

static int find(struct simulate_run *run, const char *path, const char *catalogue,
                const struct halos_given *given) {
    char *words[] = {"weft halos", (char *)path, "-o", (char *)catalogue};
    struct halos_run halos = {
        .options = halos_options_default(),
        .command = options_join(4, words),
        .device = run->device,
        .given = given,
    };
    if (halos.command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: names");
    halos.options.snapshot = path;
    halos.options.output = catalogue;
    halos.options.shared.quiet = true;
    halos.comm = (struct comm){
        .size = 1, .culprit = -1, .threads = run->comm.threads, .mark = run->comm.mark};
    timings_start(&halos.timings);
    const int status = halos_run_steps(&halos);
    if (status == CLI_DONE && !run->options.shared.quiet)
        printf("%" PRId64 " halo%s of at least %" PRId64 " particles: wrote %s\n",
               halos.n_halos, progress_plural(halos.n_halos), halos.options.min_members,
               outputs_shown(catalogue));
    halos_release(&halos);
    free(halos.command);
    return status;
}

int simulate_find_halos(struct simulate_run *run, const char *path,
                        const struct simulate_numbers *numbers) {
    struct io_error error;
    struct halos_given given = {.snapshot = snapshot_open(path, &error)};
    char *catalogue = simulate_halos_path(path);
    int status = CLI_FAULT;
    if (given.snapshot == NULL) {
        progress_fail(CLI_FAULT, "%s", error.text);
    } else if (catalogue == NULL) {
        progress_fail(CLI_FAULT, "out of memory: names");
    } else {
        give(run, numbers, &given);
        status = find(run, path, catalogue, &given);
    }
    snapshot_close((struct snapshot *)given.snapshot);
    free(catalogue);
    timings_end(&run->timings, TIMINGS_FOF, 0);
    return status;
}
