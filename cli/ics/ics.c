/* weft ics: from options to a file. */
#include "ics.h"
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "io/files/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static void print_summary(const struct ics_run *run) {
    const struct ics_options *o = &run->options;
    printf("%" PRId64 " particles of %.6g 1e10 Msun in %g Mpc at z = %g, order %" PRId64
           "%s, seed %" PRIu64 "\n",
           o->n * o->n * o->n, ics_particle_mass(run), o->box, o->redshift, o->order,
           o->fixed ? ", fixed" : "", o->seed);
    printf("sigma8 %.6g today, growth from then %.6g\n",
           ics_spectrum_sigma8(&run->spectrum), 1 / run->growth.growth);
    printf("%s, %s: made %.3f s, written %.3f s\n", weft_backend_name(run->device),
           weft_device_name(run->device), run->timings.seconds[TIMINGS_ICS],
           run->timings.seconds[TIMINGS_WRITE]);
    printf("wrote %s\n", outputs_shown(o->output));
}

static int check_outputs(const struct ics_options *o, const char *const *paths, int count) {
    for (int k = 0; k < count; ++k)
        if (paths[k] && o->table && io_same_output(o->table, paths[k]))
            return outputs_refuse_input(paths[k]);
    return outputs_check(paths, count);
}

static int run_steps(struct ics_run *run) {
    struct io_error error;
    const char *const outputs[] = {run->options.output, run->options.shared.timings};
    if (run->command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the command line");
    int status = check_outputs(&run->options, outputs, 2);
    if (status == CLI_DONE)
        run->device = progress_hear(options_open(&run->options.shared, &status));
    if (run->device == NULL)
        return status;
    status = ics_make(run);
    if (status == CLI_DONE)
        status = ics_save(run);
    const char *timings = run->options.shared.timings;
    if (status == CLI_DONE && timings &&
        !timings_write(timings, &run->timings, run->device, run->command,
                       run->options.n * run->options.n * run->options.n, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    if (status == CLI_DONE && !run->options.shared.quiet &&
        !outputs_take_stdout(&timings, 1))
        print_summary(run);
    return status;
}

int command_ics(int argc, char **argv) {
    struct ics_run run = {.command = options_join(argc, argv),
                          .options = ics_options_default()};
    ics_parse(argc, argv, &run.options);
    timings_start(&run.timings);
    progress_start(argv[0], run.options.shared.quiet);
    const int status = run_steps(&run);
    weft_close(run.device);
    ics_release(&run);
    free(run.command);
    return status;
}
