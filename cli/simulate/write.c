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
    const double mesh = (double)run->mesh, split = run->split;
    const struct ics_note notes[] = {{"ScaleFactors", s->n_stops, s->scale},
                                     {"Steps", s->n_stops, steps},
                                     {"Step", 1, &step},
                                     {"Substeps", 1, &substeps},
                                     {"Mesh", 1, &mesh},
                                     {"Softening", 1, &run->softening},
                                     {"Split", 1, &split}};
    const struct ics ics = {
        .n = run->info.n,
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
        .n_notes = sizeof notes / sizeof *notes - (run->split == WEFT_GRAVITY_BALL),
    };
    return ics_write(path, &ics, error);
}

/* What is made of the numbers once they are written. */
static int analyse(struct simulate_run *run, const char *path, bool halos, bool power,
                   struct simulate_numbers *numbers) {
    struct io_error error;
    const int64_t n = run->info.n;
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

/* The first rank writes the particles of all, in their order. */
static bool bring(struct simulate_run *run, bool filled, struct simulate_numbers *numbers,
                  struct io_error *error) {
    struct comm *comm = &run->comm;
    const int64_t n = run->particles.n;
    if (!filled) {
        comm->error = *error;
        comm_fail(comm, CLI_FAULT);
    }
    numbers->position =
        simulate_gather(comm, numbers->position, n, 3 * sizeof *numbers->position);
    numbers->velocity =
        simulate_gather(comm, numbers->velocity, n, 3 * sizeof *numbers->velocity);
    const bool well = comm_agree(comm);
    return well ||
           io_fail(error, "%s", comm->trouble ? comm->error.text : "another rank failed");
}

/* What this rank has. */
static bool fill_own(struct simulate_run *run, struct simulate_numbers *numbers,
                     struct io_error *error) {
    const int64_t n = run->particles.n;
    numbers->position = io_allocate(3 * n, sizeof(double), "positions", error);
    if (numbers->position)
        numbers->velocity = io_allocate(3 * n, sizeof(double), "velocities", error);
    void *scratch = numbers->velocity ? io_allocate(n, 8, "an axis", error) : NULL;
    if (scratch)
        fill(run, numbers->position, numbers->velocity, scratch);
    const bool done = scratch && (weft_check(run->device) == WEFT_OK ||
                                  io_fail(error, "%s", weft_error(run->device)));
    free(scratch);
    return done;
}

int simulate_write(struct simulate_run *run, const char *path, bool halos, bool power) {
    struct io_error error;
    struct simulate_numbers numbers = {0};
    bool done = fill_own(run, &numbers, &error);
    if (run->comm.size > 1)
        done = bring(run, done, &numbers, &error);
    if (done && run->comm.rank == 0)
        done = put(run, path, numbers.position, numbers.velocity, &error);
    timings_end(&run->timings, TIMINGS_WRITE, 64 * run->info.n);
    int status = done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
    if (done && run->comm.rank == 0)
        status = analyse(run, path, halos, power, &numbers);
    free(numbers.position);
    free(numbers.velocity);
    return status;
}
