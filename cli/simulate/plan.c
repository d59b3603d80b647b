/* Which steps are taken, and where snapshots are written between them. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/ics/ics.h"
#include "simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double simulate_scale(const struct simulate_schedule *s, int64_t step) {
    int k = 1;
    while (k < s->n_stops - 1 && step > s->step[k])
        ++k;
    if (step == s->step[k - 1] || step == s->step[k])
        return s->scale[step == s->step[k] ? k : k - 1];
    const double part =
        (double)(step - s->step[k - 1]) / (double)(s->step[k] - s->step[k - 1]);
    return s->scale[k - 1] * pow(s->scale[k] / s->scale[k - 1], part);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x > y ? 1 : x < y ? -1 : 0;
}

/* Each stop in turn from where the particles are, to steps that are whole. */
static int place_stops(struct simulate_run *run) {
    struct simulate_schedule *s = &run->schedule;
    const double *scale = s->scale;
    const int last = s->n_stops - 1;
    s->step[0] = 0;
    for (int k = 1; k <= last; ++k) {
        const double part = log(scale[k] / scale[0]) / log(scale[last] / scale[0]);
        s->step[k] = llround((double)run->options.steps * part);
        if (s->step[k] <= s->step[k - 1])
            return progress_fail(CLI_USAGE,
                                 "--steps: %" PRId64 " are too few: there is none from "
                                 "redshift %g to %g",
                                 run->options.steps, 1 / scale[k - 1] - 1,
                                 1 / scale[k] - 1);
    }
    return CLI_DONE;
}

/* Adds a stop at a redshift, in any order. */
static int add_stop(struct simulate_run *run, const char *option, double z) {
    struct simulate_schedule *s = &run->schedule;
    const double from = run->info.redshift, rounding = 1e-9 * (1 + from);
    if (!(z < from - rounding))
        return progress_fail(CLI_USAGE, "%s: redshift %g is not below that of %s, %g",
                             option, z, run->options.input,
                             fabs(from) < rounding ? 0 : from);
    if (z < run->options.to_z)
        return progress_fail(CLI_USAGE, "%s: redshift %g is below --to-z, %g", option, z,
                             run->options.to_z);
    s->scale[s->n_stops++] = 1 / (1 + z);
    return CLI_DONE;
}

int simulate_plan(struct simulate_run *run) {
    const struct simulate_options *o = &run->options;
    struct simulate_schedule *s = &run->schedule;
    s->scale[0] = 1 / (1 + run->info.redshift);
    s->n_stops = 1;
    int status = add_stop(run, "--to-z", o->to_z);
    for (int k = 0; k < o->n_snapshots && status == CLI_DONE; ++k)
        status = add_stop(run, "--snapshots", o->snapshot[k]);
    for (int k = 0; k < o->n_halos && status == CLI_DONE; ++k)
        status = add_stop(run, "--halos", o->halos[k]);
    if (status != CLI_DONE)
        return status;
    qsort(s->scale, (size_t)s->n_stops, sizeof *s->scale, compare);
    int n = 1;
    for (int k = 1; k < s->n_stops; ++k)
        if (s->scale[k] > s->scale[n - 1])
            s->scale[n++] = s->scale[k];
    s->n_stops = n;
    for (int k = 1; k < n; ++k)
        for (int h = 0; h < o->n_halos; ++h)
            s->halos[k] = s->halos[k] || s->scale[k] == 1 / (1 + o->halos[h]);
    run->substeps = o->substeps;
    run->split = o->split;
    run->softening =
        isnan(o->softening) ? 0.04 * run->box / cbrt((double)run->info.n) : o->softening;
    if (run->softening > run->box)
        return progress_fail(CLI_USAGE, "--softening: %g is above the box of %s, %g Mpc",
                             run->softening, run->options.input, run->box);
    return place_stops(run);
}

/* A note of whole numbers; of one number where `n` is NULL. */
static bool read_whole(const char *path, const char *name, int64_t most, int64_t *values,
                       int64_t *n, struct io_error *error) {
    double numbers[SIMULATE_STOPS];
    int64_t count = 0;
    if (!ics_read_note(path, name, most, numbers, &count, error))
        return false;
    for (int64_t k = 0; k < count; ++k) {
        if (!(numbers[k] >= 0 && numbers[k] <= 0x1p53))
            return io_fail(error, "%s: %s of the group Weft is %g", path, name, numbers[k]);
        values[k] = (int64_t)numbers[k];
    }
    if (n == NULL && count != 1)
        return io_fail(error, "%s: %s is missing in the group Weft", path, name);
    if (n)
        *n = count;
    return true;
}

static bool check_plan(const char *path, const struct simulate_run *run, int64_t stops,
                       int64_t numbers, struct io_error *error) {
    const struct simulate_schedule *s = &run->schedule;
    bool good = stops == numbers && stops >= 2 && s->step[0] == 0 && s->scale[0] > 0;
    for (int64_t k = 1; good && k < stops; ++k)
        good = s->step[k] > s->step[k - 1] && s->scale[k] > s->scale[k - 1];
    good = good && run->step >= 0 && run->step <= s->step[stops - 1] &&
           run->softening >= 0 && run->substeps >= 1 && run->substeps <= 1000 &&
           run->mesh >= 8;
    return good || io_fail(error, "%s: the steps of the group Weft are no plan", path);
}

/* Files of the ball tell none. */
static bool take_split(const char *path, int64_t split, struct simulate_run *run,
                       struct io_error *error) {
    run->split = split ? WEFT_GRAVITY_HACC : WEFT_GRAVITY_BALL;
    return split <= WEFT_GRAVITY_HACC ||
           io_fail(error, "%s: Split of the group Weft is %lld", path, (long long)split);
}

bool simulate_read_plan(const char *path, struct simulate_run *run, bool *there,
                        struct io_error *error) {
    struct simulate_schedule *s = &run->schedule;
    int64_t stops = 0, numbers = 0, one = 0, split = 0, splits = 0, halves = 0;
    *there = false;
    if (!ics_read_note(path, "ScaleFactors", SIMULATE_STOPS, s->scale, &stops, error))
        return false;
    if (stops == 0)
        return true;
    *there = true;
    s->n_stops = (int)stops;
    return read_whole(path, "Steps", SIMULATE_STOPS, s->step, &numbers, error) &&
           read_whole(path, "Step", 1, &run->step, NULL, error) &&
           read_whole(path, "Substeps", 1, &run->substeps, NULL, error) &&
           read_whole(path, "Mesh", 1, &run->mesh, NULL, error) &&
           ics_read_note(path, "Softening", 1, &run->softening, &one, error) &&
           read_whole(path, "Split", 1, &split, &splits, error) &&
           take_split(path, split, run, error) &&
           ics_read_note(path, "Input", 2, run->source, &halves, error) &&
           check_plan(path, run, stops, numbers, error);
}
