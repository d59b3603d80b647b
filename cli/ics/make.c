/* weft ics: from a seed to particles. */
#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/timings.h"
#include "ics.h"
#include "io/ics/ics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

struct run {
    struct ics_options options;
    char *command;
    struct timings timings;
    weft_device *device;
    struct ics_spectrum spectrum;
    struct ics_growth growth;
    double *position, *moved; /* [n^3][3]; [n^3] */
    float *velocity;          /* [n^3][3] */
};

static int64_t count_of(const struct run *run) {
    return run->options.n * run->options.n * run->options.n;
}

/* By the square of the wave number, what weft_ics_modes asks for, at the redshift. */
static bool fill_amplitudes(struct run *run, weft_array amplitude, struct io_error *error) {
    const double base = 2 * 3.14159265358979323846 / run->options.box;
    const double volume = pow(run->options.box, 3);
    const int64_t most = weft_ics_most(run->options.n);
    double *host = io_allocate(most + 1, sizeof *host, "amplitudes of modes", error);
    if (host == NULL)
        return false;
    host[0] = 0;
    for (int64_t k = 1; k <= most; ++k)
        host[k] = run->growth.growth *
                  sqrt(ics_spectrum_at(&run->spectrum, base * sqrt((double)k)) / volume);
    weft_write(run->device, amplitude, host);
    free(host);
    return true;
}

/* Adds the displacements of one order along all axes, and the velocities that they have. */
static void displace(struct run *run, weft_array spectrum, weft_array displacement,
                     double factor, double rate) {
    const double speed = run->growth.scale_factor * run->growth.hubble * rate;
    for (int axis = 0; axis < 3 && weft_check(run->device) == WEFT_OK; ++axis) {
        weft_ics_displacement(run->device, run->options.n, run->options.box, axis, spectrum,
                              displacement);
        weft_read(run->device, displacement, run->moved);
        for (int64_t i = 0; i < count_of(run); ++i) {
            run->position[3 * i + axis] += factor * run->moved[i];
            run->velocity[3 * i + axis] += (float)(speed * factor * run->moved[i]);
        }
    }
}

/* Where particles began, and nothing of velocities. */
static void begin(struct run *run) {
    const int64_t n = run->options.n;
    const double step = run->options.box / (double)n;
    for (int64_t i = 0; i < count_of(run); ++i) {
        const int64_t at[3] = {i / (n * n), i / n % n, i % n};
        for (int axis = 0; axis < 3; ++axis) {
            run->position[3 * i + axis] = step * (double)at[axis];
            run->velocity[3 * i + axis] = 0;
        }
    }
}

static void wrap(struct run *run) {
    const double box = run->options.box;
    for (int64_t k = 0; k < 3 * count_of(run); ++k) {
        const double x = run->position[k] - box * floor(run->position[k] / box);
        run->position[k] = x < box ? x : 0;
    }
}

static int make(struct run *run) {
    struct io_error error;
    weft_device *device = run->device;
    const int64_t n = run->options.n, sides[3] = {n, n, n}, count = count_of(run);
    progress_show("%s: %s · %" PRId64 " particles", weft_backend_name(device),
                  weft_device_name(device), count);
    run->position = io_allocate(3 * count, sizeof *run->position, "positions", &error);
    run->velocity = io_allocate(3 * count, sizeof *run->velocity, "velocities", &error);
    run->moved = io_allocate(count, sizeof *run->moved, "displacements", &error);
    if (!run->position || !run->velocity || !run->moved)
        return progress_fail(CLI_FAULT, "%s", error.text);
    begin(run);
    weft_scope_open(device);
    const int64_t length = weft_fourier_length(sides);
    const weft_array amplitude = weft_scratch(device, WEFT_F64, weft_ics_most(n) + 1);
    const weft_array spectrum = weft_scratch(device, WEFT_F64, length);
    const weft_array second = weft_scratch(device, WEFT_F64, length);
    const weft_array displacement = weft_scratch(device, WEFT_F64, count);
    const bool filled = fill_amplitudes(run, amplitude, &error);
    if (filled) {
        weft_ics_modes(device, n, run->options.seed, run->options.fixed, amplitude,
                       spectrum);
        displace(run, spectrum, displacement, 1, run->growth.rate);
    }
    if (filled && run->options.order == 2) {
        weft_ics_second(device, n, spectrum, second);
        displace(run, second, displacement, run->growth.second, run->growth.second_rate);
    }
    weft_scope_close(device);
    wrap(run);
    timings_end(&run->timings, TIMINGS_ICS, count * 36);
    if (!filled)
        return progress_fail(CLI_FAULT, "%s", error.text);
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", weft_error(device));
}

