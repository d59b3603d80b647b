/* What catalogue.c asks of the formats. The catalogue was checked before. */
#ifndef WEFT_IO_CATALOGUE_FORMATS_H
#define WEFT_IO_CATALOGUE_FORMATS_H

#include "catalogue.h"

#include <hdf5.h>

/* What comes before the rows. */
void catalogue_put_names(FILE *stream, const struct catalogue *catalogue);

/* Text of the rows, piece by piece and in order; false, and `put` is not asked again, where
 * it says so or memory is out. */
typedef bool catalogue_text(void *context, const char *text, size_t n,
                            struct io_error *error);
bool catalogue_each_text(const struct catalogue *catalogue, catalogue_text *put,
                         void *context, struct io_error *error);

/* A data set of an HDF5 catalogue, and its rows that are here. */
struct catalogue_set {
    const char *group;
    struct catalogue_column column; /* without data where members are pulled */
    int64_t first, n, all;
    enum catalogue_member_column pulled;
};

/* All of them, in the order of the file, for free(); NULL: out of memory. */
struct catalogue_set *catalogue_list_sets(const struct catalogue *catalogue, int *n,
                                          struct io_error *error);

/* Lays the file out: where each set begins, 0 where it has no rows; then puts the rows. */
bool catalogue_lay_out_hdf5(struct io_output *output, const struct catalogue *catalogue,
                            int64_t *at, struct io_error *error);
bool catalogue_put_hdf5(const char *path, int descriptor, const struct catalogue *catalogue,
                        const int64_t *at, struct io_error *error);

/* Adds to an HDF5 catalogue that is complete otherwise what yt looks for; nothing where too
 * little is known of boxes and units. False where HDF5 failed. */
bool catalogue_put_yt(hid_t file, const struct catalogue *catalogue);

/* In HACC's columns, of which those that are not known hold -101. Errors: a halo of 2^31
 * particles and more. Or: lays the file out, and tells where columns begin; puts the rows
 * here and tells their checksums; of those of n processes, in the order of their rows,
 * makes that of each column. */
bool catalogue_write_genericio(struct io_output *output, const struct catalogue *catalogue,
                               struct io_error *error);
bool catalogue_lay_out_genericio(struct io_output *output,
                                 const struct catalogue *catalogue, int64_t *at,
                                 struct io_error *error);
bool catalogue_put_genericio(const char *path, int descriptor,
                             const struct catalogue *catalogue, int64_t at,
                             struct catalogue_check *mine, struct io_error *error);
bool catalogue_seal_genericio(const char *path, int descriptor,
                              const struct catalogue *catalogue, int64_t at,
                              const struct catalogue_check *all, int n,
                              struct io_error *error);

/* Takes "1e10 Msun/h" apart: how many of which unit without h. */
bool catalogue_take_apart(const char *text, double h, double *many, const char **unit);

#endif
