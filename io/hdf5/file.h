/* HDF5 without its own messages: each failure becomes our sentence with HDF5's reason. */
#ifndef WEFT_IO_HDF5_FILE_H
#define WEFT_IO_HDF5_FILE_H

#include "io/files/error.h"

#include <hdf5.h>

/* Opens for reading, without file locks (network file systems often refuse them). Also
 * turns off, for this thread, the messages that HDF5 prints. Negative and a sentence on
 * failure. */
hid_t io_hdf5_open(const char *path, struct io_error *error);

/* What HDF5 says of the failure that just happened, its innermost words: "inflate()
 * failed". Call it before anything else of HDF5. */
const char *io_hdf5_reason(char *text, size_t room);

/* Opens what `name` (one link, no path) is under `parent`: a group or a data set. -1 in
 * *object where there is no such link; false where it is there and cannot be opened. */
bool io_hdf5_find(hid_t parent, const char *name, const char *path, hid_t *object,
                  struct io_error *error);

/* H5Oclose and the like for -1, too. */
void io_hdf5_close(hid_t object);

/* Reads a numeric attribute of any width as f64 or i64, at most `room` values.
 *   count   how many it has; 0 where there is no such attribute (or no object: -1)
 *   width   of a value in the file, in bytes; may be NULL
 * Errors: it is there and is not numbers (for integers: not whole numbers), or is empty or
 * has more than 64. */
bool io_hdf5_numbers(hid_t object, const char *name, const char *path, double *values,
                     int room, int *count, struct io_error *error);
bool io_hdf5_integers(hid_t object, const char *name, const char *path, int64_t *values,
                      int room, int *count, size_t *width, struct io_error *error);

/* The attribute as text, cut to fit; empty where it is missing or no text. */
void io_hdf5_text(hid_t object, const char *name, char *text, size_t room);

/* Whether it is IEEE's binary16, 32 or 64, of either byte order. HDF5 knows others, which
 * no simulation writes and damaged files have. */
bool io_hdf5_is_ieee(hid_t type);

/* NumPy's short name of a type: f4, >f8, u8, i4, S10, ... */
void io_hdf5_type_name(hid_t type, char *text, size_t room);

#endif
