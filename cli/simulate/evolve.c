/* The steps, and what is written on the way. */
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int take_step(struct simulate_run *run, int64_t to) {
    run->take.from = simulate_scale(&run->schedule, run->step);
    run->take.to = simulate_scale(&run->schedule, to);
    weft_steps_take(run->device, &run->particles, &run->take);
    weft_synchronize(run->device);
    run->take.known = 1;
    run->step = to;
    timings_end(&run->timings, TIMINGS_SIMULATE, 0);
    return weft_check(run->device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", run->options.input,
                               progress_error(run->device));
}

static int write_stop(struct simulate_run *run, int stop) {
    char *path = simulate_path(run, stop);
    const bool halos = stop > 0 && run->schedule.halos[stop];
    int status = path ? simulate_write(run, path, halos, stop > 0 && run->options.power)
                      : progress_fail(CLI_FAULT, "out of memory: a name");
    if (status == CLI_DONE && stop > 0 && run->options.genericio > 0)
        status = simulate_convert(run, path);
    if (status == CLI_DONE && !run->options.shared.quiet)
        printf("z = %.6g: wrote %s\n", 1 / simulate_scale(&run->schedule, run->step) - 1,
               outputs_shown(path));
    free(path);
    return status;
}

static int write_checkpoint(struct simulate_run *run) {
    char *path = simulate_path(run, -1);
    const int status = path ? simulate_write_checkpoint(run, path)
                            : progress_fail(CLI_FAULT, "out of memory: a name");
    free(path);
    return status;
}

/* What is due where the particles are. */
static int write_due(struct simulate_run *run) {
    const struct simulate_schedule *s = &run->schedule;
    const int64_t every = run->options.checkpoint;
    int status = CLI_DONE;
    if (run->options.reverse)
        return run->step == 0 ? write_stop(run, 0) : CLI_DONE;
    for (int k = 1; k < s->n_stops && status == CLI_DONE; ++k)
        if (s->step[k] == run->step)
            status = write_stop(run, k);
    if (status == CLI_DONE && every > 0 && run->step % every == 0) {
        status = simulate_energy_write(run);
        if (status == CLI_DONE)
            status = write_checkpoint(run);
    }
    return status;
}

/* The energies that are asked for, at the start and after a step. */
static int add_energy(struct simulate_run *run) {
    const bool asked = run->options.energy > 0 && !run->options.reverse;
    return asked ? simulate_energy_add(run) : CLI_DONE;
}

int simulate_evolve(struct simulate_run *run) {
    const struct simulate_schedule *s = &run->schedule;
    const int64_t first = run->step, back = run->options.reverse;
    const int64_t last = back ? 0 : s->step[s->n_stops - 1];
    const int64_t all = back ? first : last - first;
    int status = first == 0 && back ? write_due(run) : CLI_DONE;
    if (status == CLI_DONE && run->options.restart)
        status = simulate_energy_resume(run);
    if (status == CLI_DONE)
        status = add_energy(run);
    progress_show("%s: %s · %" PRId64 " steps of %" PRId64, weft_backend_name(run->device),
                  weft_device_name(run->device), all, run->substeps);
    while (status == CLI_DONE && run->step != last) {
        status = take_step(run, run->step + (back ? -1 : 1));
        if (status == CLI_DONE)
            status = add_energy(run);
        if (status == CLI_DONE)
            status = write_due(run);
        progress_part(back ? first - run->step : run->step - first, all);
        if (status == CLI_DONE && progress_stopped())
            status = progress_fail(CLI_FAULT, "interrupted");
    }
    if (status == CLI_DONE)
        status = simulate_energy_write(run);
    if (status == CLI_DONE && run->energy.n > 0) {
        char *path = simulate_energy_path(run);
        if (path && !run->options.shared.quiet)
            printf("energies: wrote %s\n", outputs_shown(path));
        free(path);
    }
    return status;
}
