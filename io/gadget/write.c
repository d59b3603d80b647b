/* Writes Gadget-2 binary: little-endian, one file, type 1 alone, ids of 32 bits
 * where all fit. */
#include "file.h"
#include "io/files/numbers.h"
#include "io/particles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the header's numbers lie, beside those that file.c reads. */
enum { AT_N = 0, AT_MASS = 24, AT_TIME = 72, AT_REDSHIFT = 80, AT_TOTAL = 96 };
enum { AT_FILES = 124, AT_BOX = 128, AT_OMEGA_MATTER = 136, AT_OMEGA_LAMBDA = 144 };
enum { AT_H = 152, TYPE = 1 };

static bool put_mark(struct io_output *output, uint64_t size, struct io_error *error) {
    unsigned char mark[4];
    io_put_u32(mark, (uint32_t)size, IO_LITTLE);
    return particles_put(output, mark, sizeof mark, error);
}

/* The record that names the block after it, in format 2. */
static bool put_name(struct io_output *output, bool named, const char *name, uint64_t size,
                     struct io_error *error) {
    unsigned char record[16] = {8, [12] = 8};
    memcpy(record + 4, name, 4);
    io_put_u32(record + 8, (uint32_t)(size + 8), IO_LITTLE);
    return !named || particles_put(output, record, sizeof record, error);
}

static bool put_header(struct io_output *output, const struct particles *particles,
                       bool named, struct io_error *error) {
    const struct snapshot_info *info = &particles->snapshot->info;
    const bool cube = info->box[0] == info->box[1] && info->box[1] == info->box[2];
    const double redshift = isnan(info->redshift) ? 0 : info->redshift;
    unsigned char head[GADGET_HEADER] = {0};
    io_put_u32(head + AT_N + 4 * TYPE, (uint32_t)particles->n, IO_LITTLE);
    io_put_f64(head + AT_MASS + 8 * TYPE, particles->table_mass, IO_LITTLE);
    io_put_f64(head + AT_TIME, 1 / (1 + redshift), IO_LITTLE);
    io_put_f64(head + AT_REDSHIFT, redshift, IO_LITTLE);
    io_put_u32(head + AT_TOTAL + 4 * TYPE, (uint32_t)particles->n, IO_LITTLE);
    io_put_u32(head + AT_FILES, 1, IO_LITTLE);
    io_put_f64(head + AT_BOX, cube ? info->box[0] : 0, IO_LITTLE);
    io_put_f64(head + AT_OMEGA_MATTER, info->cosmology.omega_matter, IO_LITTLE);
    io_put_f64(head + AT_OMEGA_LAMBDA, info->cosmology.omega_lambda, IO_LITTLE);
    io_put_f64(head + AT_H, info->cosmology.h, IO_LITTLE);
    return put_name(output, named, "HEAD", sizeof head, error) &&
           put_mark(output, sizeof head, error) &&
           particles_put(output, head, sizeof head, error) &&
           put_mark(output, sizeof head, error);
}

/* Whether all ids are below 2^32, as they first were in this format. */
static bool find_id_width(const struct particles *particles, int *width,
                          struct io_error *error) {
    bool done = true;
    *width = 4;
    for (int64_t first = 0; done && *width == 4 && first < particles->n;
         first += PARTICLES_PIECE) {
        const int64_t count = particles_piece(particles, first);
        uint64_t *ids = particles_pull(particles, SNAPSHOT_IDS, first, count, error);
        done = ids != NULL;
        for (int64_t i = 0; done && i < count; ++i)
            *width = ids[i] > UINT32_MAX ? 8 : *width;
        free(ids);
    }
    return done;
}

/* The mass that all particles have, 0 where they differ: a place in the header's table
 * takes less room, and is where other programs look for it. */
