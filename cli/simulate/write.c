/* Snapshots and checkpoints, which are one: numbers in f64 tell the integers to the last
 * bit. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/ics/ics.h"
#include "simulate.h"

#include <stdlib.h>

/* Reads all back: positions in Mpc, velocities in km/s. */
static void fill(struct simulate_run *run, double *position, double *velocity,
                 void *scratch) {
    const int64_t n = run->particles.n;
    const double a = simulate_scale(&run->schedule, run->step);
    const double speed = a / (100 * run->info.cosmology.h * run->box);
    const uint32_t *x = scratch;
    const int64_t *momentum = scratch;
    for (int axis = 0; axis < 3; ++axis) {
        weft_read(run->device, run->particles.position[axis], scratch);
        for (int64_t i = 0; i < n; ++i)
            position[3 * i + axis] = (double)x[i] / 4294967296.0 * run->box;
        weft_read(run->device, run->particles.momentum[axis], scratch);
        for (int64_t i = 0; i < n; ++i)
            velocity[3 * i + axis] = (double)momentum[i] / WEFT_STEPS_MOMENTUM / speed;
    }
}

static bool put(const struct simulate_run *run, const char *path, const double *position,
                const double *velocity, struct io_error *error) {
    const struct snapshot_cosmology *c = &run->info.cosmology;
    const struct simulate_schedule *s = &run->schedule;
    double steps[SIMULATE_STOPS];
    for (int k = 0; k < s->n_stops; ++k)
        steps[k] = (double)s->step[k];
    const double step = (double)run->step, substeps = (double)run->substeps;
    const double mesh = (double)run->mesh;
    const struct ics_note notes[] = {{"ScaleFactors", s->n_stops, s->scale},
                                     {"Steps", s->n_stops, steps},
                                     {"Step", 1, &step},
                                     {"Substeps", 1, &substeps},
                                     {"Mesh", 1, &mesh},
                                     {"Softening", 1, &run->softening}};
    const struct ics ics = {
        .n = run->particles.n,
        .id = run->id,
        .box = run->box,
        .redshift = 1 / simulate_scale(s, run->step) - 1,
        .mass = run->mass,
        .h = c->h,
        .omega_matter = c->omega_matter,
        .omega_lambda = c->omega_lambda,
        .omega_baryon = c->omega_baryon,
        .position = position,
        .velocity = velocity,
        .velocity_bytes = 8,
        .weft_version = weft_version(),
        .notes = notes,
        .n_notes = sizeof notes / sizeof *notes,
    };
    return ics_write(path, &ics, error);
}

/* What is made of the numbers once they are written. */
static int analyse(struct simulate_run *run, const char *path, bool halos, bool power,
                   struct simulate_numbers *numbers) {
    struct io_error error;
    const int64_t n = run->particles.n;
    if (!halos && !power)
        return CLI_DONE;
    numbers->mass = io_allocate(n, sizeof *numbers->mass, "masses", &error);
    if (numbers->mass == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    for (int64_t i = 0; i < n; ++i)
        numbers->mass[i] = run->mass;
    int status = power ? simulate_measure_power(run, path, numbers) : CLI_DONE;
    if (status == CLI_DONE && halos)
        status = simulate_find_halos(run, path, numbers);
    free(numbers->mass);
    return status;
}

int simulate_write(struct simulate_run *run, const char *path, bool halos, bool power) {
    struct io_error error;
    const int64_t n = run->particles.n;
    struct simulate_numbers numbers = {0};
    numbers.position = io_allocate(3 * n, sizeof(double), "positions", &error);
    if (numbers.position)
        numbers.velocity = io_allocate(3 * n, sizeof(double), "velocities", &error);
    void *scratch = numbers.velocity ? io_allocate(n, 8, "an axis", &error) : NULL;
    bool done = scratch != NULL;
    if (done) {
        fill(run, numbers.position, numbers.velocity, scratch);
        done = weft_check(run->device) == WEFT_OK ||
               io_fail(&error, "%s", weft_error(run->device));
    }
    free(scratch);
    done = done && put(run, path, numbers.position, numbers.velocity, &error);
    timings_end(&run->timings, TIMINGS_WRITE, 64 * n);
    int status = done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
    if (done)
        status = analyse(run, path, halos, power, &numbers);
    free(numbers.position);
    free(numbers.velocity);
    return status;
}
