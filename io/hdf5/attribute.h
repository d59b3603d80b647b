/* Writing attributes; each returns whether it could. */
#ifndef WEFT_IO_HDF5_ATTRIBUTE_H
#define WEFT_IO_HDF5_ATTRIBUTE_H

#include "file.h"

/* One value (n = 0: a scalar) or n. */
bool io_hdf5_put_attribute(hid_t object, const char *name, hid_t file_type,
                           hid_t memory_type, hsize_t n, const void *values);

/* Text is UTF-8 of variable length; NULL is written empty. */
bool io_hdf5_put_text(hid_t object, const char *name, const char *text);
bool io_hdf5_put_integer(hid_t object, const char *name, int64_t value);
bool io_hdf5_put_numbers(hid_t object, const char *name, const double *values, hsize_t n);

/* What SWIFT's files tell, and swiftsimio asks for, where a number is an array of one. */
bool io_hdf5_put_one(hid_t object, const char *name, double value);

/* Of the group Header: n particles of type 1 in a box, and the redshift unless it is NaN.
 */
bool io_hdf5_put_header(hid_t header, int64_t n, const double box[3], double redshift);

/* The group Units; in cgs. */
struct io_hdf5_units {
    double mass, length, time;
};
bool io_hdf5_put_units(hid_t file, const struct io_hdf5_units *units);

/* The group Cosmology: h, and Omega of matter, Lambda and baryons. */
bool io_hdf5_put_cosmology(hid_t file, const double values[4]);

/* What an array is in: powers of the units, of the scale factor and of h, and a unit in
 * cgs. */
struct io_hdf5_dimension {
    double mass, length, time, scale_factor, h, cgs;
};
bool io_hdf5_put_dimension(hid_t dataset, const struct io_hdf5_dimension *of);

#endif
