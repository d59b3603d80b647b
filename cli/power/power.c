/* weft power: from a snapshot or a density to its power spectrum. */
#include "power.h"
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "io/files/standard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *input_of(const struct power_run *run) {
    return run->options.density ? run->options.density : run->options.snapshot;
}

static void of_particles(struct power_run *run) {
    weft_device *device = run->device;
    const struct snapshot_particles *p = &run->particles;
    const weft_array position =
        weft_borrow_const(device, p->bytes[SNAPSHOT_COORDINATES] == 4 ? WEFT_F32 : WEFT_F64,
                          p->field[SNAPSHOT_COORDINATES], 3 * p->n);
    const bool massive = p->field[SNAPSHOT_MASSES] != NULL;
    const weft_array mass =
        massive ? weft_borrow_const(device,
                                    p->bytes[SNAPSHOT_MASSES] == 4 ? WEFT_F32 : WEFT_F64,
                                    p->field[SNAPSHOT_MASSES], p->n)
                : (weft_array){0};
    const weft_points points = weft_points_interleaved(device, position);
    weft_power_particles(device, &points, mass, &run->asked, run->k, run->power, run->modes,
                         &run->shot_noise);
    weft_return(device, position);
    if (massive)
        weft_return(device, mass);
}

static void of_density(struct power_run *run) {
    const struct density_grid *d = &run->density;
    const weft_array values =
        weft_borrow_const(run->device, d->whole ? WEFT_I64 : WEFT_F64, d->values,
                          d->planes * d->grid[1] * d->grid[2]);
    weft_power_density(run->device, values, &run->asked, run->k, run->power, run->modes);
    weft_return(run->device, values);
}

static int measure(struct power_run *run) {
    if (run->options.density)
        of_density(run);
    else
        of_particles(run);
    return weft_check(run->device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", input_of(run),
                               progress_error(run->device));
}

static int measure_together(struct power_run *run) {
    struct power_share share;
    int status = power_share_out(run, &share) ? CLI_DONE : parallel_stop(run->comm);
    if (status == CLI_DONE)
        status = measure(run);
    free(share.owner);
    run->asked.slab = NULL;
    return status;
}

int power_measure(struct power_run *run) {
    struct io_error error;
    const int64_t *n = run->asked.n;
    progress_show("%s: %s · a mesh of %" PRId64 " x %" PRId64 " x %" PRId64,
                  weft_backend_name(run->device), weft_device_name(run->device), n[0], n[1],
                  n[2]);
    run->shells = weft_power_shells(&run->asked);
    if (run->shells == 0)
        return progress_fail(CLI_FAULT,
                             "%s: %" PRId64 " x %" PRId64 " x %" PRId64
                             " points have no whole shell of modes",
                             input_of(run), n[0], n[1], n[2]);
    run->k = io_allocate(run->shells, sizeof *run->k, "wave numbers", &error);
    run->power = io_allocate(run->shells, sizeof *run->power, "the spectrum", &error);
    run->modes = io_allocate(run->shells, sizeof *run->modes, "counts of modes", &error);
    if (!run->k || !run->power || !run->modes)
        return progress_fail(CLI_FAULT, "%s", error.text);
    const int status = run->comm->size > 1 ? measure_together(run) : measure(run);
    timings_end(&run->timings, TIMINGS_POWER, 32 * n[0] * n[1] * n[2] / run->comm->size);
    return status;
}

static void print_summary(const struct power_run *run) {
    const double *seconds = run->timings.seconds;
    const int64_t *n = run->asked.n;
    const char *unit = run->info.length_unit;
    printf("%s: %" PRId64 " shell%s on a mesh of %" PRId64 " x %" PRId64 " x %" PRId64
           ", k from %.4g to %.4g / (%s)\n",
           outputs_shown(input_of(run)), run->shells, progress_plural(run->shells), n[0],
           n[1], n[2], run->k[0], run->k[run->shells - 1], unit);
    if (run->options.snapshot)
        printf("%" PRId64 " particles, %s%s; shot noise %.6g (%s)^3, not subtracted\n",
               run->info.n, power_windows[run->asked.window - 1],
               run->asked.plain ? "" : ", interlaced", run->shot_noise, unit);
    if (run->comm->size > 1)
        printf("%d ranks, which sent %.1f MiB to each other; the first: ", run->comm->size,
               (double)timings_sent(&run->timings) / 1048576.0);
    printf("%s, %s: read %.3f s, power %.3f s, written %.3f s\n",
           weft_backend_name(run->device), weft_device_name(run->device),
           seconds[TIMINGS_READ], seconds[TIMINGS_POWER], seconds[TIMINGS_WRITE]);
    printf("wrote %s\n", outputs_shown(run->output));
}

static int run_steps(void *context, struct comm *comm) {
    struct power_run *run = context;
    struct io_error error;
    run->comm = comm;
    run->options.shared.quiet |= comm->rank > 0;
    if (run->command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the command line");
    int status = parallel_meet(comm, power_read(run));
    if (status == CLI_DONE)
        status = power_measure(run);
    if (status == CLI_DONE && comm->rank == 0)
        status = power_write(run);
    timings_end(&run->timings, TIMINGS_WRITE, 0);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE && !timings_gather(&run->timings, comm))
        status = parallel_stop(comm);
    const char *timings = run->options.shared.timings;
    if (status == CLI_DONE && timings && comm->rank == 0 &&
        !timings_write(timings, &run->timings, run->device, run->command, run->info.n,
                       &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    const char *const outputs[] = {run->output, timings};
    if (status == CLI_DONE && !run->options.shared.quiet &&
        !outputs_take_stdout(outputs, 2))
        print_summary(run);
    return status;
}

int command_power(int argc, char **argv) {
    struct power_run run = {.command = options_join(argc, argv)};
    struct comm comm;
    power_parse(argc, argv, &run.options);
    timings_start(&run.timings);
    const bool read_input = standard_is(input_of(&run));
    const int status =
        parallel_run(argv[0], &run.options.shared, read_input, &comm, run_steps, &run);
    weft_close(run.device);
    snapshot_free(&run.particles);
    free(run.density.values);
    free(run.k);
    free(run.power);
    free(run.modes);
    free(run.output);
    free(run.command);
    return status;
}
