/* What a snapshot tells of particles: f64 that tell the integers to the last bit. */
#include "numbers.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "io/crew/crew.h"
#include "simulate.h"

#include <stdlib.h>

/* One axis of some rows, by threads. */
struct giving {
    const void *axis;
    double *out;
    double unit, speed; /* of a position of 1, and of a momentum of 1 */
};

static void to_positions(void *context, int64_t begin, int64_t end, int part) {
    const struct giving *g = context;
    const uint32_t *x = g->axis;
    (void)part;
    for (int64_t i = begin; i < end; ++i)
        g->out[3 * i] = (double)x[i] / 4294967296.0 * g->unit;
}

static void to_velocities(void *context, int64_t begin, int64_t end, int part) {
    const struct giving *g = context;
    const int64_t *momentum = g->axis;
    (void)part;
    for (int64_t i = begin; i < end; ++i)
        g->out[3 * i] = (double)momentum[i] / WEFT_STEPS_MOMENTUM / g->speed;
}

static void give(const struct simulate_source *source, const weft_array of[3],
                 crew_work *work, int64_t first, int64_t n, double *out) {
    const struct simulate_run *run = source->run;
    const double a = simulate_scale(&run->schedule, run->step);
    for (int axis = 0; axis < 3; ++axis) {
        struct giving giving = {source->axis, out + axis, run->box,
                                a / (100 * run->info.cosmology.h * run->box)};
        weft_read(run->device, weft_slice(run->device, of[axis], first, n), source->axis);
        crew_run(run->comm.threads, n, work, &giving);
    }
}

bool simulate_give_rows(void *context, enum ics_array array, int64_t first, int64_t count,
                        void *out, struct io_error *error) {
    const struct simulate_source *source = context;
    const struct simulate_run *run = source->run;
    int64_t *id = out;
    if (array == ICS_POSITIONS)
        give(source, run->particles.position, to_positions, first - run->first, count, out);
    else if (array == ICS_VELOCITIES)
        give(source, run->particles.momentum, to_velocities, first - run->first, count,
             out);
    else
        for (int64_t i = 0; i < count; ++i)
            id[i] = run->id ? run->id[first - run->first + i] : first + i;
    return weft_check(run->device) == WEFT_OK ||
           io_fail(error, "%s", progress_error(run->device));
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

static size_t bytes_of(enum ics_array array) {
    return array == ICS_IDS ? 8 : 24;
}

/* Those of this rank, for free(). */
static void *take(struct simulate_run *run, enum ics_array array, const char *what) {
    struct comm *comm = &run->comm;
    void *rows = comm_allocate(comm, run->particles.n, bytes_of(array), what);
    if (rows && !fill(run, array, rows, bytes_of(array), &comm->error))
        comm_fail(comm, CLI_FAULT);
    return rows;
}

/* Those of all ranks on the first, for free(). */
static void *bring(struct simulate_run *run, enum ics_array array, const char *what) {
    return simulate_gather(&run->comm, take(run, array, what), run->particles.n,
                           bytes_of(array));
}

static double *take_masses(struct simulate_run *run, int64_t n) {
    double *mass = comm_allocate(&run->comm, n, sizeof *mass, "masses");
    for (int64_t i = 0; mass && i < n; ++i)
        mass[i] = run->mass;
    return mass;
}

bool simulate_take(struct simulate_run *run, struct simulate_numbers *numbers) {
    *numbers = (struct simulate_numbers){.position = take(run, ICS_POSITIONS, "positions"),
                                         .mass = take_masses(run, run->particles.n)};
    return comm_agree(&run->comm);
}

bool simulate_bring(struct simulate_run *run, struct simulate_numbers *numbers) {
    struct comm *comm = &run->comm;
    numbers->position = simulate_gather(comm, numbers->position, run->particles.n, 24);
    if (comm->size > 1) {
        free(numbers->mass);
        numbers->mass = take_masses(run, comm->rank == 0 ? run->info.n : 0);
    }
    numbers->velocity = bring(run, ICS_VELOCITIES, "velocities");
    numbers->ids_are_lent = comm->size == 1 && run->id;
    numbers->id = numbers->ids_are_lent ? run->id : bring(run, ICS_IDS, "ids");
    return comm_agree(comm);
}

void simulate_numbers_free(struct simulate_numbers *numbers) {
    free(numbers->position);
    free(numbers->velocity);
    free(numbers->mass);
    if (!numbers->ids_are_lent)
        free(numbers->id);
}
