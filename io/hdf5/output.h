/* Writing HDF5 into an open file, so that a full disk is an error and nothing worse.
 *
 * Left to itself, HDF5 (1.10 to 1.14) cannot close a file whose last writes failed, and
 * crashes in its exit handler. Here writes go through a file driver of our own that notes
 * the first failure, drops what follows, and lets HDF5 believe that all is well; we ask it
 * at the end. */
#ifndef WEFT_IO_HDF5_OUTPUT_H
#define WEFT_IO_HDF5_OUTPUT_H

#include "file.h"

struct io_hdf5_output {
    hid_t file; /* negative where it could not be made */
    hid_t driver;
    int failure; /* the system's error number of the first write that failed, or 0 */
};

/* Makes an HDF5 file in the empty file `descriptor`, which stays open throughout. */
void io_hdf5_output_open(struct io_hdf5_output *output, int descriptor);

/* Closes it, also where it could not be made. Returns false where HDF5 failed or a write
 * did; `failure` tells them apart. */
bool io_hdf5_output_close(struct io_hdf5_output *output);

#endif
