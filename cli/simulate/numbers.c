/* What a snapshot tells of particles: f64 that tell the integers to the last bit. */
#include "numbers.h"
#include "cli/command.h"
#include "simulate.h"

#include <stdlib.h>

static void give_positions(const struct simulate_source *source, int64_t first, int64_t n,
                           double *out) {
    const struct simulate_run *run = source->run;
    const uint32_t *x = source->axis;
    for (int axis = 0; axis < 3; ++axis) {
        weft_read(run->device,
                  weft_slice(run->device, run->particles.position[axis], first, n),
                  source->axis);
        for (int64_t i = 0; i < n; ++i)
            out[3 * i + axis] = (double)x[i] / 4294967296.0 * run->box;
    }
}

static void give_velocities(const struct simulate_source *source, int64_t first, int64_t n,
                            double *out) {
    const struct simulate_run *run = source->run;
    const double a = simulate_scale(&run->schedule, run->step);
    const double speed = a / (100 * run->info.cosmology.h * run->box);
    const int64_t *momentum = source->axis;
    for (int axis = 0; axis < 3; ++axis) {
        weft_read(run->device,
                  weft_slice(run->device, run->particles.momentum[axis], first, n),
                  source->axis);
        for (int64_t i = 0; i < n; ++i)
            out[3 * i + axis] = (double)momentum[i] / WEFT_STEPS_MOMENTUM / speed;
    }
}

bool simulate_give_rows(void *context, enum ics_array array, int64_t first, int64_t count,
                        void *out, struct io_error *error) {
    const struct simulate_source *source = context;
    const struct simulate_run *run = source->run;
    int64_t *id = out;
    if (array == ICS_POSITIONS)
        give_positions(source, first - run->first, count, out);
    else if (array == ICS_VELOCITIES)
        give_velocities(source, first - run->first, count, out);
    else
        for (int64_t i = 0; i < count; ++i)
            id[i] = run->id ? run->id[first - run->first + i] : first + i;
    return weft_check(run->device) == WEFT_OK ||
           io_fail(error, "%s", weft_error(run->device));
}

/* The rows of this rank, of so many bytes each. */
static bool fill(const struct simulate_run *run, enum ics_array array, char *out,
                 size_t bytes, struct io_error *error) {
    const int64_t n = run->particles.n;
    struct simulate_source source = {run, io_allocate(ICS_PIECE, 8, "an axis", error)};
    bool done = source.axis != NULL;
    for (int64_t i = 0; i < n && done; i += ICS_PIECE)
        done = simulate_give_rows(&source, array, run->first + i,
                                  n - i < ICS_PIECE ? n - i : ICS_PIECE,
                                  out + (size_t)i * bytes, error);
    free(source.axis);
    return done;
}

/* Those of all ranks on the first, for free(). */
static void *bring(struct simulate_run *run, enum ics_array array, const char *what) {
    struct comm *comm = &run->comm;
    const int64_t n = run->particles.n;
    const size_t bytes = array == ICS_IDS ? 8 : 24;
    void *rows = comm_allocate(comm, n, bytes, what);
    if (rows && !fill(run, array, rows, bytes, &comm->error))
        comm_fail(comm, CLI_FAULT);
    return simulate_gather(comm, rows, n, bytes);
}

bool simulate_bring(struct simulate_run *run, bool halos,
                    struct simulate_numbers *numbers) {
    struct comm *comm = &run->comm;
    const int64_t n = comm->rank == 0 ? run->info.n : 0;
    *numbers = (struct simulate_numbers){0};
    numbers->position = bring(run, ICS_POSITIONS, "positions");
    numbers->mass = comm_allocate(comm, n, sizeof *numbers->mass, "masses");
    for (int64_t i = 0; numbers->mass && i < n; ++i)
        numbers->mass[i] = run->mass;
    if (halos) {
        numbers->velocity = bring(run, ICS_VELOCITIES, "velocities");
        numbers->ids_are_lent = comm->size == 1 && run->id;
        numbers->id = numbers->ids_are_lent ? run->id : bring(run, ICS_IDS, "ids");
    }
    return comm_agree(comm);
}

void simulate_numbers_free(struct simulate_numbers *numbers) {
    free(numbers->position);
    free(numbers->velocity);
    free(numbers->mass);
    if (!numbers->ids_are_lent)
        free(numbers->id);
}
