/* The header of an HDF5 file; columns_notes is what others see of it. */
#ifndef WEFT_IO_COLUMNS_NOTES_H
#define WEFT_IO_COLUMNS_NOTES_H

#include "columns.h"

#include <hdf5.h>

bool columns_hdf5_notes(hid_t file, const char *path, columns_note *note, void *context,
                        struct io_error *error);

#endif
