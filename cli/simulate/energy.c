/* Energies and momentum, of integers that do not depend on the order of particles. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/files/output.h"
#include "simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] =
    "# Means over particles, for a mass of 1, in peculiar km/s and their squares\n"
    "# potential: half that of all others and their images, whose mean is 0 over the box\n"
    "# layzer_irvine: [a (kinetic + potential), less that of the first row, plus the "
    "integral of kinetic da] / a\n"
    "step,a,kinetic,potential,layzer_irvine,momentum_x,momentum_y,momentum_z\n";

/* A sum of numbers below 2^31 in units of 2^-31, the same in any order. */
struct sum {
    int64_t whole, part;
};

static void add(struct sum *sum, double x) {
    const double whole = floor(x);
    sum->whole += (int64_t)whole;
    sum->part += llround((x - whole) * 0x1p31);
}

static double mean(const struct sum *sum, int64_t n) {
    return ((double)sum->whole + (double)sum->part * 0x1p-31) / (double)n;
}

/* Numbers of a device's array are read so many at a time. */
enum { PIECE = 1 << 16 };

/* Potentials over the number of particles; beyond 2^30 there are none but at less than
 * 2^-30 of the box from each other. */
static void sum_potential(const struct simulate_run *run, weft_array potential,
                          double *host, struct sum *sum) {
    weft_device *device = run->device;
    for (int64_t first = 0; first < potential.length; first += PIECE) {
        const int64_t left = potential.length - first, n = left < PIECE ? left : PIECE;
        weft_read(device, weft_slice(device, potential, first, n), host);
        for (int64_t i = 0; i < n && weft_check(device) == WEFT_OK; ++i)
            add(sum, fmax(fmin(host[i] / (double)run->info.n, 0x1p30), -0x1p30));
    }
}

static bool sum_potentials(struct simulate_run *run, double *host, struct sum *sum) {
    const weft_array *x = run->particles.position;
    weft_device *device = run->device;
    weft_scope_open(device);
    const weft_array potential = weft_scratch(device, WEFT_F64, run->particles.n);
    for (int part = 0; part < 2; ++part) {
        if (run->comm.size > 1)
            (part == 0 ? simulate_far : simulate_near)(run, 1, &potential);
        else if (part == 0)
            weft_gravity_long_potential(device, run->gravity, x[0], x[1], x[2], potential);
        else
            weft_gravity_short_potential(device, run->gravity, x[0], x[1], x[2], potential);
        sum_potential(run, potential, host, sum);
    }
    weft_scope_close(device);
    return weft_check(device) == WEFT_OK;
}

/* Momenta, and half their squares over 2^-20: they are below 1024 boxes per Hubble time. */
static void sum_axis(const struct simulate_run *run, weft_array momenta, int64_t *host,
                     struct sum *momentum, struct sum *square) {
    weft_device *device = run->device;
    for (int64_t first = 0; first < momenta.length; first += PIECE) {
        const int64_t left = momenta.length - first, n = left < PIECE ? left : PIECE;
        weft_read(device, weft_slice(device, momenta, first, n), host);
        for (int64_t i = 0; i < n && weft_check(device) == WEFT_OK; ++i) {
            const double p = (double)host[i] / WEFT_STEPS_MOMENTUM;
            add(momentum, p);
            add(square, fmin(p * p / 2, 0x1p30));
        }
    }
}

static bool sum_momenta(const struct simulate_run *run, int64_t *host,
                        struct sum momentum[3], struct sum *square) {
    for (int axis = 0; axis < 3; ++axis)
        sum_axis(run, run->particles.momentum[axis], host, &momentum[axis], square);
    return weft_check(run->device) == WEFT_OK;
}

static struct simulate_energy_row *new_row(struct simulate_energy *energy) {
    if (energy->n == energy->room) {
        const int64_t room = 2 * energy->room + 64;
        struct simulate_energy_row *row =
            realloc(energy->row, (size_t)room * sizeof *energy->row);
        if (row == NULL)
            return NULL;
        energy->row = row;
        energy->room = room;
    }
    return &energy->row[energy->n++];
}

/* What is missing in the equation at the last row, which it also adds to the integral. */
static void balance(struct simulate_energy *energy) {
    struct simulate_energy_row *first = energy->row, *now = first + energy->n - 1;
    if (energy->n == 1) {
        energy->done = now->off = 0;
        return;
    }
    energy->done += (now->kinetic + now[-1].kinetic) / 2 * (now->scale - now[-1].scale);
    now->off = (now->scale * (now->kinetic + now->potential) -
                first->scale * (first->kinetic + first->potential) + energy->done) /
               now->scale;
}

/* Over all ranks. */
static bool add_up(struct comm *comm, int64_t *const *sums, int n) {
    bool well = true;
    for (int k = 0; k < n && well; ++k)
        well = comm_reduce_i64(comm, sums[k], 1, COMM_SUM);
    return well;
}

