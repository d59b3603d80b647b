/* Snapshots in several files: PREFIX.0.hdf5, PREFIX.1.hdf5, ...; or PREFIX.0, PREFIX.1, ...
 */
#ifndef WEFT_IO_PARTS_H
#define WEFT_IO_PARTS_H

#include "io/files/error.h"

/* The file that `path` stands for: itself where it is there; otherwise the first there is
 * of PATH.0, PATH.0.hdf5, PATH.0.h5, PATH.hdf5, PATH.h5 and, where PATH is
 * PREFIX.hdf5, PREFIX.0.hdf5. Returns a name for free(); NULL and a sentence where there is
 * none of them, where it is a folder or cannot be read. */
char *io_parts_resolve(const char *path, struct io_error *error);

/* The name of part `index` of the snapshot that part `path` belongs to: the run of
 * digits between a point and the end, or .hdf5 or .h5, is replaced. Returns a name for
 * free(); NULL and a sentence where `path` has no such run. */
char *io_parts_name(const char *path, int index, struct io_error *error);

#endif
