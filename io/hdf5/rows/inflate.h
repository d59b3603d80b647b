/* Compressed arrays of HDF5 files, unpacked by one thread or several. */
#ifndef WEFT_IO_HDF5_INFLATE_H
#define WEFT_IO_HDF5_INFLATE_H

#include "io/files/numbers.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* What was found out by the way. */
struct io_hdf5_inflated {
    bool spoilt;         /* a chunk does not unpack */
    struct io_seen seen; /* floats of up to three axes, integers of 8 bytes; else none */
};

/* Reads rows first .. first + count, where the array is stored as `type` in chunks of
 * whole rows by deflate, with or without shuffle. False where it is not, or where
 * anything fails: H5Dread can do it, or knows why not. Where `values` is NULL, HDF5 does
 * its part, and nothing is unpacked. */
bool io_hdf5_inflate(hid_t dataset, hid_t type, int64_t first, int64_t count, int threads,
                     void *values, struct io_hdf5_inflated *found);

/* Whether all of the array's `count` rows of one float are the same number, looked at chunk
 * by chunk until one is not; false, too, where io_hdf5_inflate could not read them. */
bool io_hdf5_is_one_number(hid_t dataset, hid_t type, int64_t count, int threads,
                           double *number);

#endif