int simulate_energy_add(struct simulate_run *run) {
    const int64_t every = run->options.energy;
    const struct simulate_schedule *s = &run->schedule;
    struct simulate_energy *energy = &run->energy;
    struct sum potential = {0, 0}, square = {0, 0}, momentum[3] = {{0, 0}};
    struct io_error error;
    const bool due = run->step % every == 0 || run->step == s->step[s->n_stops - 1];
    if (!due || (energy->n > 0 && energy->row[energy->n - 1].step == run->step))
        return CLI_DONE;
    void *host = io_allocate(PIECE, 8, "numbers of particles", &error);
    if (host == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    const bool summed =
        sum_potentials(run, host, &potential) && sum_momenta(run, host, momentum, &square);
    free(host);
    int64_t *const sums[] = {&square.whole,      &square.part,       &potential.whole,
                             &potential.part,    &momentum[0].whole, &momentum[0].part,
                             &momentum[1].whole, &momentum[1].part,  &momentum[2].whole,
                             &momentum[2].part};
    if (!summed || !add_up(&run->comm, sums, sizeof sums / sizeof *sums))
        return progress_fail(CLI_FAULT, "%s: %s", run->options.input,
                             progress_error(run->device));
    struct simulate_energy_row *row = new_row(energy);
    if (row == NULL)
        return progress_fail(CLI_FAULT, "out of memory: rows of energies");
    const double a = simulate_scale(s, run->step);
    const double hubble = 100 * run->info.cosmology.h * run->box, speed = hubble / a;
    row->step = run->step;
    row->scale = a;
    row->kinetic = mean(&square, run->info.n) * speed * speed;
    row->potential = mean(&potential, 1) / 2 * run->take.strength * hubble * hubble / a;
    for (int axis = 0; axis < 3; ++axis)
        row->momentum[axis] = mean(&momentum[axis], run->info.n) * speed;
    balance(energy);
    timings_end(&run->timings, TIMINGS_SIMULATE, 0);
    return CLI_DONE;
}

static void print(FILE *stream, const struct simulate_energy *energy) {
    fputs(header, stream);
    for (int64_t k = 0; k < energy->n; ++k) {
        const struct simulate_energy_row *r = &energy->row[k];
        fprintf(stream, "%" PRId64 ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", r->step,
                r->scale, r->kinetic, r->potential, r->off, r->momentum[0], r->momentum[1],
                r->momentum[2]);
    }
}

int simulate_energy_write(struct simulate_run *run) {
    struct io_output output;
    struct io_error error;
    if (run->energy.n == 0 || run->comm.rank > 0)
        return CLI_DONE;
    char *path = simulate_energy_path(run);
    if (path == NULL)
        return progress_fail(CLI_FAULT, "out of memory: a name");
    bool done = io_output_open(&output, path, &error);
    if (done) {
        errno = 0;
        print(output.stream, &run->energy);
        done = !ferror(output.stream) || io_output_fail(&output, errno, &error);
        done = io_output_close(&output, done, &error);
    }
    free(path);
    return done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}

/* Rows up to where the run is; false where a line is none, or they are not in order. */
static bool read_rows(FILE *stream, struct simulate_run *run) {
    struct simulate_energy *energy = &run->energy;
    char line[512];
    while (fgets(line, sizeof line, stream)) {
        struct simulate_energy_row r;
        int end = -1;
        if (line[0] == '#' || strncmp(line, "step,", 5) == 0)
            continue;
        if (sscanf(line, "%" SCNd64 ",%lf,%lf,%lf,%lf,%lf,%lf,%lf%n", &r.step, &r.scale,
                   &r.kinetic, &r.potential, &r.off, &r.momentum[0], &r.momentum[1],
                   &r.momentum[2], &end) != 8 ||
            line[end] != '\n' ||
            (energy->n > 0 && r.step <= energy->row[energy->n - 1].step))
            return false;
        if (r.step > run->step)
            break;
        struct simulate_energy_row *row = new_row(energy);
        if (row == NULL)
            return false;
        *row = r;
        balance(energy);
    }
    return !ferror(stream);
}

int simulate_energy_resume(struct simulate_run *run) {
    char *path = simulate_energy_path(run);
    if (path == NULL)
        return progress_fail(CLI_FAULT, "out of memory: a name");
    FILE *stream = fopen(path, "r");
    int status = CLI_DONE;
    if (stream == NULL && errno != ENOENT)
        status = progress_fail(CLI_FAULT, "cannot read %s: %s", path, strerror(errno));
    if (stream && !read_rows(stream, run))
        status =
            progress_fail(CLI_FAULT, "%s: row %" PRId64 " is none that weft simulate wrote",
                          path, run->energy.n + 1);
    if (stream)
        fclose(stream);
    free(path);
    return status;
}

void simulate_energy_free(struct simulate_energy *energy) {
    free(energy->row);
}
