#include "particles.h"

#include "io/files/bytes.h"
#include "io/files/numbers.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static void *constant(double value, int bytes, int64_t n, struct io_error *error) {
    void *values = io_allocate(n, (size_t)bytes, "the masses", error);
    for (int64_t i = 0; values != NULL && i < n; ++i) {
        if (bytes == 4)
            ((float *)values)[i] = (float)value;
        else
            ((double *)values)[i] = value;
    }
    return values;
}

static bool fits_float(const double *values, int64_t n, const char *path,
                       struct io_error *error) {
    for (int64_t i = 0; i < n; ++i) {
        if (isfinite(values[i]) && fabs(values[i]) > (double)FLT_MAX)
            return io_fail(error, "%s has the number %g, which float32 cannot hold", path,
                           values[i]);
    }
    return true;
}

/* The same numbers in another width; takes over and frees those that it is given. */
static void *recast(void *values, int from, int to, int64_t n, const char *path,
                    struct io_error *error) {
    if (from == to)
        return values;
    void *out = to == 8 || fits_float(values, n, path, error)
                    ? io_allocate(n, (size_t)to, "the particles", error)
                    : NULL;
    for (int64_t i = 0; out != NULL && i < n; ++i) {
        if (to == 4)
            ((float *)out)[i] = (float)((const double *)values)[i];
        else
            ((double *)out)[i] = (double)((const float *)values)[i];
    }
    free(values);
    return out;
}

void *particles_pull(const struct particles *particles, enum snapshot_field field,
                     int64_t first, int64_t count, struct io_error *error) {
    const struct snapshot_info *info = &particles->snapshot->info;
    const int64_t n = count * snapshot_components(field);
    struct snapshot_particles slice;
    if (field == SNAPSHOT_MASSES && info->bytes[field] == 0)
        return constant(info->mass, particles->bytes[field], n, error);
    if (!snapshot_read_raw(particles->snapshot, first, count, 1u << field, &slice, error))
        return NULL;
    void *values = slice.field[field];
    if (field == SNAPSHOT_IDS)
        return values;
    if (field == SNAPSHOT_VELOCITIES && particles->velocity_factor != 1)
        io_scale(particles->snapshot->threads, values, slice.bytes[field], n,
                 particles->velocity_factor);
    return recast(values, slice.bytes[field], particles->bytes[field], n,
                  particles->snapshot->parts[0].path, error);
}

void *particles_pull_other(const struct particles *particles, int other, int64_t first,
                           int64_t count, struct io_error *error) {
    const struct snapshot_other *what = &particles->snapshot->others[other];
    void *values =
        io_allocate(count * what->components, (size_t)what->bytes, what->name, error);
    if (values != NULL &&
        !snapshot_read_other(particles->snapshot, other, first, count, values, error)) {
        free(values);
        return NULL;
    }
    return values;
}

int64_t particles_piece(const struct particles *particles, int64_t first) {
    const int64_t left = particles->n - first;
    return left < PARTICLES_PIECE ? left : PARTICLES_PIECE;
}

bool particles_put(struct io_output *output, const void *bytes, size_t n,
                   struct io_error *error) {
    return fwrite(bytes, 1, n, output->stream) == n || io_output_fail(output, errno, error);
}

bool particles_put_little(struct io_output *output, void *values, int width, int64_t n,
                          struct io_error *error) {
    io_swap(values, width, n, IO_LITTLE);
    return particles_put(output, values, (size_t)(n * width), error);
}

bool particles_tell_mass_unit(const struct particles *particles) {
    const struct snapshot *snapshot = particles->snapshot;
    const double h_exponent = snapshot->info.cosmology.h > 0 ? -1 : 0;
    return particles->table_mass > 0 && isfinite(snapshot->mass.cgs) &&
           snapshot->mass.h_exponent == h_exponent;
}
