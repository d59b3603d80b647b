/* A file of densities while it is written. */
#ifndef WEFT_IO_DENSITY_OUTPUT_H
#define WEFT_IO_DENSITY_OUTPUT_H

#include "density.h"
#include "io/files/output.h"
#include "io/hdf5/output.h"

enum { DENSITY_UNITS = DENSITY_FIELDS, DENSITY_ARRAYS };

struct density_output {
    struct io_output file;
    struct io_hdf5_output hdf5;
    const struct density *density;
    hid_t array[DENSITY_ARRAYS];  /* of each field, and of units; negative: not there */
    hid_t across[DENSITY_FIELDS]; /* the same with x fastest, for XDMF */
    double *plane;
    float *row;
    bool good;
};

/* The name of an array, and its unit and description as attributes. */
const char *density_name(int which);
bool density_tell(hid_t array, int which);

/* An array of `axes` axes under `parent`. Room is taken at once, so that it lies where it
 * lies whatever is written first. */
hid_t density_make(hid_t parent, const char *name, hid_t type, int axes,
                   const hsize_t *shape);

/* Writes values from `begin` on, `count` along each axis, in the order of the array. */
bool density_write(hid_t array, hid_t type, const hsize_t *begin, const hsize_t *count,
                   const void *values);

/* What the units that are written are worth. */
bool density_tell_units(hid_t array, const struct density *density);

/* Numbers of a field in one cell. */
void density_value(const struct density *density, int field,
                   const struct density_planes *planes, int64_t i, double *to);

/* Arrays with x fastest: makes those of the fields, and fills planes of x. */
void density_make_across(struct density_output *output);
void density_put_across(struct density_output *output, int64_t first, int64_t count,
                        const struct density_planes *planes);

/* Arrays of all patches. */
bool density_make_patches(hid_t file, const struct density *density);

/* What yt looks for: the file is in its grid data format, too, and the arrays of the one
 * grid are there by their other names. False where HDF5 failed. */
bool density_put_gdf(hid_t file, const struct density *density);

#endif
