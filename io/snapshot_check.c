/* What of particles no calculation can use, and where they lie. */
#include "format.h"
#include "ids.h"
#include "io/files/numbers.h"

#include <math.h>
#include <stdio.h>

static const char *const field_names[] = {"position", "velocity", "mass", "id"};

void snapshot_enclose_nothing(struct snapshot_particles *particles) {
    for (int axis = 0; axis < 3; ++axis) {
        particles->low[axis] = INFINITY;
        particles->high[axis] = -INFINITY;
    }
}

void snapshot_enclose(struct snapshot_particles *particles,
                      const struct snapshot_particles *more) {
    for (int axis = 0; axis < 3; ++axis) {
        particles->low[axis] = fmin(particles->low[axis], more->low[axis]);
        particles->high[axis] = fmax(particles->high[axis], more->high[axis]);
    }
}

bool snapshot_has_one_mass(const struct snapshot *snapshot, double *mass) {
    bool known = snapshot->format->has_one_mass != NULL && snapshot->info.n > 0 &&
                 snapshot->info.bytes[SNAPSHOT_MASSES] != 0;
    double first = 0;
    for (int k = 0; known && k < snapshot->info.n_parts; ++k) {
        const struct snapshot_part *part = &snapshot->parts[k];
        if (part->count == 0)
            continue;
        known = snapshot->format->has_one_mass(snapshot, part, mass) && *mass > 0 &&
                (first == 0 || *mass == first);
        first = *mass;
    }
    return known;
}

/* The first number that is not finite, or -1; places are enclosed by the way. */
static int64_t first_not_finite(int threads, enum snapshot_field field, const void *values,
                                int bytes, int64_t count,
                                struct snapshot_particles *particles) {
    struct snapshot_particles these;
    if (field == SNAPSHOT_COORDINATES &&
        io_extent(threads, values, bytes, 3, count, these.low, these.high)) {
        snapshot_enclose(particles, &these);
        return -1;
    }
    return io_first_not_finite(threads, values, bytes, count * snapshot_components(field));
}

bool snapshot_check_numbers(int threads, const char *path, int type,
                            enum snapshot_field field, const void *values, int64_t first,
                            int64_t count, struct snapshot_particles *particles,
                            struct io_error *error) {
    char of_type[24] = "";
    const int components = snapshot_components(field), bytes = particles->bytes[field];
    const char *fault = "not finite";
    int64_t bad = first_not_finite(threads, field, values, bytes, count, particles);
    if (bad < 0 && field == SNAPSHOT_MASSES) {
        fault = "not above 0";
        bad = io_first_not_positive(threads, values, bytes, count);
    }
    if (bad < 0)
        return true;
    if (type != 1)
        snprintf(of_type, sizeof of_type, " of type %d", type);
    return io_fail(error, "the %s of particle %lld%s in %s is %s (%g)", field_names[field],
                   (long long)(first + bad / components), of_type, path, fault,
                   io_value(values, bytes, bad));
}

bool snapshot_check(struct snapshot_particles *particles, int threads, const char *path,
                    struct io_error *error) {
    enum io_ids_verdict verdict = IO_IDS_GOOD;
    int64_t example;
    const int64_t *ids = particles->field[SNAPSHOT_IDS];
    snapshot_enclose_nothing(particles);
    for (enum snapshot_field f = 0; f < SNAPSHOT_IDS; ++f) {
        if (particles->field[f] &&
            !snapshot_check_numbers(threads, path, 1, f, particles->field[f], 0,
                                    particles->n, particles, error))
            return false;
    }
    if (ids && !io_ids_judge(ids, particles->n, threads, &verdict, &example, error))
        return false;
    if (verdict == IO_IDS_TOO_LARGE)
        return io_fail(error, "the id of particle %lld in %s is not from 0 to 2^63 - 1",
                       (long long)example, path);
    return verdict == IO_IDS_GOOD ||
           io_fail(error, "the id %lld comes twice in %s", (long long)example, path);
}
