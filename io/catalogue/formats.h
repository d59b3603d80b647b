/* What catalogue.c asks of the formats. The catalogue was checked before. */
#ifndef WEFT_IO_CATALOGUE_FORMATS_H
#define WEFT_IO_CATALOGUE_FORMATS_H

#include "catalogue.h"
#include "io/files/output.h"

#include <hdf5.h>

/* 0, or the system's error number. */
int catalogue_put_csv(FILE *stream, const struct catalogue *catalogue);

bool catalogue_put_hdf5(struct io_output *output, const struct catalogue *catalogue,
                        struct io_error *error);

/* Adds to an HDF5 catalogue that is complete otherwise what yt looks for; nothing where too
 * little is known of boxes and units. False where HDF5 failed. */
bool catalogue_put_yt(hid_t file, const struct catalogue *catalogue);

/* In HACC's columns, of which those that are not known hold -101. Errors: a halo of 2^31
 * particles and more. */
bool catalogue_put_genericio(struct io_output *output, const struct catalogue *catalogue,
                             struct io_error *error);

/* Takes "1e10 Msun/h" apart: how many of which unit without h. */
bool catalogue_take_apart(const char *text, double h, double *many, const char **unit);

#endif
