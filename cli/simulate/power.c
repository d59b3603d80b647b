/* The power spectrum while the particles are in memory, as weft power makes it. */
#include "cli/power/power.h"
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>

/* The run of weft power, without options, of what this rank has. */
static struct power_run describe(struct simulate_run *run, const char *path,
                                 const struct simulate_numbers *numbers) {
    struct power_run power = {
        .options = {.snapshot = path},
        .output = simulate_power_path(path),
        .comm = &run->comm,
        .device = run->device,
        .info = {.n = run->info.n,
                 .bytes = {[SNAPSHOT_COORDINATES] = 8, [SNAPSHOT_MASSES] = 8},
                 .box = {run->box, run->box, run->box}},
        .particles = {.n = run->particles.n,
                      .field = {[SNAPSHOT_COORDINATES] = numbers->position,
                                [SNAPSHOT_MASSES] = numbers->mass},
                      .bytes = {[SNAPSHOT_COORDINATES] = 8, [SNAPSHOT_MASSES] = 8}},
    };
    snprintf(power.info.length_unit, sizeof power.info.length_unit, "Mpc");
    return power;
}

int simulate_measure_power(struct simulate_run *run, const char *path,
                           const struct simulate_numbers *numbers) {
    struct power_run power = describe(run, path, numbers);
    int status = CLI_DONE;
    if (!power.output)
        status = progress_fail(CLI_FAULT, "out of memory: a name");
    if (status == CLI_DONE)
        status = power_settle(&power);
    if (status == CLI_DONE)
        status = power_measure(&power);
    if (status == CLI_DONE && run->comm.rank == 0)
        status = power_write(&power);
    if (status == CLI_DONE && !run->options.shared.quiet)
        printf("power spectrum: wrote %s\n", outputs_shown(power.output));
    timings_end(&run->timings, TIMINGS_POWER, 0);
    free(power.output);
    free(power.k);
    free(power.power);
    free(power.modes);
    return status;
}
