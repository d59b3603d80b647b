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

#endif
