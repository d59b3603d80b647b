#include "region.h"
#include "cli/command.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "halos.h"
#include "io/files/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bound, which may be missing: then *given is false. */
static bool read_bound(const char **at, double *bound, bool *given) {
    char *end;
    *bound = strtod(*at, &end);
    *given = end != *at;
    *at = end;
    return !*given || isfinite(*bound);
}

bool region_parse(const char *text, struct halos_region *region, struct io_error *error) {
    const char *at = text;
    bool good = true;
    for (int axis = 0; good && axis < 3; ++axis) {
        bool from, to;
        good = read_bound(&at, &region->from[axis], &from) && *at == ':';
        at += good;
        good = good && read_bound(&at, &region->to[axis], &to) && from == to &&
               *at == (axis < 2 ? ',' : '\0');
        at += good && axis < 2;
        region->whole[axis] = good && !from;
        if (good && from && region->from[axis] == region->to[axis])
            return io_fail(error, "'%s': the range of %c is empty", text, "xyz"[axis]);
    }
    region->given = good;
    return good ||
           io_fail(error, "'%s' is not x0:x1,y0:y1,z0:z1, where : is a whole axis", text);
}

bool region_settle(struct halos_region *region, const double period[3],
                   struct io_error *error) {
    for (int axis = 0; region->given && axis < 3; ++axis) {
        if (region->whole[axis])
            continue;
        if (region->to[axis] < region->from[axis] && period[axis] > 0)
            region->to[axis] += period[axis];
        if (region->to[axis] < region->from[axis])
            return io_fail(error,
                           "the range %.9g:%.9g ends before it begins, and %c is not "
                           "periodic",
                           region->from[axis], region->to[axis], "xyz"[axis]);
        region->whole[axis] =
            period[axis] > 0 && region->to[axis] - region->from[axis] >= period[axis];
    }
    return true;
}

/* x in the period that begins at `from`. */
static double place_in(double x, double from, double period) {
    if (!(period > 0))
        return x;
    double k = ceil((from - x) / period);
    if (x + k * period < from)
        ++k;
    else if (x + (k - 1) * period >= from)
        --k;
    return x + k * period;
}

static bool holds(const struct halos_region *region, const double period[3],
                  const double x[3]) {
    bool inside = true;
    for (int axis = 0; inside && axis < 3; ++axis) {
        const double at = place_in(x[axis], region->from[axis], period[axis]);
        inside = region->whole[axis] || (at >= region->from[axis] && at < region->to[axis]);
    }
    return inside;
}

bool region_is_near_face(const struct halos_region *region, const double period[3],
                         const double x[3], double distance) {
    bool near = false;
    for (int axis = 0; axis < 3; ++axis) {
        const double at = place_in(x[axis], region->from[axis], period[axis]);
        near = near || (!region->whole[axis] && (at - region->from[axis] <= distance ||
                                                 region->to[axis] - at <= distance));
    }
    return near;
}

/* The places of the particles in the region, as rows of what was read. */
static int64_t *choose(const struct halos_run *run,
                       const struct snapshot_particles *particles, int64_t *n) {
    struct io_error error;
    int64_t *row = io_allocate(particles->n, sizeof *row, "the region", &error);
    *n = 0;
    for (int64_t i = 0; row && i < particles->n; ++i) {
        double x[3];
        for (int axis = 0; axis < 3; ++axis)
            x[axis] = io_value(particles->field[SNAPSHOT_COORDINATES],
                               particles->bytes[SNAPSHOT_COORDINATES], 3 * i + axis);
        if (holds(&run->options.region, run->period, x))
            row[(*n)++] = i;
    }
    return row;
}

static void keep(struct snapshot_particles *particles, const int64_t *row, int64_t n) {
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const size_t bytes =
            (size_t)particles->bytes[f] *
            (f == SNAPSHOT_COORDINATES || f == SNAPSHOT_VELOCITIES ? 3 : 1);
        char *field = particles->field[f];
        for (int64_t k = 0; field && k < n; ++k)
            memmove(field + (size_t)k * bytes, field + (size_t)row[k] * bytes, bytes);
    }
    particles->n = n;
}

/* Without ids of the file the places in the input stand for them. */
static bool take_places(struct halos_run *run) {
    struct snapshot_particles *particles = &run->particles;
    struct io_error error;
    if (particles->field[SNAPSHOT_IDS])
        return true;
    int64_t *ids = io_allocate(particles->n, sizeof *ids, "the region", &error);
    if (ids)
        memcpy(ids, run->place, (size_t)particles->n * sizeof *ids);
    particles->field[SNAPSHOT_IDS] = ids;
    particles->bytes[SNAPSHOT_IDS] = sizeof *ids;
    return ids != NULL;
}

/* Leaves those in the region; their places in the input, or NULL. */
static int64_t *cut(const struct halos_run *run, struct snapshot_particles *particles) {
    int64_t n;
    int64_t *place = choose(run, particles, &n);
    if (place)
        keep(particles, place, n);
    for (int64_t k = 0; place && k < n; ++k)
        place[k] += particles->first;
    return place;
}

/* The same of what is attached, and how many of each kind are left. */
static bool cut_attached(struct halos_run *run) {
    struct halos_attached *attached = &run->attached;
    if (run->options.types.n_attached == 0)
        return true;
    attached->place = cut(run, &attached->particles);
    memset(attached->inside, 0, sizeof attached->inside);
    for (int64_t k = 0; attached->place && k < attached->particles.n; ++k)
        ++attached->inside[types_kind(run, attached->place[k])];
    return attached->place != NULL;
}

int region_cut(struct halos_run *run) {
    struct comm *comm = &run->comm;
    run->n_inside = run->info.n;
    if (!run->options.region.given)
        return CLI_DONE;
    int status = CLI_DONE;
    run->place = cut(run, &run->particles);
    if (run->place == NULL || !take_places(run) || !cut_attached(run))
        status = progress_fail(CLI_FAULT, "out of memory: the region");
    run->n_inside = run->particles.n;
    status = parallel_meet(comm, status);
    return status == CLI_DONE &&
                   !(comm_reduce_i64(comm, &run->n_inside, 1, COMM_SUM) &&
                     comm_reduce_i64(comm, run->attached.inside, TYPES_MOST, COMM_SUM))
               ? parallel_stop(comm)
               : status;
}
