/* Arrays of HDF5 that lie in their file as they do in memory, read by several threads. */
#ifndef WEFT_IO_HDF5_CONTIGUOUS_H
#define WEFT_IO_HDF5_CONTIGUOUS_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads rows first .. first + count, where the array is stored as `type`, in one piece of
 * its file. False where it is not, or where anything fails: H5Dread can do it, or knows why
 * not. */
bool io_hdf5_read_contiguous(hid_t dataset, hid_t type, int64_t first, int64_t count,
                             int threads, void *values);

#endif
