/* Writes positions as .npy and raw float32, and particles as text. */
#include "io/files/bytes.h"
#include "io/particles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool put_positions(struct io_output *output, const struct particles *particles,
                          struct io_error *error) {
    const int width = particles->bytes[SNAPSHOT_COORDINATES];
    bool done = true;
    for (int64_t first = 0; done && first < particles->n; first += PARTICLES_PIECE) {
        const int64_t count = particles_piece(particles, first);
        void *values = particles_pull(particles, SNAPSHOT_COORDINATES, first, count, error);
        done =
            values != NULL && particles_put_little(output, values, width, 3 * count, error);
        free(values);
    }
    return done;
}

bool f32_write_particles(struct io_output *output, const struct particles *particles,
                         struct io_error *error) {
    return put_positions(output, particles, error);
}

bool npy_write_particles(struct io_output *output, const struct particles *particles,
                         struct io_error *error) {
    char head[128]; /* a multiple of 64, as NumPy has it */
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00\x76", 10);
    const int n =
        snprintf(head + 10, sizeof head - 10,
                 "{'descr': '<f%d', 'fortran_order': False, 'shape': (%" PRId64 ", 3), }",
                 particles->bytes[SNAPSHOT_COORDINATES], particles->n);
    head[10 + n] = ' ';
    head[sizeof head - 1] = '\n';
    return particles_put(output, head, sizeof head, error) &&
           put_positions(output, particles, error);
}

/* The digits that give the same number back. */
static void put_number(FILE *stream, const void *values, int width, int64_t k) {
    if (width == 4)
        fprintf(stream, "%.9g", (double)((const float *)values)[k]);
    else
        fprintf(stream, "%.17g", ((const double *)values)[k]);
}

static void put_rows(FILE *stream, const struct particles *particles,
                     void *const values[SNAPSHOT_FIELDS], int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
            const int components = snapshot_components(f);
            for (int axis = 0; values[f] != NULL && axis < components; ++axis) {
                if (f > 0 || axis > 0)
                    fputc(',', stream);
                if (f == SNAPSHOT_IDS)
                    fprintf(stream, "%" PRIu64, ((const uint64_t *)values[f])[i]);
                else
                    put_number(stream, values[f], particles->bytes[f],
                               i * components + axis);
            }
        }
        fputc('\n', stream);
    }
}

bool text_write_particles(struct io_output *output, const struct particles *particles,
                          struct io_error *error) {
    static const char *const names[] = {"x,y,z", ",vx,vy,vz", ",mass", ",id"};
    bool done = true;
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f)
        fputs(particles->bytes[f] != 0 ? names[f] : "", output->stream);
    fputc('\n', output->stream);
    for (int64_t first = 0; done && first < particles->n; first += PARTICLES_PIECE) {
        const int64_t count = particles_piece(particles, first);
        void *values[SNAPSHOT_FIELDS] = {NULL};
        for (enum snapshot_field f = 0; done && f < SNAPSHOT_FIELDS; ++f) {
            if (particles->bytes[f] != 0)
                values[f] = particles_pull(particles, f, first, count, error);
            done = particles->bytes[f] == 0 || values[f] != NULL;
        }
        errno = 0;
        if (done)
            put_rows(output->stream, particles, values, count);
        if (done && ferror(output->stream))
            done = io_output_fail(output, errno != 0 ? errno : EIO, error);
        for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f)
            free(values[f]);
    }
    return done;
}