/* Of all matter in the box, in 1e10 Msun. */
static double particle_mass(const struct run *run) {
    const struct ics_options *o = &run->options;
    const double critical =
        3 * 1e4 * o->h * o->h / (8 * 3.14159265358979323846 * WEFT_COSMOLOGY_GRAVITY);
    return o->omega_matter * critical * pow(o->box, 3) / (double)count_of(run) / 1e10;
}

static int write_particles(struct run *run) {
    struct io_error error;
    const struct ics_options *o = &run->options;
    const struct ics ics = {
        .n = count_of(run),
        .box = o->box,
        .redshift = o->redshift,
        .mass = particle_mass(run),
        .h = o->h,
        .omega_matter = o->omega_matter,
        .omega_lambda = 1 - o->omega_matter,
        .omega_baryon = o->omega_baryon,
        .position = run->position,
        .velocity = run->velocity,
        .command = run->command,
        .weft_version = weft_version(),
    };
    progress_show("writing %s", o->output);
    if (!ics_write(o->output, &ics, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_WRITE, 52 * ics.n);
    return CLI_DONE;
}

static void print_summary(const struct run *run) {
    const struct ics_options *o = &run->options;
    printf("%" PRId64 " particles of %.6g 1e10 Msun in %g Mpc at z = %g, order %d%s, seed "
           "%" PRIu64 "\n",
           count_of(run), particle_mass(run), o->box, o->redshift, o->order,
           o->fixed ? ", fixed" : "", o->seed);
    printf("sigma8 %.6g today, growth from then %.6g\n",
           ics_spectrum_sigma8(&run->spectrum), 1 / run->growth.growth);
    printf("%s, %s: made %.3f s, written %.3f s\n", weft_backend_name(run->device),
           weft_device_name(run->device), run->timings.seconds[TIMINGS_ICS],
           run->timings.seconds[TIMINGS_WRITE]);
    printf("wrote %s\n", o->output);
}

static int run_steps(struct run *run) {
    struct io_error error;
    const char *const outputs[] = {run->options.output, run->options.shared.timings};
    if (run->command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the command line");
    int status = outputs_check(outputs, 2);
    if (status == CLI_DONE && !ics_spectrum_open(&run->spectrum, &run->options, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    if (status == CLI_DONE)
        run->device = options_open(&run->options.shared, &status);
    if (run->device == NULL)
        return status;
    run->growth = ics_growth_at(&run->options, run->options.redshift);
    status = make(run);
    if (status == CLI_DONE)
        status = write_particles(run);
    const char *timings = run->options.shared.timings;
    if (status == CLI_DONE && timings &&
        !timings_write(timings, &run->timings, run->device, run->command, count_of(run),
                       &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    if (status == CLI_DONE && !run->options.shared.quiet &&
        !outputs_take_stdout(&timings, 1))
        print_summary(run);
    return status;
}

int command_ics(int argc, char **argv) {
    struct run run = {.command = options_join(argc, argv),
                      .options = {.output = "ics.hdf5",
                                  .seed = 1,
                                  .redshift = 49,
                                  .h = 0.68,
                                  .omega_matter = 0.31,
                                  .omega_baryon = 0.049,
                                  .n_s = 0.967,
                                  .order = 2}};
    ics_parse(argc, argv, &run.options);
    timings_start(&run.timings);
    progress_start(argv[0], run.options.shared.quiet);
    const int status = run_steps(&run);
    weft_close(run.device);
    ics_spectrum_free(&run.spectrum);
    free(run.position);
    free(run.velocity);
    free(run.moved);
    free(run.command);
    return status;
}
