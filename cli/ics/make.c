/* From a seed to particles. */
#include "cli/command.h"
#include "cli/progress.h"
#include "ics.h"
#include "io/ics/ics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

static int64_t count_of(const struct ics_run *run) {
    return run->options.n * run->options.n * run->options.n;
}

/* The exit status where P is at fault: a file, or what was asked for. */
static int blame(const struct ics_run *run) {
    return run->options.table ? CLI_FAULT : CLI_USAGE;
}

/* By the square of the wave number, what weft_ics_modes asks for, at the redshift. Returns
 * the exit status. */
static int fill_amplitudes(struct ics_run *run, weft_array amplitude,
                           struct io_error *error) {
    const double base = 2 * 3.14159265358979323846 / run->options.box;
    const double volume = pow(run->options.box, 3);
    const int64_t most = weft_ics_most(run->options.n);
    double *host = io_allocate(most + 1, sizeof *host, "amplitudes of modes", error);
    if (host == NULL)
        return CLI_FAULT;
    host[0] = 0;
    bool sound = true;
    for (int64_t k = 1; k <= most && sound; ++k) {
        const double at = base * sqrt((double)k);
        const double power = ics_spectrum_at(&run->spectrum, at);
        host[k] = run->growth.growth * sqrt(power / volume);
        sound = isfinite(host[k]);
        if (!sound)
            io_fail(error,
                    "no power spectrum: %s has %g Mpc^3 at k = %g / Mpc, with h %g, "
                    "Omega_m %g and Omega_b %g",
                    run->spectrum.n > 0 ? "the table" : "the formula", power, at,
                    run->options.h, run->options.omega_matter, run->options.omega_baryon);
    }
    if (sound)
        weft_write(run->device, amplitude, host);
    free(host);
    return sound ? CLI_DONE : blame(run);
}

/* Adds the displacements of one order along all axes, and the velocities that they have;
 * `before`: axes that were told of. */
static void displace(struct ics_run *run, int before, weft_array spectrum,
                     weft_array displacement, double *moved, double factor, double rate) {
    const double speed = run->growth.scale_factor * run->growth.hubble * rate;
    for (int axis = 0; axis < 3 && weft_check(run->device) == WEFT_OK; ++axis) {
        progress_part(before + axis, 3 * run->options.order);
        if (progress_stopped())
            return;
        weft_ics_displacement(run->device, run->options.n, run->options.box, axis, spectrum,
                              displacement);
        weft_read(run->device, displacement, moved);
        for (int64_t i = 0; i < count_of(run); ++i) {
            run->position[3 * i + axis] += factor * moved[i];
            run->velocity[3 * i + axis] += (float)(speed * factor * moved[i]);
        }
    }
}

