/* Snapshots and checkpoints, which are one file of all ranks. */
#include "cli/command.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "simulate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the file tells beside particles, and the plan of the run. */
struct told {
    double step[SIMULATE_STOPS], at, substeps, mesh, split;
    struct ics_note notes[8];
    struct ics ics;
};

static void tell(const struct simulate_run *run, bool checkpoint, struct told *told) {
    const struct snapshot_cosmology *c = &run->info.cosmology;
    const struct simulate_schedule *s = &run->schedule;
    for (int k = 0; k < s->n_stops; ++k)
        told->step[k] = (double)s->step[k];
    told->at = (double)run->step;
    told->substeps = (double)run->substeps;
    told->mesh = (double)run->mesh;
    told->split = run->split;
    int n = 6;
    const struct ics_note notes[] = {{"ScaleFactors", s->n_stops, s->scale},
                                     {"Steps", s->n_stops, told->step},
                                     {"Step", 1, &told->at},
                                     {"Substeps", 1, &told->substeps},
                                     {"Mesh", 1, &told->mesh},
                                     {"Softening", 1, &run->softening}};
    memcpy(told->notes, notes, sizeof notes);
    if (run->split != WEFT_GRAVITY_BALL)
        told->notes[n++] = (struct ics_note){"Split", 1, &told->split};
    if (checkpoint)
        told->notes[n++] = (struct ics_note){"Input", 2, run->source};
    told->ics = (struct ics){
        .n = run->info.n,
        .box = run->box,
        .redshift = 1 / simulate_scale(s, run->step) - 1,
        .mass = run->mass,
        .h = c->h,
        .omega_matter = c->omega_matter,
        .omega_lambda = c->omega_lambda,
        .omega_baryon = c->omega_baryon,
        .velocity_bytes = 8,
        .weft_version = weft_version(),
        .notes = told->notes,
        .n_notes = n,
    };
}

/* The file that is being written, as other ranks find it. */
struct shared {
    struct ics_place place;
    char path[PATH_MAX];
};

/* On the first rank; the others need a name. */
static bool lay_out(const struct simulate_run *run, const struct ics *ics,
                    struct io_output *output, struct shared *shared,
                    struct io_error *error) {
    if (!ics_lay_out(output, ics, &shared->place, error))
        return false;
    if (run->comm.size == 1)
        return true;
    return io_output_name(output, error) &&
           (realpath(output->temporary, shared->path) != NULL ||
            io_output_fail(output, errno, error));
}

static bool put(const struct simulate_run *run, const char *path,
                const struct ics_place *place, const struct ics *ics,
                struct io_error *error) {
    struct simulate_source source = {run, io_allocate(ICS_PIECE, 8, "an axis", error)};
    const bool done = source.axis && ics_put(path, place, ics, run->first, run->particles.n,
                                             simulate_give_rows, &source, error);
    free(source.axis);
    return done;
}

/* What another rank laid out. */
static bool put_there(const struct simulate_run *run, const char *path,
                      struct shared *shared, const struct ics *ics,
                      struct io_error *error) {
    const int descriptor = open(shared->path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return io_fail(error,
                       "rank %d cannot write its part of %s: %s; all ranks have to reach "
                       "its folder",
                       run->comm.rank, path, strerror(errno));
    shared->place.descriptor = descriptor;
    const bool done = put(run, path, &shared->place, ics, error);
    if (close(descriptor) != 0 && done)
        return io_fail(error, "cannot write %s: %s", path, strerror(errno));
    return done;
}

static int write_together(struct simulate_run *run, const char *path, bool checkpoint) {
    struct comm *comm = &run->comm;
    struct io_output output;
    struct io_error error;
    struct shared shared = {0};
    struct told told;
    tell(run, checkpoint, &told);
    const bool open = comm->rank == 0 && io_output_open(&output, path, &error);
    bool done =
        comm->rank > 0 || (open && lay_out(run, &told.ics, &output, &shared, &error));
    int status = done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
    if (!done)
        comm_fail(comm, CLI_FAULT);
    if (comm_broadcast(comm, 0, &shared, sizeof shared)) {
        done = comm->rank == 0 ? put(run, path, &shared.place, &told.ics, &error)
                               : put_there(run, path, &shared, &told.ics, &error);
        if (!done)
            status = progress_fail(CLI_FAULT, "%s", error.text);
    }
    status = parallel_meet(comm, status);
    done = status == CLI_DONE;
    if (open && !io_output_close(&output, done, &error) && done)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    return status;
}

/* What is made of the numbers once they are written, in the memory of the forces. */
static int analyse(struct simulate_run *run, const char *path, bool halos, bool power) {
    struct simulate_numbers numbers;
    const bool first = run->comm.rank == 0, rests = first || power;
    int status = CLI_DONE;
    if (rests)
        simulate_rest(run);
    if (!simulate_take(run, &numbers))
        status = parallel_stop(&run->comm);
    if (status == CLI_DONE && power)
        status = simulate_measure_power(run, path, &numbers);
    if (status == CLI_DONE && halos && !simulate_bring(run, &numbers))
        status = parallel_stop(&run->comm);
    if (status == CLI_DONE && halos && first)
        status = simulate_find_halos(run, path, &numbers);
    simulate_numbers_free(&numbers);
    if (status == CLI_DONE && rests)
        status = simulate_go_on(run);
    return status;
}

int simulate_write(struct simulate_run *run, const char *path, bool halos, bool power) {
    int status = write_together(run, path, false);
    timings_end(&run->timings, TIMINGS_WRITE, 64 * run->info.n);
    if (status == CLI_DONE && (halos || power))
        status = analyse(run, path, halos, power);
    return status;
}

int simulate_write_checkpoint(struct simulate_run *run, const char *path) {
    const int status = write_together(run, path, true);
    timings_end(&run->timings, TIMINGS_WRITE, 64 * run->info.n);
    return status;
}
