/* Initial conditions, for Python: the steps of `weft ics`. */
#include "cli/ics/ics.h"
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "glue.h"
#include "io/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void ask(struct ics_options *options, const struct weft_python_ics *asked) {
    options->output = asked->output;
    options->table = asked->table;
    options->k = asked->k;
    options->p = asked->p;
    options->rows = asked->rows;
    options->n = asked->n;
    options->seed = asked->seed;
    options->box = asked->box;
    options->redshift = asked->redshift;
    options->h = asked->h;
    options->omega_matter = asked->omega_matter;
    options->omega_baryon = asked->omega_baryon;
    options->n_s = asked->n_s;
    options->sigma8 = asked->sigma8;
    options->order = asked->order;
    options->fixed = asked->fixed;
}

/* The particles, which are the caller's from here on. */
static int give(struct ics_run *run, struct weft_python_snapshot *out) {
    struct io_error error;
    const struct ics_options *o = &run->options;
    const int64_t n = o->n * o->n * o->n;
    int64_t *id = io_allocate(n, sizeof *id, "ids", &error);
    if (id == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    for (int64_t i = 0; i < n; ++i)
        id[i] = i;
    *out = (struct weft_python_snapshot){
        .n = n,
        .count = {0, n},
        .mass = ics_particle_mass(run),
        .box = {o->box, o->box, o->box},
        .redshift = o->redshift,
        .scale_factor = run->growth.scale_factor,
        .h = o->h,
        .omega_matter = o->omega_matter,
        .omega_lambda = 1 - o->omega_matter,
        .omega_baryon = o->omega_baryon,
        .periodic = {1, 1, 1},
    };
    snprintf(out->format, sizeof out->format, "initial conditions");
    snprintf(out->length_unit, sizeof out->length_unit, "Mpc");
    snprintf(out->mass_unit, sizeof out->mass_unit, "1e10 Msun");
    out->field[SNAPSHOT_COORDINATES] = run->position, out->bytes[SNAPSHOT_COORDINATES] = 8;
    out->field[SNAPSHOT_VELOCITIES] = run->velocity, out->bytes[SNAPSHOT_VELOCITIES] = 4;
    out->field[SNAPSHOT_IDS] = id, out->bytes[SNAPSHOT_IDS] = 8;
    run->position = NULL;
    run->velocity = NULL;
    return CLI_DONE;
}

int weft_python_ics(weft_device *device, const struct weft_python_ics *asked,
                    struct weft_python_snapshot *out) {
    static char command[] = "weft.ics, in Python";
    struct io_error error;
    struct ics_run run = {
        .options = ics_options_default(), .command = command, .device = device};
    ask(&run.options, asked);
    timings_start(&run.timings);
    *out = (struct weft_python_snapshot){0};
    if (!ics_options_agree(&run.options, &error))
        return progress_fail(CLI_USAGE, "%s", error.text);
    int status = outputs_check(&run.options.output, 1);
    if (status == CLI_DONE)
        status = ics_make(&run);
    if (status == CLI_DONE && run.options.output)
        status = ics_save(&run);
    if (status == CLI_DONE)
        status = give(&run, out);
    ics_release(&run);
    return status;
}