static bool find_common_mass(const struct particles *particles, double *mass,
                             struct io_error *error) {
    const int width = particles->bytes[SNAPSHOT_MASSES];
    bool done = true, common = width != 0 && particles->n > 0;
    *mass = 0;
    for (int64_t first = 0; done && common && first < particles->n;
         first += PARTICLES_PIECE) {
        const int64_t count = particles_piece(particles, first);
        void *values = particles_pull(particles, SNAPSHOT_MASSES, first, count, error);
        done = values != NULL;
        if (done && first == 0)
            *mass = io_value(values, width, 0);
        for (int64_t i = 0; done && common && i < count; ++i)
            common = io_value(values, width, i) == *mass;
        free(values);
    }
    *mass = common && *mass > 0 ? *mass : 0;
    return done;
}

/* The lower halves of n numbers, side by side at their beginning. */
static void narrow(void *values, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        uint64_t wide;
        memcpy(&wide, (char *)values + 8 * i, sizeof wide);
        const uint32_t half = (uint32_t)wide;
        memcpy((char *)values + 4 * i, &half, sizeof half);
    }
}

/* A block, piece by piece. */
static bool put_block(struct io_output *output, const struct particles *particles,
                      bool named, enum snapshot_field field, const char *name,
                      struct io_error *error) {
    const int components = snapshot_components(field);
    int width = particles->bytes[field];
    if (field == SNAPSHOT_IDS && !find_id_width(particles, &width, error))
        return false;
    const uint64_t size = (uint64_t)(particles->n * components * width);
    if (size > UINT32_MAX)
        return io_fail(error,
                       "cannot write %s: a Gadget-2 block is below 4 GiB, and %s has "
                       "%llu bytes",
                       output->path, name, (unsigned long long)size);
    bool done = put_name(output, named, name, size, error) && put_mark(output, size, error);
    for (int64_t first = 0; done && first < particles->n; first += PARTICLES_PIECE) {
        const int64_t count = particles_piece(particles, first);
        void *values = particles_pull(particles, field, first, count, error);
        done = values != NULL;
        if (done && field == SNAPSHOT_IDS && width == 4)
            narrow(values, count);
        done =
            done && particles_put_little(output, values, width, count * components, error);
        free(values);
    }
    return done && put_mark(output, size, error);
}

static bool write_particles(struct io_output *output, const struct particles *particles,
                            bool named, struct io_error *error) {
    const bool has_mass = particles->bytes[SNAPSHOT_MASSES] != 0;
    if (particles->n > INT32_MAX)
        return io_fail(error,
                       "cannot write %s: a Gadget-2 file holds fewer than 2^31 "
                       "particles",
                       output->path);
    if (!named &&
        (particles->bytes[SNAPSHOT_VELOCITIES] == 0 || particles->bytes[SNAPSHOT_IDS] == 0))
        return io_fail(error,
                       "cannot write %s: format 1 needs velocities and ids, which %s "
                       "does not have: take format 2",
                       output->path, particles->snapshot->parts[0].path);
    if (!has_mass && particles->table_mass == 0) {
        struct particles massive = *particles; /* each counts as 1 */
        massive.table_mass = 1;
        return write_particles(output, &massive, named, error);
    }
    double mass;
    if (!find_common_mass(particles, &mass, error))
        return false;
    if (mass > 0) {
        struct particles alike = *particles;
        alike.table_mass = mass;
        alike.bytes[SNAPSHOT_MASSES] = 0;
        return write_particles(output, &alike, named, error);
    }
    return put_header(output, particles, named, error) &&
           put_block(output, particles, named, SNAPSHOT_COORDINATES, "POS ", error) &&
           (particles->bytes[SNAPSHOT_VELOCITIES] == 0 ||
            put_block(output, particles, named, SNAPSHOT_VELOCITIES, "VEL ", error)) &&
           (particles->bytes[SNAPSHOT_IDS] == 0 ||
            put_block(output, particles, named, SNAPSHOT_IDS, "ID  ", error)) &&
           (!has_mass ||
            put_block(output, particles, named, SNAPSHOT_MASSES, "MASS", error));
}

bool gadget1_write_particles(struct io_output *output, const struct particles *particles,
                             struct io_error *error) {
    return write_particles(output, particles, false, error);
}

bool gadget2_write_particles(struct io_output *output, const struct particles *particles,
                             struct io_error *error) {
    return write_particles(output, particles, true, error);
}
