/* Numbers of particles, to where they lie in a file. */
#include "ics.h"
#include "io/files/bytes.h"
#include "io/files/place.h"

#include <stdlib.h>

static void fill_masses(const struct ics *ics, int64_t count, double *mass) {
    for (int64_t i = 0; i < count; ++i)
        mass[i] = ics->mass;
}

bool ics_put(const char *path, const struct ics_place *place, const struct ics *ics,
             int64_t first, int64_t count, ics_rows *rows, void *context,
             struct io_error *error) {
    const int width[ICS_ARRAYS] = {8, ics->velocity_bytes, 8, 8};
    const int components[ICS_ARRAYS] = {3, 3, 1, 1};
    const int64_t end = first + count;
    void *piece = io_allocate(count < ICS_PIECE ? count : ICS_PIECE, 24, "a piece", error);
    bool done = piece != NULL;
    for (int k = 0; k < ICS_ARRAYS && done; ++k) {
        const int64_t bytes = (int64_t)width[k] * components[k];
        for (int64_t i = first; i < end && done; i += ICS_PIECE) {
            const int64_t n = end - i < ICS_PIECE ? end - i : ICS_PIECE;
            if (k == ICS_MASSES)
                fill_masses(ics, n, piece);
            else
                done = rows(context, (enum ics_array)k, i, n, piece, error);
            io_swap(piece, width[k], n * components[k], IO_LITTLE);
            done = done && io_put_at(path, place->descriptor, piece, (size_t)(n * bytes),
                                     place->at[k] + i * bytes, error);
        }
    }
    free(piece);
    return done;
}

bool ics_write(const char *path, const struct ics *ics, ics_rows *rows, void *context,
               struct io_error *error) {
    struct io_output output;
    struct ics_place place;
    if (!io_output_open(&output, path, error))
        return false;
    const bool done = ics_lay_out(&output, ics, &place, error) &&
                      ics_put(path, &place, ics, 0, ics->n, rows, context, error);
    return io_output_close(&output, done, error) && done;
}
