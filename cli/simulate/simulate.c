/* weft simulate: from initial conditions to snapshots. */
#include "simulate.h"
#include "cli/command.h"
#include "cli/outputs/names.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "io/files/standard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for, else the input's name without folder and ending, in a folder that is.
 */
static char *base_name(const struct simulate_options *options) {
    char *stem = names_stem(options->input, false);
    char *name = stem ? names_output(options->name, stem, "") : NULL;
    free(stem);
    return name;
}

static void print_summary(const struct simulate_run *run, int64_t steps) {
    const double *seconds = run->timings.seconds;
    const double work = (double)run->info.n * (double)(steps * run->substeps);
    if (run->comm.size > 1)
        printf("%d ranks, which sent %.1f MiB to each other; the first: ", run->comm.size,
               (double)timings_sent(&run->timings) / 1048576.0);
    printf("%s, %s: read %.3f s, %" PRId64 " steps of %" PRId64 " %.3f s, written %.3f s; "
           "%.3g particle-substeps/s, peak memory %.1f MiB\n",
           weft_backend_name(run->device), weft_device_name(run->device),
           seconds[TIMINGS_READ], steps, run->substeps, seconds[TIMINGS_SIMULATE],
           seconds[TIMINGS_WRITE],
           seconds[TIMINGS_SIMULATE] > 0 ? work / seconds[TIMINGS_SIMULATE] : 0,
           (double)timings_peak_memory() / 1048576.0);
}

static int run_steps(void *context, struct comm *comm) {
    struct simulate_run *run = context;
    struct io_error error;
    run->comm = *comm;
    if (comm->size > 1)
        parallel_keep_memory();
    run->options.shared.quiet |= comm->rank > 0;
    run->name = base_name(&run->options);
    int status = CLI_DONE;
    if (run->command == NULL || run->name == NULL)
        status = progress_fail(CLI_FAULT, "out of memory: names");
    if (status == CLI_DONE)
        status = simulate_read(run);
    const int64_t first = run->step;
    if (status == CLI_DONE)
        status = simulate_prepare(run);
    if (status == CLI_DONE)
        status = simulate_evolve(run);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE && !timings_gather(&run->timings, &run->comm))
        status = parallel_stop(&run->comm);
    const char *timings = run->options.shared.timings;
    if (status == CLI_DONE && timings && comm->rank == 0 &&
        !timings_write(timings, &run->timings, run->device, run->command, run->info.n,
                       &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    if (status == CLI_DONE && !run->options.shared.quiet)
        print_summary(run, llabs(run->step - first));
    *comm = run->comm;
    return status;
}

int command_simulate(int argc, char **argv) {
    struct simulate_run run = {.command = options_join(argc, argv)};
    struct comm comm;
    simulate_parse(argc, argv, &run.options);
    timings_start(&run.timings);
    const bool read_input = standard_is(run.options.input);
    const int status =
        parallel_run(argv[0], &run.options.shared, read_input, &comm, run_steps, &run);
    if (run.gravity)
        weft_gravity_free(run.device, run.gravity);
    weft_close(run.beside);
    weft_close(run.device);
    free(run.room.memory);
    visits_free_cells(&run.far);
    visits_free_cells(&run.near);
    simulate_energy_free(&run.energy);
    free(run.id);
    free(run.name);
    free(run.command);
    return status;
}
