/* Rows of an HDF5 catalogue, to where they lie in the file. */
#include "formats.h"
#include "io/files/bytes.h"
#include "io/files/place.h"

#include <stdlib.h>
#include <string.h>

/* Where rows of a data set go. */
struct target {
    const char *path;
    int descriptor;
    int64_t at; /* of the first row here */
    int width;  /* bytes of a number */
    void *piece;
};

enum { PIECE = CATALOGUE_PIECE * 8, TURN = 1 << 18 }; /* bytes; of what is turned */

/* Numbers first .. first + n of those here, which are in the piece. */
static bool put_piece(const struct target *target, int64_t first, int64_t n,
                      struct io_error *error) {
    io_swap(target->piece, target->width, n, IO_LITTLE);
    return io_put_at(target->path, target->descriptor, target->piece,
                     (size_t)(n * target->width), target->at + first * target->width,
                     error);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static bool put_data(const struct target *target, const void *data, int64_t n,
                     struct io_error *error) {
    const int64_t most = TURN / target->width;
    bool done = true;
    for (int64_t first = 0; done && first < n; first += most) {
        const int64_t count = least(n - first, most);
        memcpy(target->piece, (const char *)data + first * target->width,
               (size_t)(count * target->width));
        done = put_piece(target, first, count, error);
    }
    return done;
}

static bool put_pulled(const struct target *target, const struct catalogue_set *set,
                       const struct catalogue_members *members, struct io_error *error) {
    bool done = true;
    for (int64_t first = 0; done && first < set->n; first += CATALOGUE_PIECE) {
        const int64_t count = least(set->n - first, CATALOGUE_PIECE);
        done =
            (members->pull(members->context, set->pulled, set->first + first, count,
                           target->piece) ||
             io_fail(error, "cannot write %s: its members are not known", target->path)) &&
            put_piece(target, first, count, error);
    }
    return done;
}

bool catalogue_put_hdf5(const char *path, int descriptor, const struct catalogue *catalogue,
                        const int64_t *at, struct io_error *error) {
    int n;
    struct catalogue_set *sets = catalogue_list_sets(catalogue, &n, error);
    void *piece = io_allocate(PIECE, 1, "a piece of the catalogue", error);
    bool done = sets && piece;
    for (int k = 0; done && k < n; ++k) {
        const struct catalogue_set *set = &sets[k];
        const int width = set->column.type == CATALOGUE_U8 ? 1 : 8;
        const int64_t row = (int64_t)width * set->column.components;
        const struct target target = {path, descriptor, at[k] + set->first * row, width,
                                      piece};
        done = set->column.data ? put_data(&target, set->column.data,
                                           set->n * set->column.components, error)
                                : put_pulled(&target, set, catalogue->members, error);
    }
    free(sets);
    free(piece);
    return done;
}