/* Where particles began, and nothing of velocities. */
static void begin(struct ics_run *run) {
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

/* Places within the box; a table may have so much power that there are none. */
static bool wrap(struct ics_run *run, struct io_error *error) {
    const double box = run->options.box;
    for (int64_t k = 0; k < 3 * count_of(run); ++k) {
        if (!isfinite(run->velocity[k]) || !isfinite(run->position[k]))
            return io_fail(error,
                           "particle %" PRId64 " has a velocity that no f32 holds: the "
                           "power spectrum is too large",
                           k / 3);
    }
    for (int64_t k = 0; k < 3 * count_of(run); ++k) {
        const double x = run->position[k] - box * floor(run->position[k] / box);
        run->position[k] = x < box ? x : 0;
    }
    return true;
}

/* All on the device, which keeps what fails there. Returns the exit status of the rest. */
static int displace_all(struct ics_run *run, double *moved, struct io_error *error) {
    weft_device *device = run->device;
    const int64_t n = run->options.n, sides[3] = {n, n, n};
    weft_scope_open(device);
    const int64_t length = weft_fourier_length(sides);
    const weft_array amplitude = weft_scratch(device, WEFT_F64, weft_ics_most(n) + 1);
    const weft_array spectrum = weft_scratch(device, WEFT_F64, length);
    const weft_array second = weft_scratch(device, WEFT_F64, length);
    const weft_array displacement = weft_scratch(device, WEFT_F64, count_of(run));
    const int status = fill_amplitudes(run, amplitude, error);
    if (status == CLI_DONE) {
        weft_ics_modes(device, n, run->options.seed, run->options.fixed, amplitude,
                       spectrum);
        displace(run, 0, spectrum, displacement, moved, 1, run->growth.rate);
    }
    if (status == CLI_DONE && run->options.order == 2) {
        weft_ics_second(device, n, spectrum, second);
        displace(run, 3, second, displacement, moved, run->growth.second,
                 run->growth.second_rate);
    }
    weft_scope_close(device);
    return status;
}

int ics_make(struct ics_run *run) {
    struct io_error error;
    weft_device *device = run->device;
    const int64_t count = count_of(run);
    if (!ics_spectrum_open(&run->spectrum, &run->options, &error))
        return progress_fail(run->options.k ? CLI_USAGE : CLI_FAULT, "%s", error.text);
    run->growth = ics_growth_at(&run->options, run->options.redshift);
    progress_show("%s: %s · %" PRId64 " particles", weft_backend_name(device),
                  weft_device_name(device), count);
    run->position = io_allocate(3 * count, sizeof *run->position, "positions", &error);
    run->velocity = io_allocate(3 * count, sizeof *run->velocity, "velocities", &error);
    double *moved = io_allocate(count, sizeof *moved, "displacements", &error);
    int status = run->position && run->velocity && moved ? CLI_DONE : CLI_FAULT;
    if (status == CLI_DONE) {
        begin(run);
        status = displace_all(run, moved, &error);
        if (status == CLI_DONE && weft_check(device) == WEFT_OK && !wrap(run, &error))
            status = blame(run);
    }
    free(moved);
    timings_end(&run->timings, TIMINGS_ICS, count * 36);
    if (status != CLI_DONE)
        return progress_fail(status, "%s", error.text);
    if (progress_stopped())
        return progress_fail(CLI_FAULT, "interrupted");
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", progress_error(device));
}

/* Of all matter in the box. */
double ics_particle_mass(const struct ics_run *run) {
    const struct ics_options *o = &run->options;
    const double critical =
        3 * 1e4 * o->h * o->h / (8 * 3.14159265358979323846 * WEFT_COSMOLOGY_GRAVITY);
    return o->omega_matter * critical * pow(o->box, 3) / (double)count_of(run) / 1e10;
}

static bool give_rows(void *context, enum ics_array array, int64_t first, int64_t count,
                      void *out, struct io_error *error) {
    const struct ics_run *run = context;
    const size_t n = (size_t)count;
    int64_t *id = out;
    (void)error;
    if (array == ICS_POSITIONS)
        memcpy(out, run->position + 3 * first, 3 * n * sizeof *run->position);
    else if (array == ICS_VELOCITIES)
        memcpy(out, run->velocity + 3 * first, 3 * n * sizeof *run->velocity);
    else
        for (int64_t i = 0; i < count; ++i)
            id[i] = first + i;
    return true;
}

int ics_save(struct ics_run *run) {
    struct io_error error;
    const struct ics_options *o = &run->options;
    const struct ics ics = {
        .n = count_of(run),
        .box = o->box,
        .redshift = o->redshift,
        .mass = ics_particle_mass(run),
        .h = o->h,
        .omega_matter = o->omega_matter,
        .omega_lambda = 1 - o->omega_matter,
        .omega_baryon = o->omega_baryon,
        .velocity_bytes = sizeof *run->velocity,
        .command = run->command,
        .weft_version = weft_version(),
    };
    progress_show("writing %s", o->output);
    if (!ics_write(o->output, &ics, give_rows, run, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_WRITE, 52 * ics.n);
    return CLI_DONE;
}

void ics_release(struct ics_run *run) {
    ics_spectrum_free(&run->spectrum);
    free(run->position);
    free(run->velocity);
}
